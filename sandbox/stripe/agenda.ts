import type Stripe from 'stripe'
import type { Work } from '#sandbox/stripe/route.ts'
import { periodOf } from '#sandbox/stripe/subscription-item.ts'

/** What billing does by itself: to a subscription, or (retry, give_up) to an invoice. */
export type Doing = 'expire' | 'warn_trial' | 'announce' | 'cancel' | 'renew' | 'retry' | 'give_up'
type Due = { what: Doing; of: string; at: number }

const HOUR = 60 * 60
const DAY = 24 * HOUR
const FIRST_PAYMENT_SECONDS = 23 * HOUR
const TRIAL_WARNING_SECONDS = 3 * DAY
const ANNOUNCE_SECONDS = 7 * DAY

export async function plan({ store }: Work, { what, of, at }: Due): Promise<void> {
  await store.put('hidden.agenda', { id: `${what}:${of}`, what, of, at })
}

export const unplan = ({ store }: Work, what: Doing, of: string) => store.remove('hidden.agenda', `${what}:${of}`)

/** Takes the next thing that is due off the agenda, the earliest first. */
export async function nextDue({ client, store, now }: Work): Promise<Due | undefined> {
  const { rows } = await client.query<{ doc: Due & { id: string } }>(
    `select doc from stripe_sandbox.objects
     where kind = 'hidden.agenda' and account = $1 and (doc ->> 'at')::bigint <= $2
     order by (doc ->> 'at')::bigint, seq
     limit 1`,
    [store.account, now],
  )
  const due = rows[0]?.doc
  if (due) await store.remove('hidden.agenda', due.id)
  return due
}

/** Writes down what a subscription's state makes due, and strikes out what it no longer does. */
export async function planSubscription(work: Work, subscription: Stripe.Subscription): Promise<void> {
  const { id: of, status, trial_end, cancel_at, created } = subscription
  const ends = periodOf(subscription).end
  const isLive = status === 'trialing' || status === 'active' || status === 'past_due'
  const wanted: Partial<Record<Doing, number | null>> = {
    expire: status === 'incomplete' ? created + FIRST_PAYMENT_SECONDS : null,
    warn_trial: status === 'trialing' ? (trial_end ?? 0) - TRIAL_WARNING_SECONDS : null,
    announce: isLive && cancel_at === null ? ends - ANNOUNCE_SECONDS : null,
    cancel: isLive ? cancel_at : null,
    renew: isLive && (cancel_at === null || ends < cancel_at) ? ends : null,
  }
  for (const [what, at] of Object.entries(wanted) as [Doing, number | null][]) {
    const planned = await work.store.get('hidden.agenda', `${what}:${of}`)
    // a warning is given once: what lies behind us was done, unless the state is new
    const isOnce = what === 'warn_trial' || what === 'announce'
    if (at === null) await unplan(work, what, of)
    else if (planned?.at !== at && !(isOnce && at <= work.now)) await plan(work, { what, of, at })
  }
}
