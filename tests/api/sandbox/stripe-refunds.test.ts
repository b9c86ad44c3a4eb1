import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type Stripe from 'stripe'
import { idOf } from '#sandbox/stripe/engine/store.ts'
import { openFilesSandbox } from '#tests/support/payments/stripe.ts'

// Refunds of cards and bank transfers: at once, later, or not at all.

const { ear, sandbox, stripe } = await openFilesSandbox()
beforeEach(async () => {
  await sandbox.travel('0')
  await sandbox.settled()
  ear.heard.length = 0
})

/** The events about refunds since the last look, of this refund alone if so asked. */
const told = async (refund?: string) => {
  await sandbox.settled()
  const events = ear.heard.map(({ body }) => JSON.parse(body) as Stripe.Event)
  ear.heard.length = 0
  const types = events.filter(({ data }) => !refund || (data.object as { id: string }).id === refund).map(({ type }) => type)
  return types.filter((type) => type.startsWith('refund.') || type.startsWith('charge.ref'))
}
const codeOf = (call: Promise<unknown>) => call.then(String, (error: Stripe.errors.StripeError) => error.code ?? error.message)
const cardNumbers = { later: '4000000000007726', fails: '4000000000005126' }
const pay = (amount: number, more: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  stripe.paymentIntents.create({
    amount,
    currency: 'gbp',
    payment_method: 'pm_card_bypassPending',
    allowed_payment_method_types: ['card'],
    confirm: true,
    ...more,
  })
async function payBy(number: string, amount: number) {
  const { id } = await stripe.paymentMethods.create({ type: 'card', card: { number, exp_month: 12, exp_year: 2040, cvc: '123' } })
  return pay(amount, { payment_method: id })
}
const email = 'buyer@yardbid.test'
async function transferred(amount: number, who: Stripe.CustomerCreateParams = { email }) {
  const { id: customer } = await stripe.customers.create(who)
  const intent = await stripe.paymentIntents.create({
    amount,
    currency: 'gbp',
    customer,
    confirm: true,
    allowed_payment_method_types: ['customer_balance'],
    payment_method_data: { type: 'customer_balance' },
    payment_method_options: { customer_balance: { funding_type: 'bank_transfer', bank_transfer: { type: 'gb_bank_transfer' } } },
  })
  await stripe.testHelpers.customers.fundCashBalance(customer, { amount, currency: 'gbp' })
  return { payment_intent: intent.id, customer }
}
const decide = async (id: string, outcome: string) => {
  const { status, body } = await sandbox.call('POST', `/sandbox/refunds/${id}`, { outcome })
  assert.equal(status, 200, JSON.stringify(body))
}
const stateOf = async (id: string) => {
  const { status, failure_reason, pending_reason } = await stripe.refunds.retrieve(id)
  return [status, failure_reason ?? pending_reason].filter(Boolean).join(' ')
}
const movements = async (source: string) =>
  (await stripe.balanceTransactions.list({ source })).data.map(({ type, net }) => [type, net]).reverse()
const refundedOf = async (intent: string) => {
  const { latest_charge } = await stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] })
  const { amount_refunded, refunded } = latest_charge as Stripe.Charge
  return [amount_refunded, refunded]
}
async function available() {
  const { available: lines } = await stripe.balance.retrieve()
  return lines[0]?.amount ?? 0
}
/** Money that refunds can be paid from. */
const float = (amount: number) => pay(amount)

test('refunds never exceed what was captured, also when fifty are asked for at once', async () => {
  await float(50_000)
  const { id, latest_charge } = await pay(10_000)
  const half = await stripe.refunds.create({
    payment_intent: id,
    amount: 5000,
    reason: 'requested_by_customer',
    metadata: { why: 'weight' },
  })
  assert.deepEqual([half.status, half.amount, half.charge], ['succeeded', 5000, latest_charge])
  assert.deepEqual(await movements(half.id), [['refund', -5000]])
  const many = await Promise.allSettled(Array.from({ length: 50 }, () => stripe.refunds.create({ payment_intent: id, amount: 1000 })))
  assert.equal(many.filter(({ status }) => status === 'fulfilled').length, 5)
  const charge = await stripe.charges.retrieve(idOf(latest_charge), { expand: ['refunds'] })
  assert.deepEqual([charge.amount_refunded, charge.refunded, charge.refunds?.data.length], [10_000, true, 6])
  assert.equal(await codeOf(stripe.refunds.create({ payment_intent: id })), 'charge_already_refunded')
  const canceled = await stripe.paymentIntents.cancel((await pay(900, { capture_method: 'manual' })).id)
  const [released] = (await stripe.refunds.list({ payment_intent: canceled.id })).data
  assert.equal((await sandbox.call('POST', `/sandbox/refunds/${released?.id}`, { outcome: 'fail' })).status, 400, 'it was never taken')
  const held = await pay(900, { capture_method: 'manual' })
  assert.equal(await codeOf(stripe.refunds.create({ payment_intent: held.id })), 'charge_not_refundable')
  assert.equal((await told()).filter((type) => type === 'charge.refunded').length, 7)
})

test('a card refund that the available balance does not cover is pending until it does', async () => {
  const { id } = await pay(500_000, { payment_method: 'pm_card_visa' })
  await told()
  const refund = await stripe.refunds.create({ payment_intent: id })
  assert.deepEqual([refund.status, refund.pending_reason, refund.balance_transaction], ['pending', 'insufficient_funds', null])
  assert.deepEqual(await refundedOf(id), [500_000, true])
  assert.deepEqual(await told(), ['refund.created', 'charge.refunded'])
  await sandbox.settleDue()
  assert.equal(await stateOf(refund.id), 'pending insufficient_funds')
  assert.equal((await sandbox.call('POST', `/sandbox/refunds/${refund.id}`, { outcome: 'succeed' })).status, 400)
  await float(600_000)
  await sandbox.settleDue()
  assert.equal(await stateOf(refund.id), 'succeeded')
  assert.deepEqual(await movements(refund.id), [['refund', -500_000]])
  assert.deepEqual(await told(), ['refund.updated'])
})

test('a pending refund that is never covered fails, and the charge can be refunded again', async () => {
  const { id } = await pay(5_000_000, { payment_method: 'pm_card_visa' })
  const refund = await stripe.refunds.create({ payment_intent: id })
  await stripe.payouts.create({ amount: await available(), currency: 'gbp' })
  const { body } = await sandbox.call('POST', `/sandbox/refunds/${refund.id}`, { outcome: 'fail' })
  assert.deepEqual([body.status, body.failure_balance_transaction], ['failed', undefined], 'nothing had been taken')
  assert.deepEqual(await refundedOf(id), [0, false])
})

test('card 4000000000007726: a refund is pending and succeeds later', async () => {
  await float(50_000)
  const { id } = await payBy(cardNumbers.later, 10_000)
  const refund = await stripe.refunds.create({ payment_intent: id })
  assert.equal(await stateOf(refund.id), 'pending processing')
  await told()
  await sandbox.travel('1 day 1 minute')
  assert.equal(await stateOf(refund.id), 'succeeded')
  assert.deepEqual(await told(), ['refund.updated'])
})

test('card 4000000000005126: a refund succeeds and fails later, and its money comes back', async () => {
  await float(50_000)
  const { id } = await payBy(cardNumbers.fails, 10_000)
  const refund = await stripe.refunds.create({ payment_intent: id })
  assert.equal(refund.status, 'succeeded')
  await told()
  await sandbox.travel('1 day 1 minute')
  assert.equal(await stateOf(refund.id), 'failed expired_or_canceled_card')
  assert.deepEqual(await movements(refund.id), [
    ['refund', -10_000],
    ['refund_failure', 10_000],
  ])
  const { failure_balance_transaction } = await stripe.refunds.retrieve(refund.id, { expand: ['failure_balance_transaction'] })
  assert.equal((failure_balance_transaction as Stripe.BalanceTransaction).net, 10_000)
  assert.deepEqual(await refundedOf(id), [0, false])
  assert.deepEqual(await told(), ['refund.updated', 'refund.failed'])
  assert.match(await codeOf(stripe.refunds.cancel(refund.id)), /requires_action/)
})

test('a bank refund asks the buyer for the account, is on its way, and arrives; the next one need not ask', async () => {
  await float(100_000)
  const { payment_intent } = await transferred(20_000)
  await told()
  const refund = await stripe.refunds.create({ payment_intent, amount: 12_000 })
  assert.match(refund.id, /^pyr_/)
  assert.deepEqual([refund.status, refund.next_action?.type, refund.instructions_email], ['requires_action', 'display_details', email])
  const { expires_at, email_sent } = refund.next_action?.display_details ?? assert.fail()
  assert.deepEqual([expires_at - refund.created, email_sent.email_sent_to], [45 * 24 * 60 * 60, email])
  assert.deepEqual(await movements(refund.id), [['payment_refund', -12_000]])
  assert.deepEqual(await told(), ['refund.created', 'charge.refunded'])

  const page = `${sandbox.url}/sandbox/refunds/${refund.id}`
  assert.match(await (await fetch(page)).text(), /£120\.00/)
  const given = new URLSearchParams({ outcome: 'details' })
  assert.match(await (await fetch(page, { method: 'POST', body: given })).text(), /on its way/)
  assert.equal(await stateOf(refund.id), 'pending processing')
  await decide(refund.id, 'return')
  assert.equal(await stateOf(refund.id), 'requires_action')
  await decide(refund.id, 'details')
  assert.deepEqual(await told(), ['refund.updated', 'refund.updated', 'refund.updated'])
  await sandbox.travel('1 day 1 minute')
  assert.equal(await stateOf(refund.id), 'succeeded')
  assert.equal((await stripe.refunds.create({ payment_intent })).status, 'pending', 'the account is known')
})

const unanswered: [what: string, end: (id: string) => Promise<unknown>, state: string, events: string[]][] = [
  ['cancelled', (id) => stripe.refunds.cancel(id), 'canceled merchant_request', ['refund.updated']],
  ['expired by the test helper', (id) => stripe.testHelpers.refunds.expire(id), 'failed unknown', ['refund.updated', 'refund.failed']],
  ['45 days old', () => sandbox.travel('45 days 1 minute'), 'failed unknown', ['refund.updated', 'refund.failed']],
]
for (const [what, end, state, events] of unanswered) {
  test(`a bank refund without an answer that is ${what} is ${state}, and its money comes back`, async () => {
    await float(100_000)
    const { payment_intent } = await transferred(20_000)
    const refund = await stripe.refunds.create({ payment_intent })
    await told()
    await end(refund.id)
    assert.equal(await stateOf(refund.id), state)
    assert.deepEqual(await told(refund.id), events)
    assert.deepEqual(await movements(refund.id), [
      ['payment_refund', -20_000],
      ['payment_failure_refund', 20_000],
    ])
    assert.deepEqual(await refundedOf(payment_intent), [0, false])
    assert.match(await codeOf(stripe.refunds.cancel(refund.id)), /requires_action/)
    assert.match(await codeOf(stripe.testHelpers.refunds.expire(refund.id)), /requires_action/)
  })
}

test('a bank refund needs an email, and a payment of the last 180 days', async () => {
  await float(100_000)
  const { payment_intent } = await transferred(20_000, {})
  assert.match(await codeOf(stripe.refunds.create({ payment_intent })), /instructions_email/)
  const refund = await stripe.refunds.create({ payment_intent, amount: 1000, instructions_email: 'other@yardbid.test' })
  assert.equal(refund.instructions_email, 'other@yardbid.test')
  await sandbox.travel('180 days 1 minute')
  assert.equal(await codeOf(stripe.refunds.create({ payment_intent, instructions_email: email })), 'charge_not_refundable')
})

test("a customer's cash is refunded to the bank without touching our balance; a refund that fails is cash again", async () => {
  const { id: customer } = await stripe.customers.create({ email })
  await stripe.testHelpers.customers.fundCashBalance(customer, { amount: 5000, currency: 'gbp' })
  const back = (amount: number) => stripe.refunds.create({ origin: 'customer_balance', customer, amount, currency: 'gbp' })
  assert.match(await codeOf(back(5001)), /cash balance/)
  const refund = await back(3000)
  assert.deepEqual([refund.status, refund.charge, refund.balance_transaction], ['requires_action', null, null])
  assert.deepEqual((await stripe.customers.retrieveCashBalance(customer)).available, { gbp: 2000 })
  await stripe.refunds.cancel(refund.id)
  assert.deepEqual((await stripe.customers.retrieveCashBalance(customer)).available, { gbp: 5000 })
  const types = (await stripe.customers.listCashBalanceTransactions(customer)).data.map(({ type }) => type)
  assert.deepEqual(types, ['return_canceled', 'return_initiated', 'funded'])
})

test('a disputed payment is not refunded while the dispute is open, nor after it was lost; after it was won it is', async () => {
  await float(100_000)
  const outcomes: string[] = []
  for (const status of ['won', 'lost']) {
    const { id, latest_charge } = await pay(10_000, { payment_method: 'pm_card_createDispute' })
    outcomes.push(await codeOf(stripe.refunds.create({ payment_intent: id })))
    const [dispute] = (await stripe.disputes.list({ charge: idOf(latest_charge) })).data
    await sandbox.call('POST', `/sandbox/disputes/${dispute?.id}/close`, { status })
    outcomes.push(await codeOf(stripe.refunds.create({ payment_intent: id }).then(({ status: now }) => now)))
  }
  assert.deepEqual(outcomes, ['charge_disputed', 'succeeded', 'charge_disputed', 'charge_disputed'])
})
