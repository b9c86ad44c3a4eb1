import type Stripe from 'stripe'
import type { Period } from '#sandbox/stripe/billing/periods.ts'
import { takeOff, type Off } from '#sandbox/stripe/billing/discounts.ts'
import { formatPence } from '#domain/format.ts'
import { decimal } from '#sandbox/stripe/billing/prices.ts'
import type { Work } from '#sandbox/stripe/engine/route.ts'
import { idOf, newId } from '#sandbox/stripe/engine/store.ts'
import { itemOf } from '#sandbox/stripe/billing/subscription-record.ts'

type Line = Stripe.InvoiceLineItem

/** A month of the subscription, or its free trial. */
export async function periodLine(work: Work, subscription: Stripe.Subscription, period: Period, isTrial: boolean): Promise<Line> {
  const item = itemOf(subscription)
  const { unit_amount, currency } = item.price
  const quantity = item.quantity ?? 1
  const name = await productName(work, item.price)
  const each = isTrial ? 0 : (unit_amount ?? 0)
  return {
    ...blankLine(subscription.id, item.price, each),
    amount: each * quantity,
    currency,
    description: isTrial ? `Trial period for ${name}` : `${quantity} × ${name} (at ${formatPence(each)} / month)`,
    parent: lineParent(subscription.id, item.id),
    period,
    quantity,
    quantity_decimal: decimal(quantity),
    subtotal: each * quantity,
  }
}

/** An item that waited for this invoice: a proration, or one made by hand. */
export function itemLine(item: Stripe.InvoiceItem): Line {
  const { amount, currency, description, discountable, period, pricing, quantity, parent } = item
  const details = parent?.subscription_details
  return {
    ...blankLine(details?.subscription ?? null, null, amount),
    amount,
    currency,
    description,
    discountable,
    parent: details ? lineParent(details.subscription, details.subscription_item ?? '', item.id) : handParent(item.id),
    period,
    pricing,
    quantity,
    quantity_decimal: decimal(quantity),
    subtotal: amount,
  }
}

/** Takes the discounts off: all fall on the one line that can be discounted. */
export function discountLines(lines: Line[], offs: Off[]): Line[] {
  const target = lines.find(({ discountable, amount }) => discountable && amount > 0)
  return lines.map((line) => (line === target ? { ...line, discount_amounts: takeOff(line.amount, offs) } : line))
}

export async function productName({ store }: Work, price: Stripe.Price): Promise<string> {
  return (await store.get('product', idOf(price.product)))?.name ?? 'Subscription'
}

const lineParent = (
  subscription: string,
  subscription_item: string,
  invoice_item: string | null = null,
): Stripe.InvoiceLineItem.Parent => ({
  invoice_item_details: null,
  subscription_item_details: {
    invoice_item,
    proration: invoice_item !== null,
    proration_details: invoice_item === null ? null : { credited_items: null },
    subscription,
    subscription_item,
  },
  type: 'subscription_item_details',
})

const handParent = (invoice_item: string): Stripe.InvoiceLineItem.Parent => ({
  invoice_item_details: { invoice_item, proration: false, proration_details: null, subscription: null },
  subscription_item_details: null,
  type: 'invoice_item_details',
})

const blankLine = (subscription: string | null, price: Stripe.Price | null, each: number) => ({
  id: newId('il'),
  object: 'line_item' as const,
  discount_amounts: [],
  discountable: true,
  discounts: [],
  invoice: null,
  livemode: false,
  metadata: {},
  pretax_credit_amounts: [],
  pricing: price && {
    price_details: { price: price.id, product: idOf(price.product) },
    type: 'price_details' as const,
    unit_amount_decimal: decimal(each),
  },
  subscription,
  taxes: [],
})
