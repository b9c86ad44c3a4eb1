import { sql } from 'kysely'
import { Stripe } from 'stripe'
import { callKind, idOf, nextRead, type Provider, type ProviderCall } from '#server/features/payments/public.ts'
import { findSubscription } from '#server/features/subscription/queries.ts'
import { giveBackReserved, SUBSCRIPTION_EXPAND, writeSubscription } from '#server/features/subscription/write.ts'
import type { Db, Tx } from '#server/db/db.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import { look } from '#server/providers/payment.ts'

// What a subscription asks of the provider.

type Subject = { subscription_id: string }

/** The calls that change a user's subscription: one at a time per user. */
export const changingKinds = ['create_subscription', 'update_subscription', 'cancel_subscription', 'pay_invoice'] as const

export function subscriptionCalls({ readSetting }: { readSetting: ReadSetting }) {
  const settle = (tx: Tx, call: ProviderCall, subscription: Stripe.Subscription, readNo: string) =>
    writeSubscription(tx, (call.subject as Subject).subscription_id, call.user_id ?? '', { subscription, readNo, readSetting })

  return {
    create_subscription: callKind<Stripe.SubscriptionCreateParams, Stripe.Subscription>({
      send: async (stripe, params, options) =>
        asItIsNow(stripe, await stripe.subscriptions.create({ ...params, expand: SUBSCRIPTION_EXPAND }, options)),
      settle,
      async giveBack(tx, { subject }) {
        const row = await findSubscription(tx, (subject as Subject).subscription_id)
        if (!row) return
        await tx
          .updateTable('subscriptions')
          .set({ status: 'canceled', ended_at: sql`app_now()` })
          .where('id', '=', row.id)
          .execute()
        await giveBackReserved(tx, row)
      },
      async find(stripe, { params, subject }) {
        const customer = (params as { customer: string }).customer
        const expand = SUBSCRIPTION_EXPAND.map((name) => `data.${name}`)
        for await (const found of stripe.subscriptions.list({ customer, status: 'all', limit: 100, expand }))
          if (found.metadata['subscription_id'] === (subject as Subject).subscription_id) return found
        return undefined
      },
    }),

    update_subscription: callKind<{ id: string } & Stripe.SubscriptionUpdateParams, Stripe.Subscription>({
      send: async (stripe, { id, ...params }, options) =>
        asItIsNow(stripe, await stripe.subscriptions.update(id, { ...params, expand: SUBSCRIPTION_EXPAND }, options)),
      settle,
      find: (stripe, call) => stripe.subscriptions.retrieve((call.params as { id: string }).id, { expand: SUBSCRIPTION_EXPAND }),
    }),

    cancel_subscription: callKind<{ id: string } & Stripe.SubscriptionCancelParams, Stripe.Subscription>({
      send: (stripe, { id, ...params }, options) => stripe.subscriptions.cancel(id, { ...params, expand: SUBSCRIPTION_EXPAND }, options),
      settle,
      find: (stripe, call) => stripe.subscriptions.retrieve((call.params as { id: string }).id, { expand: SUBSCRIPTION_EXPAND }),
    }),

    pay_invoice: callKind<{ id: string; payment_method: string }, Stripe.Invoice>({
      send: (stripe, { id, payment_method }, options) => stripe.invoices.pay(id, { payment_method }, options),
      settle: async () => {},
      find: (stripe, call) => stripe.invoices.retrieve((call.params as { id: string }).id),
    }),

    create_product: callKind<Stripe.ProductCreateParams & { id: string }, Stripe.Product>({
      send: (stripe, params, options) => orFound(stripe.products.create(params, options), () => stripe.products.retrieve(params.id)),
      settle: async () => {},
    }),

    create_price: callKind<Stripe.PriceCreateParams & { lookup_key: string }, Stripe.Price>({
      send: (stripe, params, options) => orFound(stripe.prices.create(params, options), () => priceByKey(stripe, params.lookup_key)),
      settle: async () => {},
    }),

    create_coupon: callKind<Stripe.CouponCreateParams & { id: string }, Stripe.Coupon>({
      send: (stripe, params, options) => orFound(stripe.coupons.create(params, options), () => stripe.coupons.retrieve(params.id)),
      settle: async () => {},
    }),
  }
}

/** The answer to a key that was used before is of that time: what has happened since is read. */
const asItIsNow = (stripe: Stripe, answer: Stripe.Response<Stripe.Subscription>): Promise<Stripe.Subscription> | Stripe.Subscription =>
  answer.lastResponse.headers['idempotent-replayed'] === 'true'
    ? stripe.subscriptions.retrieve(answer.id, { expand: SUBSCRIPTION_EXPAND })
    : answer

/** Objects with fixed ids may already exist at the provider, created by an earlier database. */
async function orFound<T>(create: Promise<T>, find: () => Promise<T | undefined>): Promise<T> {
  try {
    return await create
  } catch (error) {
    const found = error instanceof Stripe.errors.StripeError && error.code === 'resource_already_exists' ? await find() : undefined
    if (found) return found
    throw error
  }
}

const priceByKey = async (stripe: Stripe, key: string) => (await stripe.prices.list({ lookup_keys: [key], limit: 1 })).data[0]

type SyncDeps = { db: Db; provider: Provider; readSetting: ReadSetting }

/** A subscription as the provider has it now. One that is not ours is left alone. */
export async function syncSubscription(
  { db, provider, readSetting }: SyncDeps,
  providerId: string,
): Promise<Stripe.Subscription | undefined> {
  const readNo = await nextRead(db)
  const subscription = await look(provider.stripe.subscriptions.retrieve(providerId, { expand: SUBSCRIPTION_EXPAND }))
  if (!subscription) return undefined
  const row = await db.selectFrom('subscriptions').select(['id', 'user_id']).where('provider_id', '=', providerId).executeTakeFirst()
  const ours = row ?? (await rowBehind(db, subscription))
  if (ours) await db.transaction().execute((tx) => writeSubscription(tx, ours.id, ours.user_id, { subscription, readNo, readSetting }))
  return subscription
}

/** The event of a subscription may come before the answer to the call that made it: the intent's row is there, without the provider's id. */
async function rowBehind(db: Db, { metadata, customer }: Stripe.Subscription) {
  return db
    .selectFrom('subscriptions')
    .innerJoin('users', 'users.id', 'subscriptions.user_id')
    .select(['subscriptions.id', 'subscriptions.user_id'])
    .where(sql<string>`subscriptions.id::text`, '=', metadata['subscription_id'] ?? '')
    .where('users.provider_customer_id', '=', idOf(customer))
    .executeTakeFirst()
}
