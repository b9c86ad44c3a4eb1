import type { Subscription } from '#contract/payments.ts'
import type { BusinessActivity } from '#contract/values/business.ts'
import { gbp } from '#domain/format.ts'
import { discounted, shownStatus, tierOf } from '#domain/subscription.ts'
import { presentCard } from '#server/features/payments/public.ts'
import { discountOf, saysOf } from '#server/features/subscription/coupons.ts'
import type { CouponRow, SubscriptionRow } from '#server/features/subscription/queries.ts'

type SubscriptionContext = { coupon: CouponRow | undefined; activity: BusinessActivity | null; now: Date }

export function presentSubscription(row: SubscriptionRow, { coupon, activity, now }: SubscriptionContext): Subscription {
  const status = shownStatus(row)
  const discount = coupon && row.has_discount ? discountOf(coupon) : null
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
        ? { amount: gbp(discounted(row.price, discount)), at: row.current_period_end.toISOString() }
        : null,
    cancel_at_period_end: row.cancel_at_period_end,
    grace_ends_at: row.grace_ends_at?.toISOString() ?? null,
    coupon: coupon ? { code: coupon.code, says: saysOf(coupon) } : null,
    card: presentCard(row.card, now),
    server_time: now.toISOString(),
  }
}
