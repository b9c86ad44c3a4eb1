import type { Tier } from '#contract/values/permissions.ts'
import { sentences } from '#contract/values/sentences.ts'
import { freeTier } from '#domain/subscription.ts'
import type { BusinessActivity } from '#contract/values/business.ts'
import { readNow } from '#server/db/clock.ts'
import type { Tx } from '#server/db/db.ts'
import { ensureCustomer, openCallOf, reserveCall, shownCard, idOf } from '#server/features/payments/public.ts'
import { changingKinds, syncSubscription } from '#server/features/subscription/calls.ts'
import { findSubscription, lastConfirmed, liveOf, lockSubscriber, type SubscriptionRow } from '#server/features/subscription/queries.ts'
import { lookIfUnpaid, reserveEnd, subscribe, type Subscribed, type SubscriptionDeps } from '#server/features/subscription/subscribe.ts'
import { refuse, refuseField } from '#server/http/errors.ts'
import type { SessionUser } from '#server/http/session.ts'
import { look, providerIsAway } from '#server/providers/payment.ts'
import type { addressFields } from '#contract/fields.ts'
import type { z } from 'zod'

/** What to ask of the provider about the live subscription; decided with the user locked. Null: nothing has to be asked. */
type Decide = (tx: Tx, live: SubscriptionRow | undefined) => Promise<string | null>

/** One change after another: a call of before whose outcome is not known is settled first. Answers the subscription that was changed. */
async function change(deps: SubscriptionDeps, userId: string, decide: Decide): Promise<SubscriptionRow | undefined> {
  const { db, provider } = deps
  await lookIfUnpaid(deps, await liveOf(db, userId))
  for (let step = 0; step < 3; step++) {
    const next = await db.transaction().execute(async (tx) => {
      await lockSubscriber(tx, userId)
      const open = await openCallOf(tx, userId, changingKinds)
      if (open) return { callId: open.id }
      const live = await liveOf(tx, userId)
      return { callId: await decide(tx, live), live, isDecided: true }
    })
    if (next.callId) {
      const { outcome } = await provider.make(next.callId)
      if (outcome === 'unsure') throw providerIsAway()
      // what is refused is not as we have it, such as one that has ended without our hearing of it; and what somebody looked up
      // while the call was under way may be of before, and is written over its result
      if (next.live?.provider_id) await syncSubscription(deps, next.live.provider_id)
      await provider.finish(next.callId)
    }
    if (next.isDecided) return next.live && findSubscription(db, next.live.id)
  }
  throw providerIsAway()
}

const notSubscribed = () => refuse('conflict', 'You have no subscription.', { code: 'not_subscribed' })

const updating = (tx: Tx, live: SubscriptionRow, params: object) =>
  reserveCall(tx, {
    kind: 'update_subscription',
    userId: live.user_id,
    subject: { subscription_id: live.id },
    params: { id: live.provider_id, ...params },
  })

/** Whose wish a cancellation is: what the deletion of an account asked for is taken back with it. */
const noteWish = (tx: Tx, { id }: SubscriptionRow, cancelled_by_deletion: boolean) =>
  tx.updateTable('subscriptions').set({ cancelled_by_deletion }).where('id', '=', id).execute()

/** At the end of what is paid for, or at once where nothing is: one that was never confirmed, or whose renewal has failed. */
export async function cancel(deps: SubscriptionDeps, userId: string): Promise<SubscriptionRow> {
  const alreadyCancelled = () => refuse('conflict', sentences.subscriptionAlreadyCancelled, { code: 'already_cancelled' })
  const row = await change(deps, userId, async (tx, live) => {
    if (live?.cancel_at_period_end && !live.cancelled_by_deletion) throw alreadyCancelled()
    if (!live) throw (await lastConfirmed(tx, userId)) ? alreadyCancelled() : notSubscribed()
    await noteWish(tx, live, false)
    if (live.cancel_at_period_end) return null
    return isPaidFor(live) ? updating(tx, live, { cancel_at_period_end: true }) : reserveEnd(tx, live)
  })
  if (!row) throw notSubscribed()
  return row
}

const isPaidFor = (live: SubscriptionRow) => !live.awaits_confirmation && live.past_due_since === null

export async function reactivate(deps: SubscriptionDeps, userId: string): Promise<SubscriptionRow> {
  const row = await change(deps, userId, async (tx, live) => {
    if (!live) throw refuse('conflict', 'Your subscription has ended. Subscribe again to go on.', { code: 'not_subscribed' })
    if (!live.cancel_at_period_end) throw refuse('conflict', 'Your subscription is not cancelled.', { code: 'not_cancelled' })
    return updating(tx, live, { cancel_at_period_end: false })
  })
  if (!row) throw notSubscribed()
  return row
}

/** At once: to `full` it is subscribing; to the free plan it ends, and what is left of a paid month becomes credit. */
export async function changePlan(deps: SubscriptionDeps, user: SessionUser, planId: Tier): Promise<Subscribed> {
  if (planId === 'full') return subscribe(deps, { userId: user.id, couponCode: null })
  const free = freeTier(user.business_activity as BusinessActivity | null)
  if (planId !== free) throw refuseField('plan_id', `This plan is for ${planId === 'seller' ? 'trades' : 'merchants'}. Yours is '${free}'.`)
  const row = await change(deps, user.id, async (tx, live) => {
    if (!live) throw refuse('conflict', 'You are on this plan already.', { code: 'plan_unchanged' })
    if (live.awaits_confirmation) return reserveEnd(tx, live)
    const params = { id: live.provider_id, prorate: live.status === 'active', invoice_now: live.status === 'active' }
    return reserveCall(tx, { kind: 'cancel_subscription', userId: user.id, subject: { subscription_id: live.id }, params })
  })
  if (!row) throw notSubscribed()
  return { row, clientSecret: null }
}

/** Cancels a deleted user's subscription. Does nothing if the account was restored meanwhile. */
export async function leave(deps: SubscriptionDeps, userId: string): Promise<void> {
  await change(deps, userId, async (tx, live) => {
    if (!live || live.cancel_at_period_end || !(await isGone(tx, userId))) return null
    if (!isPaidFor(live)) return reserveEnd(tx, live)
    await noteWish(tx, live, true)
    return updating(tx, live, { cancel_at_period_end: true })
  })
}

/** Takes back the cancellation that came with a deletion, for a restored user. What the user cancelled, or what has ended, stays so. */
export async function resume(deps: SubscriptionDeps, userId: string): Promise<void> {
  await change(deps, userId, async (tx, live) => {
    if (!live?.cancelled_by_deletion || (await isGone(tx, userId))) return null
    await noteWish(tx, live, false)
    return live.cancel_at_period_end ? updating(tx, live, { cancel_at_period_end: false }) : null
  })
}

const isGone = async (tx: Tx, userId: string) => (await lockSubscriber(tx, userId)).deleted_at !== null

/** Ends a subscription whose card was never confirmed. */
export const endUnconfirmed = (deps: SubscriptionDeps, row: SubscriptionRow): Promise<void> =>
  endIf(deps, row, ({ awaits_confirmation }) => awaits_confirmation)

/** Ends a subscription whose time of grace is over. A second failed renewal has a time of its own, which an earlier job leaves alone. */
export const endAfterGrace = (deps: SubscriptionDeps, row: SubscriptionRow): Promise<void> =>
  endIf(deps, row, ({ past_due_since, grace_ends_at }, now) => past_due_since !== null && grace_ends_at !== null && grace_ends_at <= now)

async function endIf(deps: SubscriptionDeps, row: SubscriptionRow, isOver: (live: SubscriptionRow, now: Date) => boolean): Promise<void> {
  await change(deps, row.user_id, async (tx, live) =>
    live?.id === row.id && isOver(live, await readNow(tx)) ? reserveEnd(tx, live) : null,
  )
}

type NewCard = { cardId: string; address?: z.output<z.ZodObject<typeof addressFields>> | null | undefined }

/** The card that the subscription is paid with from now on; a renewal that has failed is paid with it at once. */
export async function useCard(deps: SubscriptionDeps, userId: string, { cardId, address }: NewCard) {
  const { provider } = deps
  const customer = await ensureCustomer(deps, userId)
  const method = await look(provider.stripe.paymentMethods.retrieve(cardId))
  const holder = idOf(method?.customer)
  if (!method?.card || (holder !== null && holder !== customer)) throw refuseField('payment_method', 'This is not a card of yours')
  if (holder === null) await callNext(deps, userId, { kind: 'attach_card', params: { card: cardId, customer } })
  await callNext(deps, userId, {
    kind: 'use_card',
    params: { customer, invoice_settings: { default_payment_method: cardId }, ...(address && { address: billing(address) }) },
  })
  const live = await change(deps, userId, async (tx, live) =>
    live?.provider_id && !live.awaits_confirmation ? updating(tx, live, { default_payment_method: cardId }) : null,
  )
  if (live?.past_due_since && live.provider_id) await payOverdue(deps, live, cardId)
  return shownCard(method)
}

/** One card after another: a choice of before that is still open would be repeated by the job, and replace this one. */
async function callNext({ db, provider }: SubscriptionDeps, userId: string, { kind, params }: { kind: string; params: object }) {
  for (let step = 0; step < 3; step++) {
    const next = await db.transaction().execute(async (tx) => {
      await lockSubscriber(tx, userId)
      const open = await openCallOf(tx, userId, ['attach_card', 'use_card'])
      return open ? { earlier: open.id } : { callId: await reserveCall(tx, { kind, userId, params }) }
    })
    if (next.callId) return provider.finish(next.callId)
    if (next.earlier && (await provider.make(next.earlier)).outcome === 'unsure') break
  }
  throw providerIsAway()
}

async function payOverdue(deps: SubscriptionDeps, live: SubscriptionRow, cardId: string) {
  const { db, provider } = deps
  const open = await look(provider.stripe.invoices.list({ subscription: live.provider_id ?? '', status: 'open', limit: 1 }))
  const [invoice] = open?.data ?? []
  if (!invoice) return
  const callId = await db.transaction().execute((tx) =>
    reserveCall(tx, {
      kind: 'pay_invoice',
      userId: live.user_id,
      subject: { subscription_id: live.id },
      params: { id: invoice.id, payment_method: cardId },
    }),
  )
  await provider.finish(callId)
  await syncSubscription(deps, live.provider_id ?? '')
}

const billing = (address: NonNullable<NewCard['address']>) => ({
  line1: address.address_line_1,
  ...(address.address_line_2 && { line2: address.address_line_2 }),
  city: address.town,
  ...(address.county && { state: address.county }),
  postal_code: address.post_code,
  country: 'GB',
})
