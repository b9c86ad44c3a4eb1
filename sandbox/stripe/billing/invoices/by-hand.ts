import type Stripe from 'stripe'
import { invalid } from '#sandbox/stripe/http/errors.ts'
import { mergeMetadata } from '#sandbox/stripe/http/form.ts'
import { itemLine } from '#sandbox/stripe/billing/invoices/lines.ts'
import { makeInvoice } from '#sandbox/stripe/billing/invoices/make.ts'
import { listOf } from '#sandbox/stripe/engine/lists.ts'
import { decimal } from '#sandbox/stripe/billing/prices.ts'
import type { Context, Route } from '#sandbox/stripe/engine/route.ts'
import { newId } from '#sandbox/stripe/engine/store.ts'

/** Invoices by hand: items first, then the draft that takes all that wait. */
export const invoiceItemRoutes: Route[] = [
  { method: 'POST', path: '/v1/invoiceitems', handle: createItem },
  {
    method: 'GET',
    path: '/v1/invoiceitems',
    handle: async (context) => {
      const customer = context.form.text('customer')
      const invoice = context.form.text('invoice')
      const isPending = context.form.flag('pending')
      return listOf(context, 'invoiceitem', {
        ...(customer && { customer }),
        ...(invoice && { invoice }),
        ...(isPending && { invoice: null }),
      })
    },
  },
  { method: 'GET', path: '/v1/invoiceitems/:id', handle: ({ store, params }) => store.need('invoiceitem', params['id'] ?? '') },
  { method: 'POST', path: '/v1/invoices', handle: createInvoice },
]

async function createItem({ store, form, now, emit }: Context): Promise<Stripe.InvoiceItem> {
  const customer = await store.need('customer', form.required('customer'), 'customer')
  const amount = form.integer('amount')
  if (amount === undefined) throw invalid('Missing required param: amount.', { code: 'parameter_missing', param: 'amount' })
  const item = await store.put('invoiceitem', {
    id: newId('ii'),
    object: 'invoiceitem',
    amount,
    currency: form.required('currency').toLowerCase(),
    customer: customer.id,
    customer_account: null,
    date: now,
    description: form.text('description') ?? null,
    discountable: true,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: mergeMetadata({}, form.map('metadata')),
    net_amount: amount,
    parent: null,
    period: { start: now, end: now },
    pricing: { type: 'price_details', unit_amount_decimal: decimal(amount) },
    proration: false,
    quantity: 1,
    quantity_decimal: decimal(1),
    tax_rates: [],
    test_clock: null,
  })
  await emit('invoiceitem.created', item)
  return item
}

async function createInvoice(context: Context): Promise<Stripe.Invoice> {
  const { store, form, now, emit } = context
  const customer = await store.need('customer', form.required('customer'), 'customer')
  const items = await store.find('invoiceitem', { customer: customer.id, invoice: null, parent: null })
  const draft = makeInvoice(context, {
    customer,
    subscription: null,
    reason: 'manual',
    currency: items[0]?.currency ?? form.text('currency') ?? 'gbp',
    lines: items.map(itemLine),
    offs: [],
    period: { start: now, end: now },
  })
  const metadata = mergeMetadata({}, form.map('metadata'))
  form.allow('currency', 'auto_advance', 'collection_method', 'pending_invoice_items_behavior')
  const invoice = await store.put('invoice', { ...draft, auto_advance: false, metadata, description: form.text('description') ?? null })
  for (const item of items) await store.put('invoiceitem', { ...item, invoice: invoice.id })
  await emit('invoice.created', invoice)
  return invoice
}
