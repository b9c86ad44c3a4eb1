import { businessActivities, type BusinessActivity } from '#contract/values/business.ts'
import type { Tier } from '#contract/values/permissions.ts'

// RULES §2: who is `full`, for how long a trial runs, what the next payment is.

/** RULES §2: without a subscription a merchant is `basic`, a trade is `seller`. */
export const freeTier = (activity: BusinessActivity | null | undefined): Tier =>
  activity && businessActivities[activity].side === 'trade' ? 'seller' : 'basic'

/** Calendar months later, at the same time of day in UTC; a day that the month does not have becomes its last. */
export function addMonths(from: Date, months: number): Date {
  const at = new Date(from)
  at.setUTCDate(1)
  at.setUTCMonth(at.getUTCMonth() + months)
  const daysInMonth = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()
  at.setUTCDate(Math.min(from.getUTCDate(), daysInMonth))
  return at
}

export type TrialFacts = { now: Date; availableUntil: Date | null; usedAt: Date | null; months: number }

/** When a trial that begins now would end; null where none is offered: once per user, while the offer lasts (SPEC §1). */
export function trialEnd({ now, availableUntil, usedAt, months }: TrialFacts): Date | null {
  if (usedAt !== null || months === 0 || availableUntil === null || availableUntil <= now) return null
  return addMonths(now, months)
}

export type Standing = {
  /** The provider's word. */
  status: string
  /** The first payment, or the card for after the trial, is still to be confirmed. */
  awaits_confirmation: boolean
  grace_ends_at: Date | null
  ended_at: Date | null
}

/** The tier that a subscription gives at this moment; without one that counts it is the free one. */
export function tierOf(standing: Standing | undefined, activity: BusinessActivity | null, now: Date): Tier {
  return standing && isFull(standing, now) ? 'full' : freeTier(activity)
}

function isFull({ status, awaits_confirmation, grace_ends_at, ended_at }: Standing, now: Date): boolean {
  if (ended_at !== null || awaits_confirmation) return false
  if (status === 'trialing' || status === 'active') return true
  return isUnpaid(status) && grace_ends_at !== null && now < grace_ends_at
}

const isUnpaid = (status: string) => status === 'past_due' || status === 'unpaid'

/** The word that people see, of the five of the contract. */
export function shownStatus({
  status,
  awaits_confirmation,
  ended_at,
}: Standing): 'incomplete' | 'trialing' | 'active' | 'past_due' | 'canceled' {
  if (ended_at !== null || status === 'canceled' || status === 'incomplete_expired') return 'canceled'
  if (awaits_confirmation || status === 'incomplete') return 'incomplete'
  if (isUnpaid(status) || status === 'paused') return 'past_due'
  return status === 'trialing' ? 'trialing' : 'active'
}

export type Discount = { percent_off: number | null; amount_off: number | null }

export type CouponTerm = { duration: string; duration_in_months: number | null }

/**
 * Whether a coupon certainly lowers the first payment after a trial. The provider counts a coupon's months from the day on which it
 * is given, and a coupon for one payment may be spent by the trial's invoice of nothing.
 */
export const outlastsTrial = ({ duration, duration_in_months }: CouponTerm, trialMonths: number): boolean =>
  duration === 'forever' || (duration === 'repeating' && (duration_in_months ?? 0) > trialMonths)

export type NextPayment = {
  price: number
  has_discount: boolean
  discount_ends_at: Date | null
  current_period_end: Date | null
}

/** The discount that counts at the next payment; none where it ends before that day, or on it. */
export function discountAtNextPayment<D>(
  { has_discount, discount_ends_at, current_period_end }: Omit<NextPayment, 'price'>,
  discount: D | undefined,
): D | null {
  if (!discount || !has_discount) return null
  const isOver = discount_ends_at !== null && current_period_end !== null && discount_ends_at <= current_period_end
  return isOver ? null : discount
}

/** What is taken from the card: credit pays first. */
export const dueAfterCredit = (amount: number, credit: number): number => Math.max(0, amount - credit)

/** What is left of a price; half a penny is rounded as the provider does, up. */
export function discounted(price: number, discount: Discount | null): number {
  if (!discount) return price
  const off = discount.amount_off ?? Math.round((price * (discount.percent_off ?? 0)) / 100)
  return Math.max(0, price - off)
}
