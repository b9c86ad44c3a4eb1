import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type Stripe from 'stripe'
import { ends, invoiceOf, openBilling, secondsOf, secretOf, type Billing } from '#tests/support/payments/billing.ts'
import { payWithCard } from '#tests/support/payments/stripe.ts'

let billing: Billing
let stripe: Stripe

before(async () => {
  billing = await openBilling()
  ;({ stripe } = billing)
})
after(() => billing.close())

test('a price is found by its lookup key', async () => {
  const { data } = await stripe.prices.list({ lookup_keys: ['full_16500_month'], expand: ['data.product'] })
  assert.deepEqual(
    data.map(({ id, unit_amount, product }) => [id, unit_amount, (product as Stripe.Product).name]),
    [[billing.price.id, 16_500, 'Yardbid full']],
  )
  await assert.rejects(stripe.prices.create({ product: 'yardbid_full', currency: 'gbp', unit_amount: 1, lookup_key: 'full_16500_month' }), {
    code: 'resource_already_exists',
  })
})

test('a subscription without a trial is incomplete until its first invoice is paid in the browser', async () => {
  const { id: customer } = await billing.customer()
  const made = await billing.subscribe(customer, { metadata: { user: 'u1' } })
  assert.equal(made.status, 'incomplete')
  assert.equal(invoiceOf(made).status, 'open')
  assert.equal(invoiceOf(made).amount_due, 16_500)
  assert.match(secretOf(made), /^pi_\w+_secret_/)

  const declined = await payWithCard(billing, secretOf(made), '4000000000000002')
  assert.equal(declined.error?.['code'], 'card_declined')
  assert.equal((await stripe.subscriptions.retrieve(made.id)).status, 'incomplete')

  await payWithCard(billing, secretOf(made))
  const active = await stripe.subscriptions.retrieve(made.id, { expand: ['latest_invoice.payments', 'default_payment_method'] })
  assert.equal(active.status, 'active')
  assert.equal((active.default_payment_method as Stripe.PaymentMethod).card?.last4, '4242')
  assert.equal(ends(active), '2027-02-28T12:00:00.000Z')
  const paid = invoiceOf(active)
  assert.deepEqual([paid.status, paid.amount_paid, paid.amount_remaining], ['paid', 16_500, 0])
  assert.equal(paid.payments?.data[0]?.status, 'paid')

  const told = await billing.told(made.id)
  assert.deepEqual(told, [
    'invoice.created',
    'invoice.finalized',
    'customer.subscription.created',
    'invoice.payment_failed',
    'invoice.paid',
    'invoice.payment_succeeded',
    'customer.subscription.updated',
  ])
})

test('every paid invoice has a charge with its balance transaction', async () => {
  const { id: customer } = await billing.customer()
  const made = await billing.subscribe(customer)
  await payWithCard(billing, secretOf(made))
  const { data } = await stripe.invoicePayments.list({
    invoice: invoiceOf(made).id,
    expand: ['data.payment.payment_intent.latest_charge.balance_transaction'],
  })
  const intent = data[0]?.payment.payment_intent as Stripe.PaymentIntent
  const transaction = (intent.latest_charge as Stripe.Charge).balance_transaction as Stripe.BalanceTransaction
  assert.deepEqual([transaction.amount, transaction.type], [16_500, 'charge'])
})

test('a first payment that is not made within 23 hours ends the subscription', async () => {
  const { id: customer } = await billing.customer()
  const made = await billing.subscribe(customer)
  await billing.goTo('2027-02-01T10:59:59Z')
  assert.equal((await stripe.subscriptions.retrieve(made.id)).status, 'incomplete')
  await billing.goTo('2027-02-01T11:00:00Z')
  const expired = await stripe.subscriptions.retrieve(made.id, { expand: ['latest_invoice'] })
  assert.deepEqual([expired.status, invoiceOf(expired).status], ['incomplete_expired', 'void'])
  const late = await payWithCard(billing, secretOf(made))
  assert.equal(late.error?.['code'], 'payment_intent_unexpected_state')
})

test('a first payment that needs the cardholder waits for the bank', async () => {
  const { id: customer } = await billing.customer()
  const made = await billing.subscribe(customer)
  const { intent } = await payWithCard(billing, secretOf(made), '4000002760003184')
  assert.equal(intent.status, 'requires_action')
  assert.ok((await billing.told(made.id)).includes('invoice.payment_action_required'))
  assert.equal((await stripe.subscriptions.retrieve(made.id)).status, 'incomplete')
  await billing.call('POST', `/sandbox/authenticate/${intent.id}`, { outcome: 'pass' })
  assert.equal((await stripe.subscriptions.retrieve(made.id)).status, 'active')
})

test('with a saved card the first payment is taken at once, or nothing is left behind', async () => {
  const good = await billing.customer('pm_card_visa')
  const paid = await billing.subscribe(good.id, { payment_behavior: 'error_if_incomplete' })
  assert.equal(paid.status, 'active')

  const bad = await billing.customer('pm_card_chargeCustomerFail')
  await assert.rejects(billing.subscribe(bad.id, { payment_behavior: 'error_if_incomplete' }), {
    type: 'StripeCardError',
    code: 'card_declined',
  })
  assert.equal((await stripe.subscriptions.list({ customer: bad.id, status: 'all' })).data.length, 0)
  assert.equal((await stripe.invoices.list({ customer: bad.id })).data.length, 0)

  const waiting = await billing.subscribe(bad.id, { payment_behavior: 'allow_incomplete' })
  assert.equal(waiting.status, 'incomplete')
  await assert.rejects(billing.subscribe((await billing.customer()).id, { payment_behavior: 'allow_incomplete' }), {
    code: 'resource_missing',
  })
})

test('subscriptions are listed by customer and by status', async () => {
  const { id: customer } = await billing.customer('pm_card_visa')
  const first = await billing.subscribe(customer, { payment_behavior: 'error_if_incomplete' })
  await stripe.subscriptions.cancel(first.id)
  const second = await billing.subscribe(customer, { payment_behavior: 'error_if_incomplete' })
  const ids = async (status?: 'all' | 'active' | 'canceled' | 'ended') =>
    (await stripe.subscriptions.list({ customer, ...(status && { status }) })).data.map(({ id }) => id)
  assert.deepEqual(await ids(), [second.id])
  assert.deepEqual(await ids('active'), [second.id])
  assert.deepEqual(await ids('canceled'), [first.id])
  assert.deepEqual(await ids('ended'), [first.id])
  assert.deepEqual(await ids('all'), [second.id, first.id])
})

test('a cancelled subscription cannot be cancelled or changed again', async () => {
  const { id: customer } = await billing.customer('pm_card_visa')
  const { id } = await billing.subscribe(customer, { payment_behavior: 'error_if_incomplete' })
  const canceled = await stripe.subscriptions.cancel(id)
  assert.equal(canceled.status, 'canceled')
  assert.equal(canceled.cancellation_details?.reason, 'cancellation_requested')
  await assert.rejects(stripe.subscriptions.cancel(id), { code: 'resource_missing', statusCode: 404 })
  await assert.rejects(stripe.subscriptions.update(id, { cancel_at_period_end: true }), { type: 'StripeInvalidRequestError' })
  assert.equal((await billing.told(id)).at(-1), 'customer.subscription.deleted')
})

test('an incomplete subscription that is cancelled just ends', async () => {
  const { id: customer } = await billing.customer()
  const made = await billing.subscribe(customer)
  const ended = await stripe.subscriptions.cancel(made.id, { expand: ['latest_invoice'] })
  assert.deepEqual([ended.status, invoiceOf(ended).status], ['incomplete_expired', 'void'])
})

test('a cancellation at the end of the period can be taken back, or ends it then', async () => {
  const { id: customer } = await billing.customer('pm_card_visa')
  const { id, items } = await billing.subscribe(customer, { payment_behavior: 'error_if_incomplete' })
  const going = await stripe.subscriptions.update(id, { cancel_at_period_end: true })
  assert.deepEqual([going.status, going.cancel_at_period_end, going.cancel_at], ['active', true, items.data[0]?.current_period_end])
  const staying = await stripe.subscriptions.update(id, { cancel_at_period_end: false })
  assert.deepEqual([staying.cancel_at_period_end, staying.cancel_at, staying.canceled_at], [false, null, null])
  assert.equal((await stripe.invoices.createPreview({ subscription: id })).amount_due, 16_500)
  await stripe.subscriptions.update(id, { cancel_at_period_end: true })
  await assert.rejects(stripe.invoices.createPreview({ subscription: id }), { code: 'invoice_upcoming_none' })
  await billing.goTo('2027-03-01T11:00:00Z')
  const gone = await stripe.subscriptions.retrieve(id)
  assert.deepEqual([gone.status, gone.ended_at], ['canceled', secondsOf(ends(going))])
  assert.equal((await stripe.invoices.list({ subscription: id })).data.length, 1)
})
