import type Stripe from 'stripe'
import type { Period } from '#sandbox/stripe/billing/periods.ts'
import { plan, unplan } from '#sandbox/stripe/billing/agenda.ts'
import type { BillingTask } from '#sandbox/stripe/engine/kinds.ts'
import type { Work } from '#sandbox/stripe/engine/route.ts'

const HOUR = 60 * 60
const DAY = 24 * HOUR
const FIRST_PAYMENT_SECONDS = 23 * HOUR
export const TRIAL_WARNING_SECONDS = 3 * DAY
const ANNOUNCE_SECONDS = 7 * DAY

type Change = Partial<Stripe.Subscription>

/** Writes a change, tells it with what it was before, and plans what follows. Nothing happens when nothing changed. */
export async function saveSubscription(work: Work, id: string, change: Change): Promise<Stripe.Subscription> {
  const old = await work.store.need('subscription', id)
  const names = (Object.keys(change) as (keyof Change)[]).filter((name) => JSON.stringify(old[name]) !== JSON.stringify(change[name]))
  if (names.length === 0) return old
  const changed = await work.store.put('subscription', { ...old, ...change })
  await planSubscription(work, changed)
  const previous = Object.fromEntries(names.map((name) => [name, old[name]]))
  await work.emit('customer.subscription.updated', changed, { previous })
  return changed
}

/** Writes down what a subscription's state makes due, and strikes out what it no longer does. */
export async function planSubscription(work: Work, subscription: Stripe.Subscription): Promise<void> {
  const { id: of, status, trial_end, cancel_at, created } = subscription
  const ends = periodOf(subscription).end
  const isLive = status === 'trialing' || status === 'active' || status === 'past_due'
  const wanted: Partial<Record<BillingTask, number | null>> = {
    expire: status === 'incomplete' ? created + FIRST_PAYMENT_SECONDS : null,
    warn_trial: status === 'trialing' ? (trial_end ?? 0) - TRIAL_WARNING_SECONDS : null,
    announce: isLive && cancel_at === null ? ends - ANNOUNCE_SECONDS : null,
    cancel: isLive ? cancel_at : null,
    renew: isLive && (cancel_at === null || ends < cancel_at) ? ends : null,
  }
  for (const [what, at] of Object.entries(wanted) as [BillingTask, number | null][]) {
    const planned = await work.store.get('hidden.agenda', `${what}:${of}`)
    // a warning is given once: what lies behind us was done, unless the state is new
    const isOnce = what === 'warn_trial' || what === 'announce'
    if (at === null) await unplan(work, what, of)
    else if (planned?.at !== at && !(isOnce && at <= work.now)) await plan(work, { what, of, at })
  }
}

/** The one item that a subscription here has. */
export function itemOf({ items }: Stripe.Subscription): Stripe.SubscriptionItem {
  const item = items.data[0]
  if (!item) throw new Error('A subscription has one item')
  return item
}

export function periodOf(subscription: Stripe.Subscription): Period {
  const { current_period_start: start, current_period_end: end } = itemOf(subscription)
  return { start, end }
}

export function withItem(subscription: Stripe.Subscription, change: Partial<Stripe.SubscriptionItem>): Pick<Stripe.Subscription, 'items'> {
  return { items: { ...subscription.items, data: [{ ...itemOf(subscription), ...change }] } }
}
