import type Stripe from 'stripe'
import { missing, SandboxError } from '#sandbox/stripe/http/errors.ts'
import { emptyList } from '#sandbox/stripe/engine/lists.ts'
import type { Context, Route } from '#sandbox/stripe/engine/route.ts'
import { createSubscription } from '#sandbox/stripe/billing/subscriptions/create.ts'
import { endSubscription } from '#sandbox/stripe/billing/subscriptions/end.ts'
import { detailsOf } from '#sandbox/stripe/billing/subscriptions/form.ts'
import { updateSubscription } from '#sandbox/stripe/billing/subscriptions/update.ts'

export const subscriptionRoutes: Route[] = [
  { method: 'POST', path: '/v1/subscriptions', handle: (context) => wholeOrNothing(context, createSubscription) },
  { method: 'GET', path: '/v1/subscriptions', handle: listSubscriptions },
  { method: 'GET', path: '/v1/subscriptions/:id', handle: ({ store, params }) => store.need('subscription', params['id'] ?? '') },
  { method: 'POST', path: '/v1/subscriptions/:id', handle: updateSubscription },
  {
    method: 'DELETE',
    path: '/v1/subscriptions/:id',
    handle: async (context) => {
      const { store, params, form } = context
      const subscription = await store.need('subscription', params['id'] ?? '')
      if (subscription.ended_at !== null) throw missing('subscription', subscription.id)
      return endSubscription(context, subscription, {
        details: { ...detailsOf(form), reason: 'cancellation_requested' },
        prorate: form.flag('prorate') ?? false,
        invoiceNow: form.flag('invoice_now') ?? false,
      })
    },
  },
  {
    method: 'GET',
    path: '/v1/subscription_items',
    handle: async ({ store, form, url }) => {
      const { items } = await store.need('subscription', form.required('subscription'), 'subscription')
      form.allow('limit', 'starting_after', 'ending_before')
      return { ...emptyList(url.pathname), data: items.data }
    },
  },
  {
    method: 'GET',
    path: '/v1/subscription_items/:id',
    handle: async ({ store, params }) => {
      const id = params['id'] ?? ''
      const [subscription] = await store.find('subscription', { items: { data: [{ id }] } })
      return subscription?.items.data[0] ?? Promise.reject(missing('subscription_item', id))
    },
  },
]

/** A declined card keeps what was written elsewhere; a subscription that must not be incomplete leaves nothing behind. */
async function wholeOrNothing<Result>(context: Context, work: (context: Context) => Promise<Result>): Promise<Result> {
  await context.client.query('savepoint whole_or_nothing')
  try {
    return await work(context)
  } catch (error) {
    if (error instanceof SandboxError && error.status === 402) await context.client.query('rollback to savepoint whole_or_nothing')
    throw error
  }
}

const ENDED: Stripe.Subscription.Status[] = ['canceled', 'incomplete_expired']

async function listSubscriptions({ store, form, url }: Context): Promise<Stripe.ApiList<Stripe.Subscription>> {
  const status = form.text('status')
  const customer = form.text('customer')
  const price = form.text('price')
  const after = form.text('starting_after')
  const limit = form.integer('limit') ?? 10
  const fits = (one: Stripe.Subscription) => {
    if (status === 'all') return true
    if (status === 'ended') return ENDED.includes(one.status)
    return status === undefined ? one.status !== 'canceled' : one.status === status
  }
  const where = { ...(customer && { customer }), ...(price && { items: { data: [{ price: { id: price } }] } }) }
  const found = (await store.find('subscription', where)).filter(fits).reverse()
  const rest = after ? found.slice(found.findIndex(({ id }) => id === after) + 1) : found
  form.allow('collection_method')
  return { ...emptyList<Stripe.Subscription>(url.pathname), data: rest.slice(0, limit), has_more: rest.length > limit }
}
