import type { Subscription } from '#contract/payments.ts'
import { dayOf, daysLeft } from '#web/features/payments/day.ts'

export type Standing = { label: string; look: 'success' | 'warning' | 'danger'; says: string }

type Facts = Pick<
  Subscription,
  'status' | 'trial_ends_at' | 'current_period_end' | 'cancel_at_period_end' | 'grace_ends_at' | 'server_time'
>

/** How a subscription stands, in a word and in a sentence. */
export function standingOf(subscription: Facts): Standing {
  const { status, trial_ends_at, current_period_end, cancel_at_period_end, grace_ends_at, server_time } = subscription
  const end = current_period_end && dayOf(current_period_end)
  if (status === 'incomplete') return { label: 'Not finished', look: 'warning', says: 'Confirm a card, and Full begins.' }
  if (status === 'canceled') return { label: 'Ended', look: 'warning', says: 'Subscribe again whenever you like.' }
  if (cancel_at_period_end)
    return { label: 'Cancelled', look: 'warning', says: end ? `Full stays until ${end}. Nothing more is taken.` : 'Nothing more is taken.' }
  if (status === 'past_due')
    return {
      label: 'Payment failed',
      look: 'danger',
      says: grace_ends_at ? `Full stays until ${dayOf(grace_ends_at)}.` : 'Full has ended.',
    }
  if (status === 'trialing' && trial_ends_at)
    return { label: 'Free trial', look: 'success', says: `${daysLeft(trial_ends_at, server_time)}, until ${dayOf(trial_ends_at)}.` }
  return { label: 'Active', look: 'success', says: end ? `Renews on ${end}.` : 'Renews every month.' }
}
