import type { Subscription } from '#contract/payments.ts'
import type { BusinessActivity } from '#contract/values/business.ts'
import { gbp } from '#domain/format.ts'
import { discountAtNextPayment, discounted, dueAfterCredit, shownStatus, tierOf } from '#domain/subscription.ts'
import { presentCard } from '#server/features/payments/public.ts'
import { discountOf, durationOf, saysOf } from '#server/features/subscription/coupons.ts'
import type { CouponRow, SubscriptionRow } from '#server/features/subscription/queries.ts'

type SubscriptionContext = { coupon: CouponRow | undefined; credit: number; activity: BusinessActivity | null; now: Date }

/** What is taken at the end of the period. */
export const nextAmount = (row: SubscriptionRow, coupon: CouponRow | undefined, credit: number): number =>
  dueAfterCredit(discounted(row.price, discountAtNextPayment(row, coupon && discountOf(coupon))), credit)

export function presentSubscription(row: SubscriptionRow, { coupon, credit, activity, now }: SubscriptionContext): Subscription {
  const status = shownStatus(row)
  const paysNext = (status === 'trialing' || status === 'active') && !row.cancel_at_period_end && row.current_period_end !== null
  return {
    id: row.id,
    tier: tierOf(row, activity, now),
    status,
    price: gbp(row.price),
    interval: 'month',
    trial_ends_at: row.trial_ends_at?.toISOString() ?? null,
    current_period_end: row.current_period_end?.toISOString() ?? null,
    next_payment:
      paysNext && row.current_period_end
        ? { amount: gbp(nextAmount(row, coupon, credit)), at: row.current_period_end.toISOString() }
        : null,
    cancel_at_period_end: row.cancel_at_period_end,
    grace_ends_at: row.grace_ends_at?.toISOString() ?? null,
    coupon: coupon
      ? {
          code: coupon.code,
          says: saysOf(coupon, row.trial_ends_at !== null),
          duration: durationOf(coupon),
          first_payment: gbp(discounted(row.price, discountOf(coupon))),
        }
      : null,
    card: presentCard(row.card, now),
    server_time: now.toISOString(),
  }
}
