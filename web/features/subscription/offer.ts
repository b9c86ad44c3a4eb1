import { formatDay, formatPence } from '#domain/format.ts'
import { trialEnd } from '#domain/subscription.ts'

type Money = { value: number }
type Terms = { trial_available_until: string | null; trial_months: number; server_time: string }

/** Its amount is known when the server has judged it; of one that was applied on an earlier visit only the words are. */
export type AppliedCoupon = { code: string; says: string; first_payment?: Money | null }

export type Offer = { today: string; next: [name: string, amount: string]; trial: string | undefined }

/** SPEC §1: when the trial of somebody who subscribes now would end; null where none is offered, or who had one. */
export function trialOffered({ trial_available_until, trial_months, server_time }: Terms, hadTrial: boolean): Date | null {
  const now = new Date(server_time)
  const availableUntil = trial_available_until === null ? null : new Date(trial_available_until)
  return trialEnd({ now, availableUntil, usedAt: hadTrial ? now : null, months: trial_months })
}

type Wish = { price: Money; trial_months: number; trialEnds: Date | null; coupon: AppliedCoupon | null }

/** What is taken today, and what is taken next. */
export function offerOf({ price, trial_months, trialEnds, coupon }: Wish): Offer {
  const monthly = `${formatPence(price.value)} a month`
  const first = firstPayment(price, coupon)
  if (!trialEnds) return { today: first, next: [coupon ? 'Without the coupon' : 'Then', monthly], trial: undefined }
  const from = formatDay(trialEnds)
  return { today: formatPence(0), next: [from, first], trial: `${trial_months} months free, then ${monthly} from ${from}` }
}

function firstPayment(price: Money, coupon: AppliedCoupon | null): string {
  if (!coupon) return formatPence(price.value)
  return coupon.first_payment ? formatPence(coupon.first_payment.value) : `${formatPence(price.value)} less the coupon`
}
