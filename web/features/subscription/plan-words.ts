import type { Subscription } from '#contract/payments.ts'
import { formatDay } from '#domain/format-time.ts'

export type PlanWords = { label: string; look: 'success' | 'warning' | 'danger'; says: string }

type PlanFacts = Pick<
  Subscription,
  'status' | 'trial_ends_at' | 'current_period_end' | 'cancel_at_period_end' | 'grace_ends_at' | 'server_time'
>

/** How a subscription stands, in a word and in a sentence. */
export function planWords(subscription: PlanFacts): PlanWords {
  const { status, trial_ends_at, current_period_end, cancel_at_period_end, grace_ends_at, server_time } = subscription
  const end = current_period_end && formatDay(new Date(current_period_end))
  if (status === 'incomplete') return { label: 'Not finished', look: 'warning', says: 'Confirm a card, and Full begins.' }
  if (status === 'canceled') return { label: 'Ended', look: 'warning', says: 'Subscribe again whenever you like.' }
  if (cancel_at_period_end)
    return { label: 'Cancelled', look: 'warning', says: end ? `Full stays until ${end}. Nothing more is taken.` : 'Nothing more is taken.' }
  if (status === 'past_due')
    return {
      label: 'Payment failed',
      look: 'danger',
      says: grace_ends_at ? `Full stays until ${formatDay(new Date(grace_ends_at))}.` : 'Full has ended.',
    }
  if (status === 'trialing' && trial_ends_at)
    return {
      label: 'Free trial',
      look: 'success',
      says: `${daysLeft(trial_ends_at, server_time)}, until ${formatDay(new Date(trial_ends_at))}.`,
    }
  return { label: 'Active', look: 'success', says: end ? `Renews on ${end}.` : 'Renews every month.' }
}

const DAY_MS = 86_400_000

/** '181 days left', '1 day left', 'less than a day left'; a day that has begun is not counted. */
export function daysLeft(until: string, now: string): string {
  const days = Math.floor((Date.parse(until) - Date.parse(now)) / DAY_MS)
  if (days < 1) return 'less than a day left'
  return `${days} ${days === 1 ? 'day' : 'days'} left`
}
