import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type Stripe from 'stripe'
import { idOf } from '#sandbox/stripe/engine/store.ts'
import { invoiceOf, openBilling, type Billing } from '#tests/support/payments/billing.ts'
import { unlikeSample } from '#tests/support/payments/stripe-samples.ts'

let billing: Billing
let stripe: Stripe
before(async () => {
  billing = await openBilling()
  ;({ stripe } = billing)
  await stripe.coupons.create({ id: 'sample', percent_off: 25.5, duration: 'forever' })
})
after(() => billing.close())

const subscription = async () =>
  billing.subscribe((await billing.customer('pm_card_visa')).id, {
    payment_behavior: 'error_if_incomplete',
    discounts: [{ coupon: 'sample' }],
    expand: ['latest_invoice.payments', 'discounts'],
  })

async function credited(): Promise<Stripe.Subscription> {
  const { id } = await subscription()
  return stripe.subscriptions.cancel(id, { prorate: true, invoice_now: true, expand: ['latest_invoice'] })
}

const item = async () => stripe.invoiceItems.create({ customer: (await billing.customer()).id, amount: 1_000, currency: 'gbp' })

async function draft(): Promise<Stripe.Invoice> {
  const { customer } = await item()
  return stripe.invoices.create({ customer: idOf(customer) })
}

type Row = [resource: string, what: string, make: () => Promise<unknown>, ...apart: string[]]

// the sample of an invoice still shows a field that the SDK's version of the API no longer has
const GONE = 'invoice.subscription'

const rows: Row[] = [
  ['product', 'a product', () => stripe.products.retrieve('yardbid_full')],
  ['price', 'a price', () => stripe.prices.retrieve(billing.price.id)],
  ['coupon', 'a coupon', () => stripe.coupons.retrieve('sample')],
  ['deleted_coupon', 'a deleted coupon', async () => stripe.coupons.del((await stripe.coupons.create({ percent_off: 1 })).id)],
  ['discount', 'a discount', async () => (await subscription()).discounts[0]],
  ['subscription', 'an active subscription', subscription],
  ['subscription', 'a trial', async () => billing.subscribe((await billing.customer()).id, { trial_period_days: 9, expand: [] })],
  ['subscription', 'an incomplete subscription', async () => billing.subscribe((await billing.customer()).id, { expand: [] })],
  ['subscription', 'an ended subscription', credited],
  ['subscription_item', 'an item', async () => stripe.subscriptionItems.retrieve((await subscription()).items.data[0]?.id ?? '')],
  ['invoice', 'a paid invoice', async () => invoiceOf(await subscription()), GONE],
  ['invoice', 'an invoice with credit', async () => invoiceOf(await credited()), GONE],
  ['invoice', 'a draft', draft, GONE],
  ['invoice', 'a preview', async () => stripe.invoices.createPreview({ subscription: (await subscription()).id }), GONE],
  ['line_item', 'a line', async () => (await stripe.invoices.listLineItems(invoiceOf(await subscription()).id ?? '')).data[0]],
  ['invoice_payment', "an invoice's payment", async () => invoiceOf(await subscription()).payments?.data[0]],
  ['invoiceitem', 'an item by hand', item],
  ['invoiceitem', 'a proration', async () => (await stripe.invoiceItems.list({ customer: idOf((await credited()).customer) })).data[0]],
  [
    'customer_balance_transaction',
    'a movement of credit',
    async () => (await stripe.customers.listBalanceTransactions(idOf((await credited()).customer))).data[0],
  ],
]

for (const [resource, what, make, ...apart] of rows) {
  test(`${what} has every field of Stripe's sample, each of its type`, async () => {
    // as it came over the wire: the SDK makes objects of decimals
    const answer: object = JSON.parse(JSON.stringify(await make()))
    assert.deepEqual(unlikeSample(resource, answer, apart), [])
  })
}

test('an invoice by hand is a draft until it is finalised, then it is paid or void', async () => {
  const made = await draft()
  assert.deepEqual([made.status, made.number, made.total], ['draft', null, 1_000])
  await assert.rejects(stripe.invoices.pay(made.id ?? ''), { type: 'StripeInvalidRequestError' })
  const open = await stripe.invoices.finalizeInvoice(made.id ?? '')
  assert.deepEqual([open.status, open.number?.slice(-5), open.amount_due], ['open', '-0001', 1_000])
  const paid = await stripe.invoices.pay(made.id ?? '', { payment_method: 'pm_card_visa' })
  assert.deepEqual([paid.status, paid.amount_paid], ['paid', 1_000])
  await assert.rejects(stripe.invoices.voidInvoice(made.id ?? ''), { type: 'StripeInvalidRequestError' })
})
