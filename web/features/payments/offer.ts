import type { Coupon, Subscription } from '#contract/payments.ts'
import { trialEnd } from '#domain/subscription.ts'
import { dayOf } from '#web/features/payments/day.ts'
import { formatPence } from '#web/money.ts'

type Money = { value: number }
type Terms = { trial_available_until: string | null; trial_months: number; subscription_price: Money; server_time: string }

export type Offer = { today: string; after: string; trial: string | undefined }

/** What somebody pays who subscribes now; a trial is offered once, to who had none (SPEC §1). */
export function offerOf(terms: Terms, hadTrial: boolean, coupon: Coupon | undefined): Offer {
  const monthly = `${formatPence(terms.subscription_price.value)} a month`
  const first = formatPence((coupon?.first_payment ?? terms.subscription_price).value)
  const end = trialEndOf(terms, hadTrial)
  if (!end) return { today: first, after: monthly, trial: undefined }
  const from = dayOf(end)
  return {
    today: formatPence(0),
    after: coupon ? `${first} on ${from}, then ${monthly}` : `${monthly} from ${from}`,
    trial: `${terms.trial_months} months free, then ${monthly} from ${from}`,
  }
}

/** What was begun and is still to be confirmed. */
export function offerBegun({ price, trial_ends_at, next_payment }: Subscription): Offer {
  const monthly = `${formatPence(price.value)} a month`
  const first = formatPence((next_payment?.amount ?? price).value)
  if (!trial_ends_at) return { today: first, after: monthly, trial: undefined }
  const from = dayOf(trial_ends_at)
  return { today: formatPence(0), after: `${monthly} from ${from}`, trial: `Free until ${from}, then ${monthly}` }
}

function trialEndOf({ trial_available_until, trial_months, server_time }: Terms, hadTrial: boolean): Date | null {
  const now = new Date(server_time)
  const availableUntil = trial_available_until === null ? null : new Date(trial_available_until)
  return trialEnd({ now, availableUntil, usedAt: hadTrial ? now : null, months: trial_months })
}
