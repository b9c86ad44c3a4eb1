import type Stripe from 'stripe'
import { nextDue, plan } from '#sandbox/stripe/billing/agenda.ts'
import { idOf } from '#sandbox/stripe/engine/store.ts'
import { draftInvoice, issue } from '#sandbox/stripe/billing/invoices/bill.ts'
import { collectByItself, defaultMethod } from '#sandbox/stripe/billing/invoices/collect.ts'
import { periodLine } from '#sandbox/stripe/billing/invoices/lines.ts'
import { nextInvoice } from '#sandbox/stripe/billing/invoices/next.ts'
import { subscriptionOf } from '#sandbox/stripe/billing/invoices/outcomes.ts'
import { nextCycle } from '#sandbox/stripe/billing/periods.ts'
import type { BillingTask } from '#sandbox/stripe/engine/kinds.ts'
import type { Duty, Work } from '#sandbox/stripe/engine/route.ts'
import { endSubscription, expireSubscription } from '#sandbox/stripe/billing/subscriptions/end.ts'
import { itemOf, periodOf, saveSubscription, withItem } from '#sandbox/stripe/billing/subscription-record.ts'

// about an hour at the provider, in which the draft can still be changed
const DRAFT_SECONDS = 60 * 60

/** Does what fell due, the earliest first and each at its own time: months that passed at once follow one another. */
export const settleBilling: Duty = async (work) => {
  for (let due = await nextDue(work); due; due = await nextDue(work)) {
    await tasks[due.what]({ ...work, now: due.at }, due.of)
  }
}

const tasks: Record<BillingTask, (work: Work, of: string) => Promise<unknown>> = {
  expire: onSubscription(expireSubscription),
  warn_trial: onSubscription((work, subscription) => work.emit('customer.subscription.trial_will_end', subscription)),
  announce: onSubscription(async (work, subscription) => work.emit('invoice.upcoming', await nextInvoice(work, subscription))),
  cancel: onSubscription((work, subscription) => endSubscription(work, subscription, {})),
  renew: onSubscription((work, subscription) => renew(work, subscription)),
  finalize,
  retry: async (work, of) => collectByItself(work, await work.store.need('invoice', of)),
  give_up: async (work, of) => {
    const subscription = await subscriptionOf(work, await work.store.need('invoice', of))
    if (subscription?.status === 'past_due') await endSubscription(work, subscription, { details: { reason: 'payment_failed' } })
  },
}

function onSubscription(what: (work: Work, subscription: Stripe.Subscription) => Promise<unknown>) {
  return async (work: Work, of: string) => what(work, await work.store.need('subscription', of))
}

/** The next month begins, whether the last was paid or a free trial. It is charged after the draft's hour, or at once if a request asks for it. */
export async function renew(work: Work, subscription: Stripe.Subscription, { isAtOnce = false } = {}): Promise<void> {
  const isTrialEnd = subscription.status === 'trialing'
  if (isTrialEnd && (await endsWithoutCard(work, subscription))) return
  const last = periodOf(subscription)
  const start = isTrialEnd ? work.now : last.end
  const { price } = itemOf(subscription)
  const anchor = isTrialEnd ? start : subscription.billing_cycle_anchor
  const period = { start, end: nextCycle(anchor, start, price.recurring?.interval_count ?? 1) }
  const renewed = await saveSubscription(work, subscription.id, {
    ...withItem(subscription, { current_period_start: period.start, current_period_end: period.end }),
    billing_cycle_anchor: anchor,
    ...(isTrialEnd && { status: 'active', trial_end: start }),
  })
  const line = await periodLine(work, renewed, period, false)
  const draft = await draftInvoice(work, renewed, {
    reason: 'subscription_cycle',
    lines: [line],
    period: { start: last.start, end: start },
  })
  if (isAtOnce) return finalize(work, draft.id)
  await plan(work, { what: 'finalize', of: draft.id, at: work.now + DRAFT_SECONDS })
}

async function finalize(work: Work, of: string): Promise<void> {
  const draft = await work.store.need('invoice', of)
  const subscription = await subscriptionOf(work, draft)
  if (draft.status === 'draft' && subscription) await collectByItself(work, await issue(work, subscription, draft))
}

/** A trial may be told to end everything, or to pause, when no card was given. */
async function endsWithoutCard(work: Work, subscription: Stripe.Subscription): Promise<boolean> {
  const behaviour = subscription.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice'
  if (behaviour === 'create_invoice') return false
  const latest = subscription.latest_invoice && (await work.store.need('invoice', idOf(subscription.latest_invoice)))
  if (latest && (await defaultMethod(work, latest))) return false
  if (behaviour === 'cancel') await endSubscription(work, subscription, {})
  else {
    const paused = await saveSubscription(work, subscription.id, { status: 'paused' })
    await work.emit('customer.subscription.paused', paused)
  }
  return true
}
