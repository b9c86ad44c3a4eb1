import type { Coupon } from '#contract/payments.ts'
import { formatPence, gbp } from '#domain/format.ts'
import { discounted, outlastsTrial } from '#domain/subscription.ts'
import { readNow } from '#server/db/clock.ts'
import type { DbOrTx, Tx } from '#server/db/db.ts'
import { findCoupon, redemptionsOf, type CouponRow } from '#server/features/subscription/queries.ts'
import { refuseField } from '#server/http/errors.ts'

const unknown = 'We do not know this code.'
const usedUp = 'This code has been used up.'
const usedByYou = 'You have used this code already.'
const over = 'This code is no longer valid.'
const overBeforePayment = 'This code cannot be used with a free trial: its discount would be over before your first payment.'

/** The trial that would come with the subscription; null where none does. */
export type Trial = { ends: Date; months: number } | null

/** Whose coupon is judged, and with which trial. */
type Redeemer = { userId: string; trial: Trial }

/** Why somebody cannot use a coupon at this moment. */
async function whyNot(db: DbOrTx, coupon: CouponRow, { userId, trial }: Redeemer, now: Date): Promise<string | undefined> {
  if (!coupon.is_active || (coupon.redeem_by !== null && coupon.redeem_by <= now)) return over
  const own = await db
    .selectFrom('coupon_redemptions')
    .select(['user_id', 'subscription_id'])
    .where('coupon_id', '=', coupon.id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (own) return usedByYou
  if (trial && !outlastsTrial(coupon, trial.months)) return overBeforePayment
  return coupon.max_redemptions !== null && (await redemptionsOf(db, coupon.id)) >= coupon.max_redemptions ? usedUp : undefined
}

/** For who subscribes: the coupon, which may still be used up before it is redeemed. One that the own open subscription has serves on. */
export async function usableCoupon(db: DbOrTx, code: string, redeemer: Redeemer): Promise<CouponRow> {
  const coupon = await findCoupon(db, code)
  if (!coupon) throw refuseField('coupon_code', unknown)
  const reason = (await isReserved(db, coupon.id, redeemer.userId)) ? undefined : await whyNot(db, coupon, redeemer, await readNow(db))
  if (reason) throw refuseField('coupon_code', reason)
  return coupon
}

const isReserved = async (db: DbOrTx, couponId: string, userId: string) =>
  (await db
    .selectFrom('subscriptions')
    .select('id')
    .where('user_id', '=', userId)
    .where('coupon_id', '=', couponId)
    .where('awaits_confirmation', '=', true)
    .where('ended_at', 'is', null)
    .executeTakeFirst()) !== undefined

/**
 * Before the subscription that uses it is written: whoever else wants the coupon waits, and then counts this use. The rows that point
 * to the coupon lock it a little too, so who wrote first and locked then would deadlock with who does the same.
 */
export async function lockCoupon(tx: Tx, couponId: string, redeemer: Redeemer, now: Date): Promise<void> {
  const coupon = await tx.selectFrom('coupons').selectAll().where('id', '=', couponId).forNoKeyUpdate().executeTakeFirstOrThrow()
  const reason = await whyNot(tx, coupon, redeemer, now)
  if (reason) throw refuseField('coupon_code', reason)
}

export async function validateCoupon(
  db: DbOrTx,
  { code, price, ...redeemer }: Redeemer & { code: string; price: number },
): Promise<Coupon> {
  const coupon = await findCoupon(db, code)
  const reason = coupon ? await whyNot(db, coupon, redeemer, await readNow(db)) : unknown
  if (!coupon || reason)
    return { code, valid: false, says: reason ?? unknown, percent_off: null, amount_off: null, duration: null, first_payment: null }
  const discount = discountOf(coupon)
  return {
    code: coupon.code,
    valid: true,
    says: saysOf(coupon, redeemer.trial !== null),
    percent_off: discount.percent_off,
    amount_off: discount.amount_off === null ? null : gbp(discount.amount_off),
    duration: durationOf(coupon),
    first_payment: gbp(discounted(price, discount)),
  }
}

export const discountOf = ({ percent_off, amount_off }: CouponRow) => ({
  percent_off: percent_off === null ? null : Number(percent_off),
  amount_off,
})

export const durationOf = ({ duration }: CouponRow) => duration as 'once' | 'repeating' | 'forever'

/** 'Half off for 3 months', '£10.00 off the first payment'. Months count from the start of a trial. */
export function saysOf(coupon: CouponRow, hasTrial: boolean): string {
  const { percent_off, amount_off } = discountOf(coupon)
  const off =
    amount_off === null
      ? percent_off === 50
        ? 'Half off'
        : percent_off === 100
          ? 'Free'
          : `${percent_off}% off`
      : `${formatPence(amount_off)} off`
  const months = coupon.duration_in_months
  const forHowLong = {
    once: off === 'Free' ? 'for the first payment' : 'the first payment',
    forever: 'every month',
    repeating: `${months === 1 ? 'for 1 month' : `for ${months} months`}${hasTrial ? ' from the start of the trial' : ''}`,
  }
  return `${off} ${forHowLong[durationOf(coupon)]}`
}
