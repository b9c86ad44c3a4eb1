import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type Stripe from 'stripe'
import { idOf } from '#sandbox/stripe/engine/store.ts'
import { invoiceOf, openBilling, secondsOf, secretOf, type Billing } from '#tests/support/payments/billing.ts'
import { textOfPdf } from '#tests/support/payments/pdf-text.ts'
import { payWithCard } from '#tests/support/payments/stripe.ts'

let billing: Billing
let stripe: Stripe

before(async () => {
  billing = await openBilling('2027-01-01T00:00:00Z')
  ;({ stripe } = billing)
})
after(() => billing.close())

const AT_ONCE: Partial<Stripe.SubscriptionCreateParams> = { payment_behavior: 'error_if_incomplete', expand: ['latest_invoice'] }
const totalsOf = async (subscription: string) =>
  (await stripe.invoices.list({ subscription })).data.toReversed().map(({ total, amount_paid }) => [total, amount_paid])

test('coupons take off a part or an amount, once, for some months or forever', async () => {
  const terms: Record<string, Stripe.CouponCreateParams> = {
    once: { percent_off: 33.3, duration: 'once' },
    repeating: { percent_off: 50, duration: 'repeating', duration_in_months: 2 },
    forever: { amount_off: 1_000, currency: 'gbp', duration: 'forever' },
    all: { percent_off: 100, duration: 'once' },
    more: { amount_off: 20_000, currency: 'gbp', duration: 'once' },
  }
  const subscriptions: Record<string, string> = {}
  for (const [name, coupon] of Object.entries(terms)) {
    const { id } = await stripe.coupons.create({ id: name, ...coupon })
    const customer = await billing.customer('pm_card_visa')
    const made = await billing.subscribe(customer.id, { ...AT_ONCE, discounts: [{ coupon: id }] })
    assert.equal(made.status, 'active', name)
    assert.equal((await stripe.coupons.retrieve(id)).times_redeemed, 1)
    subscriptions[name] = made.id
  }
  const kept = await stripe.subscriptions.retrieve(subscriptions['forever'] ?? '', { expand: ['discounts.source.coupon'] })
  assert.equal(((kept.discounts[0] as Stripe.Discount).source.coupon as Stripe.Coupon).amount_off, 1_000)
  await billing.goTo('2027-03-01T00:00:00Z')
  const totals = Object.fromEntries(
    await Promise.all(Object.entries(subscriptions).map(async ([name, id]) => [name, (await totalsOf(id)).map(([total]) => total)])),
  )
  assert.deepEqual(totals, {
    once: [11_005, 16_500, 16_500],
    repeating: [8_250, 8_250, 16_500],
    forever: [15_500, 15_500, 15_500],
    all: [0, 16_500, 16_500],
    more: [0, 16_500, 16_500],
  })
})

test('a coupon for one payment is kept for the first invoice after the trial', async () => {
  await stripe.coupons.create({ id: 'after-trial', percent_off: 10, duration: 'once' })
  const { id: customer } = await billing.customer('pm_card_visa')
  const { id } = await billing.subscribe(customer, { trial_period_days: 1, discounts: [{ coupon: 'after-trial' }] })
  await billing.goTo('2027-03-02T01:00:00Z')
  assert.deepEqual(await totalsOf(id), [
    [0, 0],
    [14_850, 14_850],
  ])
})

test('a coupon is refused after its last redemption and after its last day', async () => {
  await stripe.coupons.create({ id: 'two', percent_off: 10, duration: 'once', max_redemptions: 2 })
  const customers = await Promise.all(Array.from({ length: 6 }, () => billing.customer()))
  const tried = await Promise.allSettled(customers.map(({ id }) => billing.subscribe(id, { discounts: [{ coupon: 'two' }] })))
  assert.equal(tried.filter(({ status }) => status === 'fulfilled').length, 2)
  assert.deepEqual([(await stripe.coupons.retrieve('two')).times_redeemed, (await stripe.coupons.retrieve('two')).valid], [2, false])

  await stripe.coupons.create({ id: 'late', percent_off: 10, duration: 'once', redeem_by: secondsOf('2027-03-02T00:00:00Z') })
  const { id } = await billing.customer()
  await assert.rejects(billing.subscribe(id, { discounts: [{ coupon: 'late' }] }), { code: 'coupon_expired' })
  await assert.rejects(billing.subscribe(id, { discounts: [{ coupon: 'unknown' }] }), { code: 'resource_missing' })
})

test('a change of price is prorated to the penny, now or with the next invoice', async () => {
  await billing.goTo('2027-04-01T00:00:00Z')
  const dear = await stripe.prices.create({
    product: 'yardbid_full',
    currency: 'gbp',
    unit_amount: 20_000,
    recurring: { interval: 'month' },
  })
  const { id: customer } = await billing.customer('pm_card_visa')
  const made = await billing.subscribe(customer, AT_ONCE)
  // 473 of April's 720 hours are left: 10,839.58 and 13,138.89 pence
  await billing.goTo('2027-04-11T07:00:00Z')
  const items = [{ id: made.items.data[0]?.id ?? '', price: dear.id }]
  const preview = await stripe.invoices.createPreview({
    subscription: made.id,
    subscription_details: { items, proration_behavior: 'always_invoice' },
  })
  const changed = await stripe.subscriptions.update(made.id, { items, proration_behavior: 'always_invoice', expand: ['latest_invoice'] })
  const invoice = invoiceOf(changed)
  assert.deepEqual(
    invoice.lines.data.map(({ amount }) => amount),
    [-10_840, 13_139],
  )
  assert.deepEqual([invoice.total, invoice.amount_paid, invoice.billing_reason], [2_299, 2_299, 'subscription_update'])
  assert.equal(preview.total, 2_299)
  assert.equal(changed.items.data[0]?.price.unit_amount, 20_000)

  // back again with ten days left: the credit waits for the next invoice
  await billing.goTo('2027-04-21T00:00:00Z')
  await stripe.subscriptions.update(made.id, { items: [{ id: items[0]?.id ?? '', price: billing.price.id }] })
  const upcoming = await stripe.invoices.createPreview({ subscription: made.id })
  await billing.goTo('2027-05-01T01:00:00Z')
  const renewed = invoiceOf(await stripe.subscriptions.retrieve(made.id, { expand: ['latest_invoice'] }))
  assert.deepEqual(
    renewed.lines.data.map(({ amount }) => amount),
    [-6_667, 5_500, 16_500],
  )
  assert.deepEqual([renewed.amount_paid, upcoming.amount_due], [15_333, 15_333])
})

test('unused time becomes credit, and the next invoice uses it', async () => {
  await billing.goTo('2027-06-01T00:00:00Z')
  const { id: customer } = await billing.customer('pm_card_visa')
  const first = await billing.subscribe(customer, AT_ONCE)
  await billing.goTo('2027-06-11T00:00:00Z')
  const ended = await stripe.subscriptions.cancel(first.id, { prorate: true, invoice_now: true, expand: ['latest_invoice'] })
  const credit = invoiceOf(ended)
  assert.deepEqual(
    [credit.total, credit.amount_due, credit.starting_balance, credit.ending_balance, credit.status],
    [-11_000, 0, 0, -11_000, 'paid'],
  )
  assert.equal(((await stripe.customers.retrieve(customer)) as Stripe.Customer).balance, -11_000)

  const second = invoiceOf(await billing.subscribe(customer, AT_ONCE))
  assert.deepEqual([second.total, second.starting_balance, second.amount_paid, second.ending_balance], [16_500, -11_000, 5_500, 0])
  const { data } = await stripe.customers.listBalanceTransactions(customer)
  assert.deepEqual(
    data.map(({ amount, ending_balance, type }) => [amount, ending_balance, type]),
    [
      [11_000, 0, 'applied_to_invoice'],
      [-11_000, -11_000, 'applied_to_invoice'],
    ],
  )
})

test('credit for more than a whole month pays the month without a card', async () => {
  const { id: customer } = await billing.customer()
  await stripe.customers.createBalanceTransaction(customer, { amount: -20_000, currency: 'gbp' })
  const made = await billing.subscribe(customer)
  assert.equal(made.status, 'active')
  assert.deepEqual([invoiceOf(made).amount_due, invoiceOf(made).ending_balance], [0, -3_500])
})

test('less than a card payment may be is owed until the next invoice', async () => {
  const { id: customer } = await billing.customer()
  await stripe.customers.createBalanceTransaction(customer, { amount: -16_490, currency: 'gbp' })
  const made = await billing.subscribe(customer)
  assert.deepEqual([made.status, invoiceOf(made).amount_due, invoiceOf(made).ending_balance], ['active', 0, 10])
})

test('a void first invoice ends its subscription, and an unpaid later one can be given up', async () => {
  const { id: customer } = await billing.customer()
  const made = await billing.subscribe(customer)
  assert.equal((await stripe.invoices.voidInvoice(invoiceOf(made).id ?? '')).status, 'void')
  assert.equal((await stripe.subscriptions.retrieve(made.id)).status, 'incomplete_expired')
  await assert.rejects(stripe.invoices.pay(invoiceOf(made).id ?? ''), { type: 'StripeInvalidRequestError' })

  const trial = await billing.subscribe(customer, { trial_end: secondsOf('2027-06-12T00:00:00Z') })
  await billing.goTo('2027-06-12T01:00:00Z')
  const due = await stripe.subscriptions.retrieve(trial.id)
  assert.equal(due.status, 'past_due')
  assert.equal((await stripe.invoices.markUncollectible(idOf(due.latest_invoice ?? ''))).status, 'uncollectible')
  assert.equal((await stripe.subscriptions.retrieve(trial.id)).status, 'active')
})

test('the PDF of an invoice holds its number and total, and needs no key but its address', async () => {
  const { id: customer } = await billing.customer()
  const made = await billing.subscribe(customer)
  await payWithCard(billing, secretOf(made))
  const invoice = await stripe.invoices.retrieve(invoiceOf(made).id ?? '')
  const answer = await fetch(invoice.invoice_pdf ?? '')
  assert.equal(answer.headers.get('content-type'), 'application/pdf')
  const pdf = Buffer.from(await answer.arrayBuffer())
  assert.equal(pdf.subarray(0, 4).toString(), '%PDF')
  const text = textOfPdf(pdf)
  for (const wanted of [invoice.number ?? 'no number', '£165.00', 'Yardbid full', 'Ann Smith', 'Paid'])
    assert.ok(text.includes(wanted), wanted)

  const page = await (await fetch(invoice.hosted_invoice_url ?? '')).text()
  assert.ok(page.includes(invoice.number ?? 'no number') && page.includes('£165.00'))
  const guessed = await fetch(`${billing.url}/sandbox/invoices/${invoice.id}/pdf`)
  assert.equal(guessed.status, 404)
})

test('a preview tells the first invoice of a subscription that nobody has yet', async () => {
  const { id: customer } = await billing.customer()
  await stripe.coupons.create({ id: 'look', percent_off: 20, duration: 'once' })
  const preview = await stripe.invoices.createPreview({
    customer,
    subscription_details: { items: [{ price: billing.price.id }] },
    discounts: [{ coupon: 'look' }],
  })
  assert.deepEqual([preview.subtotal, preview.total, preview.amount_due, preview.number], [16_500, 13_200, 13_200, null])
  assert.equal((await stripe.coupons.retrieve('look')).times_redeemed, 0)
  assert.equal((await stripe.invoices.list({ customer })).data.length, 0)
})
