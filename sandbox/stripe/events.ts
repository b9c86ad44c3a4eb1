import { Stripe } from 'stripe'
import { listOf } from '#sandbox/stripe/lists.ts'
import type { Route, Work } from '#sandbox/stripe/route.ts'
import { newId } from '#sandbox/stripe/store.ts'

type Origin = { requestId: string | null; idempotencyKey: string | null; hasWebhook: boolean }

/** Writes events in the transaction of what they tell; deliveries.ts posts them afterwards. */
export function emitter({ store, client }: Pick<Work, 'store' | 'client'>, origin: Origin): Work['emit'] {
  return async (type, object, { account, previous } = {}) => {
    const owner = account ?? store.account
    const event = {
      id: newId('evt'),
      object: 'event',
      api_version: Stripe.API_VERSION,
      created: store.now,
      data: { object, ...(previous && { previous_attributes: previous }) },
      livemode: false,
      pending_webhooks: origin.hasWebhook ? 1 : 0,
      request: { id: origin.requestId, idempotency_key: origin.idempotencyKey },
      type,
      ...(owner && { account: owner }),
    }
    // one of a hundred shapes by its type: the union cannot be told apart here
    await store.put('event', event as unknown as Stripe.Event)
    if (origin.hasWebhook) await client.query('insert into stripe_sandbox.deliveries (event_id) values ($1)', [event.id])
  }
}

export const eventRoutes: Route[] = [
  {
    method: 'GET',
    path: '/v1/events',
    handle: async (context) => {
      const type = context.form.text('type')
      return listOf(context, 'event', type ? { type } : {})
    },
  },
  { method: 'GET', path: '/v1/events/:id', handle: ({ store, params }) => store.need('event', params['id'] ?? '') },
]
