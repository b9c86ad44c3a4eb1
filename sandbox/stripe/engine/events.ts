import { Stripe } from 'stripe'
import { listOf } from '#sandbox/stripe/engine/lists.ts'
import type { Route, Work } from '#sandbox/stripe/engine/route.ts'
import { newId } from '#sandbox/stripe/engine/store.ts'

type Origin = { requestId: string | null; idempotencyKey: string | null; hasWebhook: boolean }

/** Writes events in the transaction of what they tell; deliveries.ts posts them afterwards. */
export function emitter({ store, client }: Pick<Work, 'store' | 'client'>, origin: Origin): Work['emit'] {
  return async (type, object, { account, previous } = {}) => {
    const owner = account ?? store.account
    const event = {
      id: newId('evt'),
      object: 'event',
      // the version of the endpoint, which is that of the SDK here; Stripe-Version in requests changes nothing
      api_version: Stripe.API_VERSION,
      created: store.now,
      data: { object, ...(previous && { previous_attributes: previous }) },
      livemode: false,
      pending_webhooks: origin.hasWebhook ? 1 : 0,
      request: { id: origin.requestId, idempotency_key: origin.idempotencyKey },
      type,
      ...(owner && { account: owner }),
    }
    await client.query(
      `with told as (insert into stripe_sandbox.objects (kind, id, account, doc) values ('event', $1, $2, $3))
       insert into stripe_sandbox.deliveries (event_id) select $1 where $4`,
      [event.id, store.account, JSON.stringify(event), origin.hasWebhook],
    )
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
