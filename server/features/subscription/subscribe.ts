import type { Stripe } from 'stripe'
import { sql } from 'kysely'
import { formatPence } from '#domain/format.ts'
import { discounted, dueAfterCredit, trialEnd } from '#domain/subscription.ts'
import { readNow } from '#server/db/clock.ts'
import type { Db, DbOrTx, Tx } from '#server/db/db.ts'
import { ensureCustomer, openCallOf, reserveCall, type Provider } from '#server/features/payments/public.ts'
import { changingKinds, syncSubscription } from '#server/features/subscription/calls.ts'
import { ensureCoupon, ensurePrice } from '#server/features/subscription/catalogue.ts'
import { discountOf, lockCoupon, usableCoupon, type Trial } from '#server/features/subscription/coupons.ts'
import {
  cardOnFile,
  findSubscription,
  liveOf,
  lockSubscriber,
  type CouponRow,
  type SubscriptionRow,
} from '#server/features/subscription/queries.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import type { UserRow } from '#server/db/user.ts'
import { notFound, refuse } from '#server/http/errors.ts'
import type { Once } from '#server/http/idempotency.ts'
import { providerIsAway } from '#server/providers/payment.ts'

export type SubscriptionDeps = { db: Db; provider: Provider; readSetting: ReadSetting }

export type Subscribed = { row: SubscriptionRow; clientSecret: string | null }

export type StoredSubscription = { subscription_id: string }

type Wish = {
  userId: string
  couponCode: string | null
  /** What the user was shown as taken today. */
  shownPayment?: number | null | undefined
  once?: Once<StoredSubscription>
}

type Subscriber = Pick<UserRow, 'trial_used_at'>

// a call that is still open, one that asked for another coupon, and then the subscription itself
const MOST_STEPS = 4

/** Subscribes, or answers the subscription that still waits to be confirmed. Trial and coupon are reserved with the intent. */
export async function subscribe(deps: SubscriptionDeps, { userId, couponCode, shownPayment, once }: Wish): Promise<Subscribed> {
  const { db, provider, readSetting } = deps
  const customer = await ensureCustomer(deps, userId)
  const begun = await liveOf(db, userId)
  const user = await db.selectFrom('users').select('trial_used_at').where('id', '=', userId).executeTakeFirstOrThrow()
  const trial = await trialFor(db, { user, begun, readSetting })
  const coupon = couponCode === null ? undefined : await usableCoupon(db, couponCode, { userId, trial })
  if (coupon) await ensureCoupon(deps, coupon)
  const price = await readSetting(db, 'subscription_price')
  const priceId = await ensurePrice(deps, price)
  if (begun && begun.coupon_id !== (coupon?.id ?? null)) await lookIfUnpaid(deps, begun)
  for (let step = 0; step < MOST_STEPS; step++) {
    const next = await db
      .transaction()
      .execute((tx) => nextStep(tx, { userId, coupon, customer, price, priceId, readSetting, shownPayment, once }))
    if (next.callId) await provider.finish(next.callId)
    if (next.rowId) return showSubscribed(deps, next.rowId)
  }
  throw providerIsAway()
}

type Reserving = {
  userId: string
  coupon: CouponRow | undefined
  customer: string
  price: number
  priceId: string
  readSetting: ReadSetting
  shownPayment: number | null | undefined
  once: Once<StoredSubscription> | undefined
}

type Step = { callId?: string; rowId?: string }

async function nextStep(tx: Tx, wish: Reserving): Promise<Step> {
  const { userId, coupon, once } = wish
  const user = await lockSubscriber(tx, userId)
  // in another window, while prices were looked up: who has gone begins nothing
  if (user.deleted_at) throw refuse('unauthenticated', 'Please log in.')
  const open = await openCallOf(tx, userId, changingKinds)
  if (open) return { callId: open.id }
  const live = await liveOf(tx, userId)
  if (live && !live.awaits_confirmation) throw refuse('conflict', 'You have a subscription already.', { code: 'already_subscribed' })
  if (live && live.coupon_id === (coupon?.id ?? null)) {
    await once?.remember(tx, { subscription_id: live.id })
    return { rowId: live.id }
  }
  if (live) return { callId: await reserveEnd(tx, live) }

  const now = await readNow(tx)
  const trial = await trialFor(tx, { user, begun: undefined, readSetting: wish.readSetting })
  if (coupon) await lockCoupon(tx, coupon.id, { userId, trial }, now)
  refuseOtherPrice(wish, trial ? 0 : dueAfterCredit(discounted(wish.price, coupon ? discountOf(coupon) : null), user.subscription_credit))
  const row = await tx
    .insertInto('subscriptions')
    .values({ user_id: userId, price: wish.price, trial_ends_at: trial?.ends ?? null, coupon_id: coupon?.id ?? null })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (coupon) await tx.insertInto('coupon_redemptions').values({ coupon_id: coupon.id, user_id: userId, subscription_id: row.id }).execute()
  if (trial)
    await tx
      .updateTable('users')
      .set({ trial_used_at: sql`app_now()` })
      .where('id', '=', userId)
      .execute()
  await once?.remember(tx, { subscription_id: row.id })
  const card = await cardOnFile(tx, user)
  const params = newSubscription({ ...wish, trial: trial?.ends ?? null, cardId: card?.id, rowId: row.id })
  const callId = await reserveCall(tx, {
    kind: 'create_subscription',
    key: createKey(row.id),
    userId,
    subject: { subscription_id: row.id },
    params,
  })
  return { callId, rowId: row.id }
}

type TrialContext = { user: Subscriber; begun: SubscriptionRow | undefined; readSetting: ReadSetting }

/** The trial of somebody who subscribes now. One that was begun and never confirmed is given back, and has used up none. */
export async function trialFor(db: DbOrTx, { user, begun, readSetting }: TrialContext): Promise<Trial> {
  const { trial_available_until, trial_months: months } = await readSetting.several(db, ['trial_available_until', 'trial_months'])
  const availableUntil = trial_available_until === null ? null : new Date(trial_available_until)
  const isGivenBack = begun?.awaits_confirmation && begun.trial_ends_at !== null
  const ends = trialEnd({ now: await readNow(db), availableUntil, usedAt: isGivenBack ? null : user.trial_used_at, months })
  return ends && { ends, months }
}

/** Nothing is taken before its price was seen. */
function refuseOtherPrice({ shownPayment }: Reserving, due: number): void {
  if (shownPayment == null || shownPayment === due) return
  const says =
    shownPayment === 0
      ? 'The free trial is over. Look at the price once more, then subscribe.'
      : `The payment is now ${formatPence(due)}. Look at the price once more, then subscribe.`
  throw refuse('conflict', says, { code: 'price_changed' })
}

// The provider counts a coupon's months from when it makes the subscription, a moment after we counted the trial's. Without a
// minute more for the trial, a coupon of seven months would sometimes lower two payments after a trial of six months, not one.
const COUPON_DELAY_SECONDS = 60

type New = Pick<Reserving, 'userId' | 'customer' | 'priceId' | 'coupon'> & { trial: Date | null; cardId: string | undefined; rowId: string }

const newSubscription = ({ userId, customer, priceId, coupon, trial, cardId, rowId }: New): Stripe.SubscriptionCreateParams => ({
  customer,
  items: [{ price: priceId }],
  // a card that is on file is charged at once; without one the browser confirms the first payment, or the card for after the trial
  payment_behavior: cardId ? 'allow_incomplete' : 'default_incomplete',
  ...(cardId && { default_payment_method: cardId }),
  payment_settings: { save_default_payment_method: 'on_subscription', payment_method_types: ['card'] },
  ...(trial && {
    trial_end: Math.floor(trial.getTime() / 1_000) + COUPON_DELAY_SECONDS,
    trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
  }),
  ...(coupon && { discounts: [{ coupon: coupon.id }] }),
  metadata: { user_id: userId, subscription_id: rowId, purpose: 'subscription' },
})

/** One that may be ended because nothing was paid may have been paid a moment ago, in another window or without our hearing of it. */
export async function lookIfUnpaid(deps: SubscriptionDeps, row: SubscriptionRow | undefined): Promise<void> {
  if (row?.provider_id && (row.awaits_confirmation || row.past_due_since)) await syncSubscription(deps, row.provider_id)
}

/** Ends one that was never confirmed; nothing was paid, so nothing is settled. */
export const reserveEnd = (tx: Tx, row: SubscriptionRow): Promise<string> =>
  reserveCall(tx, {
    kind: 'cancel_subscription',
    userId: row.user_id,
    subject: { subscription_id: row.id },
    params: { id: row.provider_id },
  })

/** The answer of before, once more: a call that is still open is seen through first, and what was refused is refused again. */
export async function showAgain(deps: SubscriptionDeps, rowId: string): Promise<Subscribed> {
  const call = await deps.db
    .selectFrom('provider_calls')
    .select('id')
    .where('idempotency_key', '=', createKey(rowId))
    .executeTakeFirstOrThrow()
  await deps.provider.finish(call.id)
  return showSubscribed(deps, rowId)
}

const createKey = (rowId: string) => `subscription:${rowId}`

/** The subscription with the secret that the browser confirms; null where there is nothing to confirm. */
export async function showSubscribed(deps: SubscriptionDeps, rowId: string): Promise<Subscribed> {
  const providerId = (await findSubscription(deps.db, rowId))?.provider_id
  const subscription = providerId ? await syncSubscription(deps, providerId) : undefined
  const row = await findSubscription(deps.db, rowId)
  if (!row) throw notFound()
  return { row, clientSecret: subscription && row.awaits_confirmation ? secretOf(subscription) : null }
}

function secretOf({ pending_setup_intent, latest_invoice }: Stripe.Subscription): string | null {
  if (pending_setup_intent) return typeof pending_setup_intent === 'string' ? null : pending_setup_intent.client_secret
  if (!latest_invoice || typeof latest_invoice === 'string') return null
  return latest_invoice.confirmation_secret?.client_secret ?? null
}
