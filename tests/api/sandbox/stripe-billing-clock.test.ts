import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type Stripe from 'stripe'
import { idOf } from '#sandbox/stripe/engine/store.ts'
import { ends, invoiceOf, openBilling, secondsOf, secretOf, type Billing } from '#tests/support/payments/billing.ts'
import { payWithCard } from '#tests/support/payments/stripe.ts'

let billing: Billing
let stripe: Stripe

// each test has a clock of its own
beforeEach(async () => {
  billing = await openBilling()
  ;({ stripe } = billing)
})
afterEach(() => billing.close())

const invoicesOf = async (subscription: string) => (await stripe.invoices.list({ subscription })).data.toReversed()
const statusOf = async (id: string) => (await stripe.subscriptions.retrieve(id)).status
const count = (told: string[], type: string) => told.filter((one) => one === type).length

test('month ends clamp to the anchor day: 31 January, 28 February, 31 March', async () => {
  const { id: customer } = await billing.customer('pm_card_visa')
  const { id } = await billing.subscribe(customer, { payment_behavior: 'error_if_incomplete' })
  const seen = []
  for (const moment of ['2027-02-28T13:00:00Z', '2027-03-31T13:00:00Z', '2027-04-30T13:00:00Z']) {
    await billing.goTo(moment)
    seen.push(ends(await stripe.subscriptions.retrieve(id)))
  }
  assert.deepEqual(seen, ['2027-03-31T12:00:00.000Z', '2027-04-30T12:00:00.000Z', '2027-05-31T12:00:00.000Z'])
  const told = await billing.told(id)
  assert.equal(count(told, 'invoice.paid'), 4)
  assert.equal(count(told, 'invoice.upcoming'), 3)
})

test('months that passed at once are billed one after the other', async () => {
  const { id: customer } = await billing.customer('pm_card_visa')
  const { id } = await billing.subscribe(customer, { payment_behavior: 'error_if_incomplete' })
  await billing.goTo('2027-05-01T00:00:00Z')
  assert.equal(ends(await stripe.subscriptions.retrieve(id)), '2027-05-31T12:00:00.000Z')
  const invoices = await invoicesOf(id)
  assert.deepEqual(
    invoices.map(({ number, status, total }) => [number?.slice(-5), status, total]),
    ['-0001', '-0002', '-0003', '-0004'].map((number) => [number, 'paid', 16_500]),
  )
  const starts = invoices.map(({ lines }) => new Date((lines.data[0]?.period.start ?? 0) * 1000).toISOString().slice(0, 10))
  assert.deepEqual(starts, ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30'])
})

test('a renewal is a draft for an hour and charged then; a subscription that ends meanwhile is not charged', async () => {
  const { id: customer } = await billing.customer('pm_card_visa')
  const begin = () => billing.subscribe(customer, { payment_behavior: 'error_if_incomplete' })
  const [kept, ended, early] = [await begin(), await begin(), await begin()]
  await billing.goTo('2027-02-28T12:59:59Z')
  const renewed = await stripe.subscriptions.retrieve(kept.id, { expand: ['latest_invoice'] })
  assert.deepEqual([renewed.status, ends(renewed)], ['active', '2027-03-31T12:00:00.000Z'])
  const draft = invoiceOf(renewed)
  assert.deepEqual([draft.status, draft.number, draft.total], ['draft', null, 16_500])
  await stripe.subscriptions.cancel(ended.id)
  const other = idOf((await stripe.subscriptions.retrieve(early.id)).latest_invoice)
  assert.equal((await stripe.invoices.finalizeInvoice(other)).status, 'paid', 'finalised by hand, it is charged at once')
  await billing.goTo('2027-02-28T13:00:00Z')
  assert.equal((await stripe.invoices.retrieve(draft.id)).status, 'paid')
  assert.deepEqual(
    (await invoicesOf(ended.id)).map(({ status, auto_advance }) => [status, auto_advance]),
    [
      ['paid', false],
      ['draft', false],
    ],
  )
  const types = await billing.told(kept.id)
  const [created, finalized] = [types.lastIndexOf('invoice.created'), types.lastIndexOf('invoice.finalized')]
  assert.ok(created < finalized && finalized < types.lastIndexOf('invoice.paid'))
})

test('a trial without a card asks for one, warns, and then charges it', async () => {
  const { id: customer } = await billing.customer()
  const made = await billing.subscribe(customer, { trial_end: secondsOf('2027-07-31T12:00:00Z') })
  assert.equal(made.status, 'trialing')
  assert.deepEqual([invoiceOf(made).status, invoiceOf(made).total, invoiceOf(made).number?.slice(-5)], ['paid', 0, '-0001'])
  const setup = made.pending_setup_intent as Stripe.SetupIntent
  assert.match(setup.client_secret ?? '', /^seti_\w+_secret_/)
  await payWithCard(billing, setup.client_secret ?? '')
  const ready = await stripe.subscriptions.retrieve(made.id)
  assert.equal(ready.pending_setup_intent, null)
  assert.match(idOf(ready.default_payment_method ?? ''), /^pm_/)

  await billing.goTo('2027-07-28T11:59:59Z')
  assert.ok(!(await billing.told(made.id)).includes('customer.subscription.trial_will_end'))
  await billing.goTo('2027-07-28T12:00:00Z')
  assert.ok((await billing.told(made.id)).includes('customer.subscription.trial_will_end'))
  await stripe.subscriptions.update(made.id, { metadata: { warned: 'yes' } })
  await billing.goTo('2027-07-31T13:00:00Z')
  const active = await stripe.subscriptions.retrieve(made.id, { expand: ['latest_invoice'] })
  assert.deepEqual([active.status, ends(active)], ['active', '2027-08-31T12:00:00.000Z'])
  assert.deepEqual([invoiceOf(active).amount_paid, invoiceOf(active).billing_reason], [16_500, 'subscription_cycle'])
  assert.equal(count(await billing.told(made.id), 'customer.subscription.trial_will_end'), 1)
})

test('a trial with a saved card needs nothing, and a trial of two days warns at once', async () => {
  const { id: customer } = await billing.customer('pm_card_visa')
  const made = await billing.subscribe(customer, { trial_period_days: 2 })
  assert.deepEqual([made.status, made.pending_setup_intent], ['trialing', null])
  assert.ok((await billing.told(made.id)).includes('customer.subscription.trial_will_end'))
  const now = await stripe.subscriptions.update(made.id, { trial_end: 'now' })
  assert.deepEqual([now.status, ends(now)], ['active', '2027-02-28T12:00:00.000Z'])
})

test('a trial with a saved card that its bank asks about waits for the cardholder', async () => {
  const { id: customer } = await billing.customer('pm_card_authenticationRequiredOnSetup')
  const made = await billing.subscribe(customer, { trial_period_days: 10 })
  const setup = made.pending_setup_intent as Stripe.SetupIntent
  assert.equal(setup.status, 'requires_confirmation')
  const { status } = await stripe.setupIntents.confirm(setup.id, { return_url: 'https://yardbid.test/back' })
  assert.equal(status, 'requires_action')
  await billing.call('POST', `/sandbox/authenticate/${setup.id}`, { outcome: 'pass' })
  assert.equal((await stripe.subscriptions.retrieve(made.id)).pending_setup_intent, null)
  await billing.goTo('2027-02-10T13:00:00Z')
  assert.equal(await statusOf(made.id), 'active')
})

test('with its customer a subscription ends at once and the cards go; what was paid stays, and nothing more is billed', async () => {
  const { id: customer, invoice_settings } = await billing.customer('pm_card_visa')
  const card = idOf(invoice_settings.default_payment_method ?? '')
  const paid = await billing.subscribe(customer, { payment_behavior: 'error_if_incomplete' })
  const trial = await billing.subscribe(customer, { trial_period_days: 60 })
  const never = await billing.subscribe((await billing.customer()).id)
  assert.deepEqual({ ...(await stripe.customers.del(customer)) }, { id: customer, object: 'customer', deleted: true })
  await stripe.customers.del(idOf(never.customer))
  assert.deepEqual({ ...(await stripe.customers.retrieve(customer)) }, { id: customer, object: 'customer', deleted: true })
  for (const { id } of [paid, trial]) {
    const { status, ended_at } = await stripe.subscriptions.retrieve(id)
    assert.deepEqual([status, ended_at], ['canceled', secondsOf('2027-01-31T12:00:00Z')])
    assert.ok((await billing.told(id)).includes('customer.subscription.deleted'))
  }
  assert.equal(await statusOf(never.id), 'incomplete_expired')
  assert.equal((await stripe.paymentMethods.retrieve(card)).customer, null)
  assert.ok((await billing.told(customer)).includes('customer.deleted'))
  await billing.goTo('2027-06-01T13:00:00Z')
  assert.deepEqual(
    (await invoicesOf(paid.id)).map(({ status, amount_paid }) => [status, amount_paid]),
    [['paid', 16_500]],
  )
  const attempts = [
    () => stripe.customers.del(customer),
    () => stripe.customers.update(customer, { name: 'Back' }),
    () => billing.subscribe(customer),
  ]
  for (const attempt of attempts) await assert.rejects(attempt, { code: 'resource_missing' })
})

test('a trial that ends without a card leaves the subscription past due', async () => {
  const { id: customer } = await billing.customer()
  const { id } = await billing.subscribe(customer, { trial_period_days: 10 })
  await billing.goTo('2027-02-10T13:00:00Z')
  assert.equal(await statusOf(id), 'past_due')
  assert.ok((await billing.told(id)).includes('invoice.payment_failed'))
})

test('a refused renewal is tried again on days 1, 3 and 5 and the subscription ends on day 7', async () => {
  const { id: customer } = await billing.customer('pm_card_visa')
  const { id } = await billing.subscribe(customer, { payment_behavior: 'error_if_incomplete' })
  await spoilCard(customer, id, 'pm_card_chargeCustomerFail')
  const tries = []
  for (const day of ['02-28', '03-01', '03-02', '03-03', '03-04', '03-05', '03-06']) {
    await billing.goTo(`2027-${day}T13:00:00Z`)
    const invoice = (await invoicesOf(id)).at(-1)
    const next = invoice?.next_payment_attempt
    tries.push([await statusOf(id), invoice?.attempt_count, next ? new Date(next * 1000).toISOString().slice(5, 10) : null])
  }
  assert.deepEqual(tries, [
    ['past_due', 1, '03-01'],
    ['past_due', 2, '03-03'],
    ['past_due', 2, '03-03'],
    ['past_due', 3, '03-05'],
    ['past_due', 3, '03-05'],
    ['past_due', 4, null],
    ['past_due', 4, null],
  ])
  await billing.goTo('2027-03-07T13:00:00Z')
  const gone = await stripe.subscriptions.retrieve(id)
  assert.deepEqual([gone.status, gone.cancellation_details?.reason], ['canceled', 'payment_failed'])
  assert.equal(count(await billing.told(id), 'invoice.payment_failed'), 4)
})

test('a refused renewal recovers with a new card, at once or at the next attempt', async () => {
  const first = await billing.customer('pm_card_visa')
  const paidByHand = await billing.subscribe(first.id, { payment_behavior: 'error_if_incomplete' })
  await spoilCard(first.id, paidByHand.id, 'pm_card_chargeCustomerFail')
  const second = await billing.customer('pm_card_visa')
  const retried = await billing.subscribe(second.id, { payment_behavior: 'error_if_incomplete' })
  await spoilCard(second.id, retried.id, 'pm_card_chargeCustomerFail')
  await billing.goTo('2027-02-28T13:00:00Z')
  const open = (await invoicesOf(paidByHand.id)).at(-1)?.id ?? ''
  await assert.rejects(stripe.invoices.pay(open), { type: 'StripeCardError', code: 'card_declined' })

  for (const [customer, subscription] of [
    [first.id, paidByHand.id],
    [second.id, retried.id],
  ] as const) {
    await spoilCard(customer, subscription, 'pm_card_mastercard')
  }
  assert.equal((await stripe.invoices.pay(open)).status, 'paid')
  await assert.rejects(stripe.invoices.pay(open), { type: 'StripeInvalidRequestError' })
  assert.deepEqual([await statusOf(paidByHand.id), await statusOf(retried.id)], ['active', 'past_due'])
  await billing.goTo('2027-03-01T13:00:00Z')
  assert.equal(await statusOf(retried.id), 'active')
  assert.equal(ends(await stripe.subscriptions.retrieve(retried.id)), '2027-03-31T12:00:00.000Z')
  await billing.goTo('2027-03-09T13:00:00Z')
  assert.deepEqual([await statusOf(paidByHand.id), await statusOf(retried.id)], ['active', 'active'])
})

test('a renewal that needs the cardholder is past due until the cardholder confirms', async () => {
  const { id: customer } = await billing.customer('pm_card_visa')
  const { id } = await billing.subscribe(customer, { payment_behavior: 'error_if_incomplete' })
  await spoilCard(customer, id, 'pm_card_authenticationRequired')
  await billing.goTo('2027-02-28T13:00:00Z')
  const told = await billing.told(id)
  assert.ok(told.includes('invoice.payment_action_required') && told.includes('invoice.payment_failed'))
  const due = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice.confirmation_secret'] })
  assert.equal(due.status, 'past_due')
  const { intent } = await payWithCard(billing, secretOf(due), '4000002760003184')
  await billing.call('POST', `/sandbox/authenticate/${intent.id}`, { outcome: 'pass' })
  assert.equal(await statusOf(id), 'active')
})

test('the clock tells the webhook what it did, signed', async () => {
  const { id: customer } = await billing.customer('pm_card_visa')
  const { id } = await billing.subscribe(customer, { payment_behavior: 'error_if_incomplete' })
  await billing.goTo('2027-02-28T13:00:00Z')
  await billing.settled()
  const events = billing.ear.heard.map(({ body, headers }) =>
    stripe.webhooks.constructEvent(body, String(headers['stripe-signature']), 'whsec_billing', 1_000_000_000),
  )
  const renewed = events.filter(({ type }) => type === 'invoice.paid').map(({ data }) => data.object as Stripe.Invoice)
  assert.deepEqual(
    renewed.map(({ billing_reason, parent }) => [billing_reason, parent?.subscription_details?.subscription]),
    [
      ['subscription_create', id],
      ['subscription_cycle', id],
    ],
  )
  const moved = events.findLast(({ type }) => type === 'customer.subscription.updated')
  assert.ok(moved && 'items' in (moved.data.previous_attributes ?? {}))
})

/** The next renewal meets this card instead. */
async function spoilCard(customer: string, subscription: string, card: string): Promise<void> {
  const method = await stripe.paymentMethods.attach(card, { customer })
  await stripe.subscriptions.update(subscription, { default_payment_method: method.id })
}
