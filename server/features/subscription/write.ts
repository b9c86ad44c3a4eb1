import { sql } from 'kysely'
import type { Stripe } from 'stripe'
import { addDuration } from '#domain/working-days.ts'
import { shownStatus, tierOf } from '#domain/subscription.ts'
import type { BusinessActivity } from '#contract/values/business.ts'
import { readNow } from '#server/db/clock.ts'
import type { Tx } from '#server/db/db.ts'
import { jsonOf, shownCard, timeOf } from '#server/features/payments/public.ts'
import { lastConfirmed, liveOf, lockSubscriber, type SubscriptionRow } from '#server/features/subscription/queries.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import type { SessionUser } from '#server/http/session.ts'
import type { SubscriptionNews } from '#domain/notifications/subscription-words.ts'
import { enqueue } from '#server/jobs/queue.ts'

// The one place where a subscription changes: what the provider has becomes the row, the row becomes the tier, in one transaction.

/** Everything that `writeSubscription` reads comes with the subscription. */
export const SUBSCRIPTION_EXPAND = ['default_payment_method', 'pending_setup_intent', 'latest_invoice.confirmation_secret', 'discounts']

type ProviderState = { subscription: Stripe.Subscription; readNo: string; readSetting: ReadSetting }

/** Ignores an answer of the provider that is older than the one stored. */
export async function writeSubscription(
  tx: Tx,
  rowId: string,
  userId: string,
  { subscription, readNo, readSetting }: ProviderState,
): Promise<void> {
  const user = await lockSubscriber(tx, userId)
  const now = await readNow(tx)
  const before = await tx.selectFrom('subscriptions').selectAll().where('id', '=', rowId).where('read_no', '<', readNo).executeTakeFirst()
  if (!before) return
  const grace = await readSetting(tx, 'renewal_grace')
  const seen = rowOf(subscription, { before, user, now, grace })
  await tx
    .updateTable('subscriptions')
    .set({ ...seen, card: jsonOf(seen.card), read_no: readNo })
    .where('id', '=', rowId)
    .execute()
  const after: SubscriptionRow = { ...before, ...seen }
  // once, when it ends: by the next word of it the trial may be another's
  if (before.ended_at === null && after.ended_at !== null && after.confirmed_at === null) await giveBackReserved(tx, after)
  await writeTier(tx, user, now)
  await tellOf(tx, before, after, now)
}

type RowContext = { before: SubscriptionRow; user: SessionUser; now: Date; grace: string }

function rowOf(subscription: Stripe.Subscription, { before, user, now, grace }: RowContext) {
  const { status, pending_setup_intent, cancel_at_period_end, trial_end, ended_at, canceled_at, discounts } = subscription
  const [item] = subscription.items.data
  const awaits_confirmation = status === 'incomplete' || (pending_setup_intent !== null && (status === 'trialing' || status === 'active'))
  const isConfirmed = !awaits_confirmation && (status === 'trialing' || status === 'active')
  const isOver = status === 'canceled' || status === 'incomplete_expired'
  const past_due_since = status === 'past_due' || status === 'unpaid' ? (before.past_due_since ?? failedAt(subscription) ?? now) : null
  return {
    provider_id: subscription.id,
    status,
    awaits_confirmation,
    price: item?.price.unit_amount ?? before.price,
    current_period_end: item ? timeOf(item.current_period_end) : null,
    trial_ends_at: trial_end === null ? null : timeOf(trial_end),
    cancel_at_period_end: cancel_at_period_end || subscription.cancel_at !== null,
    card: user.erased_at ? null : (shownCard(subscription.default_payment_method) ?? user.subscription_card),
    has_discount: discounts.length > 0,
    discount_ends_at: discountEnd(discounts),
    past_due_since,
    // a time that somebody was given does not move with the setting
    grace_ends_at: past_due_since && (before.grace_ends_at ?? addDuration(past_due_since, grace)),
    confirmed_at: before.confirmed_at ?? (isConfirmed ? now : null),
    ended_at: before.ended_at ?? (isOver ? timeOf(ended_at ?? canceled_at ?? Math.floor(now.getTime() / 1_000)) : null),
  }
}

/** A subscription has one coupon, and so one discount. */
function discountEnd([discount]: Stripe.Subscription['discounts']): Date | null {
  return !discount || typeof discount === 'string' || discount.end === null ? null : timeOf(discount.end)
}

/** When the renewal was due that has failed. */
function failedAt({ latest_invoice }: Stripe.Subscription): Date | undefined {
  if (!latest_invoice || typeof latest_invoice === 'string') return undefined
  return timeOf(latest_invoice.status_transitions.finalized_at ?? latest_invoice.created)
}

/** A subscription that ends before it was ever confirmed has used neither its trial nor its coupon. */
export async function giveBackReserved(tx: Tx, row: SubscriptionRow): Promise<void> {
  await tx.deleteFrom('coupon_redemptions').where('subscription_id', '=', row.id).execute()
  if (row.trial_ends_at) await tx.updateTable('users').set({ trial_used_at: null }).where('id', '=', row.user_id).execute()
}

/** Of somebody who is erased; no later word of the provider brings it back. */
export const forgetCard = (tx: Tx, userId: string) =>
  tx.updateTable('subscriptions').set({ card: null }).where('user_id', '=', userId).execute()

/** Sets the tier by the live subscription, with the user locked. Elsewhere only the free tier is written, when the business activity is given or changes. */
export async function writeTier(tx: Tx, user: Pick<SessionUser, 'id' | 'business_activity'>, now: Date): Promise<void> {
  const latest = (await liveOf(tx, user.id)) ?? (await lastConfirmed(tx, user.id))
  await tx
    .updateTable('users')
    .set({
      tier: tierOf(latest, user.business_activity as BusinessActivity | null, now),
      subscription_status: latest ? shownStatus(latest) : null,
      trial_ends_at: latest && shownStatus(latest) === 'trialing' ? latest.trial_ends_at : null,
      updated_at: sql`app_now()`,
    })
    .where('id', '=', user.id)
    .execute()
}

/** For a card that is still to be confirmed: as long as the provider waits for a first payment. */
export const CONFIRM_WITHIN = '23 hours'

const DAY_MS = 24 * 3_600_000
const TRIAL_WARNING_MS = 7 * DAY_MS
const REMINDERS_AFTER_MS = [3 * DAY_MS, 6 * DAY_MS]

/** Letters and clocks of what has changed, in its transaction: each change is told once. */
async function tellOf(tx: Tx, before: SubscriptionRow, after: SubscriptionRow, now: Date): Promise<void> {
  const write = (letter: SubscriptionNews, at = now) =>
    enqueue(tx, 'send_subscription_letter', { subscription_id: after.id, letter }, untilFrom(now, at))
  if (!before.confirmed_at && after.confirmed_at) {
    await write('started')
    if (after.status === 'trialing' && after.trial_ends_at)
      await write('trial_ending', new Date(after.trial_ends_at.getTime() - TRIAL_WARNING_MS))
  }
  if (!before.cancel_at_period_end && after.cancel_at_period_end && after.ended_at === null) await write('cancelled')
  if (before.cancel_at_period_end && !after.cancel_at_period_end && after.ended_at === null) await write('resumed')
  // a first payment that never comes is given up by the provider itself
  if (before.provider_id === null && after.awaits_confirmation && after.status !== 'incomplete')
    await enqueue(tx, 'end_unconfirmed', { subscription_id: after.id }, CONFIRM_WITHIN)
  if (!before.ended_at && after.ended_at && after.confirmed_at) await write('ended')
  if (!before.past_due_since && after.past_due_since && after.grace_ends_at) {
    const since = after.past_due_since.getTime()
    await write('renewal_failed')
    for (const later of REMINDERS_AFTER_MS)
      if (since + later < after.grace_ends_at.getTime()) await write('renewal_reminder', new Date(since + later))
    await enqueue(tx, 'end_grace', { subscription_id: after.id }, untilFrom(now, after.grace_ends_at))
  }
}

const untilFrom = (now: Date, at: Date) => `${Math.max(0, at.getTime() - now.getTime())} milliseconds`
