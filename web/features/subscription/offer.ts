import type { Coupon } from '#contract/payments.ts'
import { formatPence } from '#domain/format.ts'
import { formatDay } from '#domain/format-time.ts'
import { dueAfterCredit } from '#domain/subscription.ts'

type Money = { value: number }

export type AppliedCoupon = Pick<Coupon, 'code' | 'says'> & { duration: NonNullable<Coupon['duration']>; first_payment: Money }

export type Offer = {
  headline: { price: string; per: string; instead: string | undefined }
  trial: string | undefined
  /** What is taken today, in pence. */
  dueToday: number
  lines: [name: string, amount: string][]
}

type Wish = { price: Money; trial_months: number; trialEnds: Date | null; coupon: AppliedCoupon | null; credit: Money }

/** What is taken today, what next, and what from then on. */
export function offerOf({ price, trial_months, trialEnds, coupon, credit }: Wish): Offer {
  const first = coupon?.first_payment ?? price
  const due = dueAfterCredit(first.value, credit.value)
  const dueToday = trialEnds ? 0 : due
  const lines: Offer['lines'] = [['Today', formatPence(dueToday)]]
  if (trialEnds) lines.push([formatDay(trialEnds), formatPence(due)])
  if (credit.value > 0) lines.push(['Credit that is used first', formatPence(credit.value)])
  if (!trialEnds || coupon || credit.value > 0) lines.push(later(price, coupon))
  return {
    headline: {
      price: formatPence(first.value),
      per: coupon?.duration === 'once' ? 'for the first month' : 'a month',
      instead: coupon ? formatPence(price.value) : undefined,
    },
    trial: trialEnds ? `${trial_months} months free, then ${formatPence(first.value)} a month from ${formatDay(trialEnds)}` : undefined,
    dueToday,
    lines,
  }
}

const later = (price: Money, coupon: AppliedCoupon | null): [string, string] => {
  if (coupon?.duration === 'forever') return ['Then', `${formatPence(coupon.first_payment.value)} a month`]
  return [coupon?.duration === 'repeating' ? 'When the coupon ends' : 'Then', `${formatPence(price.value)} a month`]
}
