import type Stripe from 'stripe'
import type { Period } from '#sandbox/stripe/billing/periods.ts'
import { takeOff, validOffs } from '#sandbox/stripe/billing/discounts.ts'
import { productName } from '#sandbox/stripe/billing/invoices/lines.ts'
import { formatShortDay } from '#domain/format-time.ts'
import { decimal } from '#sandbox/stripe/billing/prices.ts'
import type { Work } from '#sandbox/stripe/engine/route.ts'
import { idOf, newId } from '#sandbox/stripe/engine/store.ts'
import { itemOf, periodOf } from '#sandbox/stripe/billing/subscription-record.ts'

/** The part of an amount that the rest of a period is worth, to the second, rounded to the penny. */
function shareLeft(amount: number, { start, end }: Period, at: number): number {
  const left = Math.max(0, end - Math.max(at, start))
  return Math.round((amount * left) / (end - start))
}

/** The credit for time that was paid and is not used, and the price of the same time at another price. Not yet written. */
export async function prorations(
  work: Work,
  subscription: Stripe.Subscription,
  { to, at }: { to: Stripe.Price | null; at: number },
): Promise<Stripe.InvoiceItem[]> {
  if (subscription.status === 'trialing' || subscription.status === 'incomplete') return []
  const { price, quantity = 1 } = itemOf(subscription)
  const period = periodOf(subscription)
  const since = formatShortDay(new Date(at * 1000))
  const make = (amount: number, of: Stripe.Price, description: string) =>
    invoiceItem(work, subscription, { amount, price: of, description, period: { start: at, end: period.end } })
  const credit = shareLeft(await paidFor(work, subscription), period, at)
  const items = [make(-credit, price, `Unused time on ${await productName(work, price)} after ${since}`)]
  if (to) {
    const full = (to.unit_amount ?? 0) * quantity
    const off = takeOff(full, await validOffs(work, subscription.discounts, at)).reduce((sum, { amount }) => sum + amount, 0)
    items.push(make(shareLeft(full - off, period, at), to, `Remaining time on ${await productName(work, to)} after ${since}`))
  }
  return items
}

/** What the whole current period costs at today's price, with the discount that its invoice had. */
async function paidFor(work: Work, subscription: Stripe.Subscription): Promise<number> {
  const { price, quantity = 1 } = itemOf(subscription)
  const { start, end } = periodOf(subscription)
  const details = { parent: { subscription_details: { subscription: subscription.id } } }
  const lines = (await work.store.find('invoice', details)).flatMap((invoice) => invoice.lines.data)
  const line = lines.findLast(
    ({ period, pricing, parent }) =>
      period.start === start &&
      period.end === end &&
      !parent?.subscription_item_details?.proration &&
      pricing?.price_details !== undefined &&
      idOf(pricing.price_details.price) === price.id,
  )
  if (line) return line.amount - (line.discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0)
  const full = (price.unit_amount ?? 0) * quantity
  return full - takeOff(full, await validOffs(work, subscription.discounts, work.now)).reduce((sum, { amount }) => sum + amount, 0)
}

type Making = { amount: number; price: Stripe.Price; description: string; period: Period }

function invoiceItem(work: Work, subscription: Stripe.Subscription, { amount, price, description, period }: Making): Stripe.InvoiceItem {
  const { id, quantity = 1 } = itemOf(subscription)
  return {
    id: newId('ii'),
    object: 'invoiceitem',
    amount,
    currency: price.currency,
    customer: idOf(subscription.customer),
    customer_account: null,
    date: work.now,
    description,
    discountable: false,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: {},
    net_amount: amount,
    parent: { subscription_details: { subscription: subscription.id, subscription_item: id }, type: 'subscription_details' },
    period,
    pricing: {
      price_details: { price: price.id, product: idOf(price.product) },
      type: 'price_details',
      unit_amount_decimal: decimal(amount),
    },
    proration: true,
    quantity,
    quantity_decimal: decimal(quantity),
    tax_rates: [],
    test_clock: null,
  }
}
