import type Stripe from 'stripe'
import { pendingItems } from '#sandbox/stripe/billing/invoices/bill.ts'
import { idOf } from '#sandbox/stripe/engine/store.ts'
import { validOffs, type Off } from '#sandbox/stripe/billing/discounts.ts'
import { periodLine, itemLine } from '#sandbox/stripe/billing/invoices/lines.ts'
import { makeInvoice } from '#sandbox/stripe/billing/invoices/make.ts'
import { nextCycle } from '#sandbox/stripe/billing/periods.ts'
import type { Work } from '#sandbox/stripe/engine/route.ts'
import { itemOf, periodOf } from '#sandbox/stripe/billing/subscription-record.ts'

type More = { items?: Stripe.InvoiceItem[]; offs?: Off[]; isFinal?: boolean }

/** The invoice that a subscription will be sent next, as far as it is known now. Nothing is written. */
export async function nextInvoice(
  work: Work,
  subscription: Stripe.Subscription,
  { items = [], offs, isFinal = false }: More = {},
): Promise<Stripe.Invoice> {
  const customer = await work.store.need('customer', idOf(subscription.customer))
  const period = periodOf(subscription)
  const { price } = itemOf(subscription)
  const end = nextCycle(
    subscription.status === 'trialing' ? period.end : subscription.billing_cycle_anchor,
    period.end,
    price.recurring?.interval_count ?? 1,
  )
  const waiting = [...(await pendingItems(work, subscription.id)), ...items]
  const lines = waiting.map(itemLine)
  if (!isFinal) lines.push(await periodLine(work, subscription, { start: period.end, end }, false))
  const invoice = makeInvoice(work, {
    customer,
    subscription,
    reason: 'upcoming',
    currency: subscription.currency,
    lines,
    offs: offs ?? (await validOffs(work, subscription.discounts, period.end)),
    period,
  })
  return preview(invoice)
}

/** As an invoice that was never made is shown: no number, and what the customer's credit would become. */
export const preview = (invoice: Stripe.Invoice): Stripe.Invoice => ({
  ...invoice,
  id: `upcoming_${invoice.id}`,
  ending_balance: Math.min(0, invoice.total + invoice.starting_balance),
  next_payment_attempt: invoice.period_end,
})
