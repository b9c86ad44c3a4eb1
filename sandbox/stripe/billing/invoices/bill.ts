import type Stripe from 'stripe'
import type { Period } from '#sandbox/stripe/billing/periods.ts'
import { spendDiscounts, validOffs } from '#sandbox/stripe/billing/discounts.ts'
import { idOf } from '#sandbox/stripe/engine/store.ts'
import { finalizeInvoice } from '#sandbox/stripe/billing/invoices/finalize.ts'
import { itemLine } from '#sandbox/stripe/billing/invoices/lines.ts'
import { makeInvoice } from '#sandbox/stripe/billing/invoices/make.ts'
import type { Work } from '#sandbox/stripe/engine/route.ts'
import { periodOf } from '#sandbox/stripe/billing/subscription-record.ts'

type Billing = {
  reason: Stripe.Invoice.BillingReason
  /** Besides the prorations that wait. */
  lines: Stripe.InvoiceLineItem[]
  period?: Period
}

/** An invoice for what a subscription costs now and for all that waited, with its number, not yet paid. */
export async function bill(work: Work, subscription: Stripe.Subscription, billing: Billing): Promise<Stripe.Invoice> {
  return issue(work, subscription, await draftInvoice(work, subscription, billing))
}

/** The invoice before it has a number and can be paid. */
export async function draftInvoice(
  work: Work,
  subscription: Stripe.Subscription,
  { reason, lines, period }: Billing,
): Promise<Stripe.Invoice> {
  const { store, emit } = work
  const customer = await store.need('customer', idOf(subscription.customer))
  const waiting = await pendingItems(work, subscription.id)
  const draft = await store.put(
    'invoice',
    makeInvoice(work, {
      customer,
      subscription,
      reason,
      currency: subscription.currency,
      lines: [...waiting.map(itemLine), ...lines],
      offs: await validOffs(work, subscription.discounts, work.now),
      period: period ?? periodOf(subscription),
    }),
  )
  for (const item of waiting) await store.put('invoiceitem', { ...item, invoice: draft.id })
  await store.put('subscription', { ...(await store.need('subscription', subscription.id)), latest_invoice: draft.id })
  await emit('invoice.created', draft)
  return draft
}

export async function issue(work: Work, subscription: Stripe.Subscription, draft: Stripe.Invoice): Promise<Stripe.Invoice> {
  const { store } = work
  const invoice = await finalizeInvoice(work, draft)
  const discounts = await spendDiscounts(work, subscription, invoice)
  await store.put('subscription', { ...(await store.need('subscription', subscription.id)), discounts })
  return invoice
}

export const pendingItems = ({ store }: Work, subscription: string) =>
  store.find('invoiceitem', { invoice: null, parent: { subscription_details: { subscription } } })
