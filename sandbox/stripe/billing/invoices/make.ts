import type Stripe from 'stripe'
import type { Period } from '#sandbox/stripe/billing/periods.ts'
import type { Off } from '#sandbox/stripe/billing/discounts.ts'
import { discountLines } from '#sandbox/stripe/billing/invoices/lines.ts'
import type { Work } from '#sandbox/stripe/engine/route.ts'
import { newId } from '#sandbox/stripe/engine/store.ts'

export type Making = {
  customer: Stripe.Customer
  subscription: Pick<Stripe.Subscription, 'id' | 'metadata'> | null
  reason: Stripe.Invoice.BillingReason
  currency: string
  lines: Stripe.InvoiceLineItem[]
  offs: Off[]
  period: Period
}

/** A draft with its totals counted, not yet written. */
export function makeInvoice({ now }: Work, { customer, subscription, reason, currency, lines, offs, period }: Making): Stripe.Invoice {
  const id = newId('in')
  const data = discountLines(lines, offs).map((line) => ({ ...line, invoice: id }))
  const subtotal = data.reduce((sum, { amount }) => sum + amount, 0)
  const total_discount_amounts = data.flatMap(({ discount_amounts }) => discount_amounts ?? [])
  const total = subtotal - total_discount_amounts.reduce((sum, { amount }) => sum + amount, 0)
  const amount_due = Math.max(0, total + customer.balance)
  return {
    ...blank(customer),
    id,
    amount_due,
    amount_remaining: amount_due,
    billing_reason: reason,
    created: now,
    currency,
    discounts: offs.map(({ discount }) => discount),
    lines: { object: 'list', data, has_more: false, url: `/v1/invoices/${id}/lines` },
    parent: subscription && {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    period_end: period.end,
    period_start: period.start,
    starting_balance: customer.balance,
    subtotal,
    subtotal_excluding_tax: subtotal,
    total,
    total_discount_amounts,
    total_excluding_tax: total,
  }
}

const blank = ({ id: customer, address, email, name, phone, shipping, tax_exempt }: Stripe.Customer) => ({
  object: 'invoice' as const,
  account_country: 'GB',
  account_name: 'Yardbid',
  account_tax_ids: null,
  amount_overpaid: 0,
  amount_paid: 0,
  amount_shipping: 0,
  application: null,
  attempt_count: 0,
  attempted: false,
  auto_advance: true,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
  automatically_finalizes_at: null,
  collection_method: 'charge_automatically' as const,
  custom_fields: null,
  customer,
  customer_account: null,
  customer_address: address ?? null,
  customer_email: email,
  customer_name: name ?? null,
  customer_phone: phone ?? null,
  customer_shipping: shipping ?? null,
  customer_tax_exempt: tax_exempt ?? null,
  customer_tax_ids: [],
  default_payment_method: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  due_date: null,
  effective_at: null,
  ending_balance: null,
  footer: null,
  from_invoice: null,
  hosted_invoice_url: null,
  invoice_pdf: null,
  issuer: { type: 'self' as const },
  last_finalization_error: null,
  latest_revision: null,
  livemode: false,
  metadata: {},
  next_payment_attempt: null,
  number: null,
  on_behalf_of: null,
  payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: { amount_tax_display: null, pdf: { page_size: 'a4' as const }, template: null, template_version: null },
  shipping_cost: null,
  shipping_details: null,
  statement_descriptor: null,
  status: 'draft' as const,
  status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
  test_clock: null,
  total_pretax_credit_amounts: [],
  total_taxes: [],
  webhooks_delivered_at: null,
})
