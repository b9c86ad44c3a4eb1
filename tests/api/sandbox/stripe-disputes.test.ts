import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type Stripe from 'stripe'
import { idOf } from '#sandbox/stripe/engine/store.ts'
import { openFilesSandbox } from '#tests/support/payments/stripe.ts'

const { ear, sandbox, stripe } = await openFilesSandbox()
beforeEach(async () => {
  await sandbox.travel('0')
  await sandbox.settled()
  ear.heard.length = 0
})

const told = async () => {
  await sandbox.settled()
  const types = ear.heard.map(({ body }) => (JSON.parse(body) as Stripe.Event).type.replace('charge.dispute.', ''))
  ear.heard.length = 0
  return types.filter((type) => !type.includes('.') || type.startsWith('refund.'))
}
const codeOf = (call: Promise<unknown>) => call.then(String, (error: Stripe.errors.StripeError) => error.code ?? error.message)
const pay = (amount: number, payment_method = 'pm_card_bypassPending') =>
  stripe.paymentIntents.create({ amount, currency: 'gbp', payment_method, allowed_payment_method_types: ['card'], confirm: true })
const moved = async (source: string) => (await stripe.balanceTransactions.list({ source })).data.map(({ net }) => net).reverse()
async function open(params: object): Promise<Stripe.Dispute> {
  const { status, body } = await sandbox.call('POST', '/sandbox/disputes', params)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
const disputeOf = async (intent: Stripe.PaymentIntent) =>
  (await stripe.disputes.list({ payment_intent: intent.id })).data[0] ?? assert.fail()
const close = (id: string, status: string) => sandbox.call('POST', `/sandbox/disputes/${id}/close`, { status })
const answer = (id: string, text: string, submit = true) => stripe.disputes.update(id, { evidence: { uncategorized_text: text }, submit })

const ends: [status: string, events: string[], kept: number[]][] = [
  ['won', ['closed', 'funds_reinstated'], [-12_000, 10_000]],
  ['lost', ['closed'], [-12_000]],
]
for (const [status, events, kept] of ends) {
  test(`a disputed payment is taken back with a fee; the dispute is ${status}`, async () => {
    const dispute = await disputeOf(await pay(10_000, 'pm_card_createDispute'))
    assert.deepEqual([dispute.status, dispute.reason, dispute.amount], ['needs_response', 'fraudulent', 10_000])
    assert.equal(dispute.payment_method_details?.card?.network_reason_code, '10.4')
    assert.deepEqual(await told(), ['created', 'funds_withdrawn'])
    const { body } = await close(dispute.id, status)
    assert.equal(body.status, status)
    assert.deepEqual(await told(), events)
    assert.deepEqual(await moved(dispute.id), kept)
    assert.equal((await close(dispute.id, status)).status, 400)
  })
}

test('evidence is sent once, for a fee that comes back if the dispute is won', async () => {
  for (const [evidence, status, fees] of [
    ['winning_evidence', 'won', [-2000, 2000]],
    ['losing_evidence', 'lost', [-2000]],
  ] as const) {
    const { id } = await disputeOf(await pay(10_000, 'pm_card_createDispute'))
    const draft = await answer(id, 'Two tonnes of copper', false)
    assert.deepEqual([draft.status, draft.evidence_details.submission_count], ['needs_response', 0])
    const before = await stripe.balanceTransactions.list({ type: 'stripe_fee', limit: 100 })
    await told()
    const sent = await answer(id, evidence)
    assert.deepEqual([sent.status, sent.evidence_details.submission_count], [status, 1])
    assert.deepEqual(await told(), status === 'won' ? ['updated', 'closed', 'funds_reinstated'] : ['updated', 'closed'])
    const after = await stripe.balanceTransactions.list({ type: 'stripe_fee', limit: 100 })
    const booked = after.data.slice(0, after.data.length - before.data.length).map(({ net }) => net)
    assert.deepEqual(booked.reverse(), fees)
    assert.match(await codeOf(answer(id, 'More')), /already/)
  }
  const { id } = await disputeOf(await pay(10_000, 'pm_card_createDispute'))
  const wrong = { evidence: { weight: '2 t' } as Stripe.DisputeUpdateParams.Evidence }
  assert.equal(await codeOf(stripe.disputes.update(id, wrong)), 'parameter_unknown')
  assert.equal((await answer(id, 'Two tonnes of copper')).status, 'under_review')
  assert.match(await codeOf(answer(id, 'Three tonnes')), /already/)
})

test('a dispute that nobody answers in time is lost', async () => {
  const dispute = await disputeOf(await pay(10_000, 'pm_card_createDispute'))
  const days = ((dispute.evidence_details.due_by ?? 0) - dispute.created) / (24 * 60 * 60)
  assert.ok(days >= 7 && days <= 21)
  await sandbox.travel(`${days} days 1 minute`)
  const { status, evidence_details } = await stripe.disputes.retrieve(dispute.id)
  assert.deepEqual([status, evidence_details.past_due], ['lost', true])
})

test('a dispute is opened over a part of a charge, for a reason, also after a refund; the rest can be refunded afterwards', async () => {
  await pay(90_000)
  const { id, latest_charge: charge } = await pay(10_000)
  await stripe.refunds.create({ payment_intent: id, amount: 3000 })
  const dispute = await open({ charge, amount: 6000, reason: 'product_not_received' })
  assert.deepEqual([dispute.amount, dispute.reason, dispute.is_charge_refundable], [6000, 'product_not_received', false])
  assert.equal(dispute.payment_method_details?.card?.network_reason_code, '13.1')
  assert.deepEqual(await moved(dispute.id), [-8000])
  assert.equal(await codeOf(stripe.refunds.create({ payment_intent: id })), 'charge_disputed')
  await close(dispute.id, 'lost')
  assert.match(await codeOf(stripe.refunds.create({ payment_intent: id, amount: 1001 })), /greater than/)
  assert.equal((await stripe.refunds.create({ payment_intent: id })).amount, 1000)
  const again = await sandbox.call('POST', '/sandbox/disputes', { charge, amount: 10_001 })
  assert.equal(again.status, 400)
})

test('a dispute makes a pending refund fail', async () => {
  await pay(90_000)
  const { id, latest_charge: charge } = await pay(10_000, 'pm_card_pendingRefund')
  const refund = await stripe.refunds.create({ payment_intent: id })
  await told()
  await open({ charge })
  const { status, failure_reason } = await stripe.refunds.retrieve(refund.id)
  assert.deepEqual([status, failure_reason], ['failed', 'charge_for_pending_refund_disputed'])
  assert.deepEqual(await told(), ['refund.updated', 'refund.failed', 'created', 'funds_withdrawn'])
})

test('an inquiry takes no money and ends with a full refund', async () => {
  await pay(90_000)
  const intent = await pay(10_000, 'pm_card_createDisputeInquiry')
  const inquiry = await disputeOf(intent)
  assert.deepEqual([inquiry.status, inquiry.is_charge_refundable, inquiry.balance_transactions], ['warning_needs_response', true, []])
  assert.equal(inquiry.payment_method_details?.card?.case_type, 'inquiry')
  assert.deepEqual(await told(), ['created'])
  await stripe.refunds.create({ payment_intent: intent.id, amount: 4000 })
  assert.equal((await stripe.disputes.retrieve(inquiry.id)).status, 'warning_needs_response')
  await stripe.refunds.create({ payment_intent: intent.id })
  assert.equal((await stripe.disputes.retrieve(inquiry.id)).status, 'warning_closed')
  assert.equal((await told()).at(-1), 'closed')
})

test('an inquiry that was answered closes after a while, or becomes a chargeback', async () => {
  const { id } = await open({ charge: (await pay(10_000)).latest_charge, is_inquiry: true })
  assert.equal((await answer(id, 'Two tonnes of copper')).status, 'warning_under_review')
  const { id: other } = await open({ payment_intent: (await pay(10_000)).id, is_inquiry: true })
  await told()
  const { body } = await sandbox.call('POST', `/sandbox/disputes/${other}/escalate`)
  assert.deepEqual([body.status, body.is_charge_refundable], ['needs_response', false])
  assert.deepEqual(await moved(other), [-12_000])
  assert.deepEqual(await told(), ['updated', 'funds_withdrawn'])
  await sandbox.travel('120 days 1 minute')
  assert.equal((await stripe.disputes.retrieve(id)).status, 'warning_closed')
})

test('a bank transfer cannot be disputed', async () => {
  const { id: customer } = await stripe.customers.create()
  await stripe.testHelpers.customers.fundCashBalance(customer, { amount: 10_000, currency: 'gbp' })
  const { latest_charge } = await stripe.paymentIntents.create({
    amount: 10_000,
    currency: 'gbp',
    customer,
    confirm: true,
    allowed_payment_method_types: ['customer_balance'],
    payment_method_data: { type: 'customer_balance' },
    payment_method_options: { customer_balance: {} },
  })
  assert.equal((await sandbox.call('POST', '/sandbox/disputes', { charge: idOf(latest_charge) })).status, 400)
})
