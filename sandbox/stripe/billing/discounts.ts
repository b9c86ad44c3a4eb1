import type Stripe from 'stripe'
import { redeem } from '#sandbox/stripe/billing/coupons.ts'
import { invalid } from '#sandbox/stripe/http/errors.ts'
import type { Form } from '#sandbox/stripe/http/form.ts'
import { addMonths } from '#sandbox/stripe/billing/periods.ts'
import type { Work } from '#sandbox/stripe/engine/route.ts'
import { idOf, newId } from '#sandbox/stripe/engine/store.ts'

/** What a discount takes off, ready to be counted. */
export type Off = { discount: string; coupon: Stripe.Coupon }
type Owner = { customer: string; subscription: string }

/** Redeems the coupons of `discounts[0][coupon]` for a subscription. */
export async function grantDiscounts(work: Work, forms: Form[] | undefined, owner: Owner): Promise<string[]> {
  const granted: string[] = []
  for (const [at, form] of (forms ?? []).entries()) {
    const coupon = await redeem(work, couponOf(form, at), `discounts[${at}][coupon]`)
    const months = coupon.duration === 'repeating' ? (coupon.duration_in_months ?? 0) : null
    const discount = await work.store.put('discount', {
      ...blank(work),
      ...owner,
      end: months === null ? null : addMonths(work.now, months),
      source: { type: 'coupon', coupon: coupon.id },
    })
    // deleting a coupon takes nothing from who redeemed it before
    await work.store.put('hidden.discount', { id: discount.id, coupon })
    await work.emit('customer.discount.created', discount)
    granted.push(discount.id)
  }
  return granted
}

/** What the discounts of a subscription take off an invoice that is made at this moment. */
export async function validOffs({ store }: Work, discounts: Stripe.Subscription['discounts'], at: number): Promise<Off[]> {
  const offs: Off[] = []
  for (const id of discounts) {
    const { id: discount, end } = await store.need('discount', idOf(id))
    const { coupon } = await store.need('hidden.discount', discount)
    if (end === null || at < end) offs.push({ discount, coupon })
  }
  return offs
}

/** A coupon that was not redeemed yet, for a preview. */
export async function previewOffs({ store }: Work, forms: Form[] | undefined): Promise<Off[]> {
  const offs: Off[] = []
  for (const [at, form] of (forms ?? []).entries()) {
    offs.push({ discount: newId('di'), coupon: await store.need('coupon', couponOf(form, at), `discounts[${at}][coupon]`) })
  }
  return offs
}

/** What is taken off one amount, one discount after the other, never below nothing. */
export function takeOff(amount: number, offs: Off[]): { discount: string; amount: number }[] {
  let left = amount
  return offs.map(({ discount, coupon: { percent_off, amount_off } }) => {
    const off = Math.max(0, Math.min(left, percent_off === null ? (amount_off ?? 0) : Math.round((left * percent_off) / 100)))
    left -= off
    return { discount, amount: off }
  })
}

/** The discounts that go on after an invoice: a coupon for one payment is spent by the first that costs something. */
export async function spendDiscounts(work: Work, subscription: Stripe.Subscription, invoice: Stripe.Invoice): Promise<string[]> {
  const kept: string[] = []
  for (const id of subscription.discounts.map(idOf)) {
    const discount = await work.store.need('discount', id)
    const { coupon } = await work.store.need('hidden.discount', id)
    const wasUsed = (invoice.total_discount_amounts ?? []).some((off) => off.discount === id && off.amount > 0)
    const isSpent = coupon.duration === 'once' && wasUsed
    const isOver = discount.end !== null && discount.end <= work.now
    if (isSpent || isOver) await work.emit('customer.discount.deleted', discount)
    else kept.push(id)
  }
  return kept
}

function couponOf(form: Form, at: number): string {
  const coupon = form.text('coupon')
  if (!coupon) throw invalid('A discount needs a coupon.', { code: 'parameter_missing', param: `discounts[${at}][coupon]` })
  return coupon
}

const blank = ({ now }: Work) => ({
  id: newId('di'),
  object: 'discount' as const,
  checkout_session: null,
  customer_account: null,
  invoice: null,
  invoice_item: null,
  promotion_code: null,
  start: now,
  subscription_item: null,
})
