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
  return ear.heard.map(({ body }) => (JSON.parse(body) as Stripe.Event).type)
}
const codeOf = (call: Promise<unknown>) => call.then(String, (error: Stripe.errors.StripeError) => error.code ?? error.message)
const pay = (amount: number, more: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  stripe.paymentIntents.create({
    amount,
    currency: 'gbp',
    payment_method: 'pm_card_visa',
    allowed_payment_method_types: ['card'],
    confirm: true,
    ...more,
  })
const movements = async (source: string) =>
  (await stripe.balanceTransactions.list({ source })).data.map(({ type, amount, fee, net }) => ({ type, amount, fee, net }))
async function balance(options: Stripe.RequestOptions = {}) {
  const { available, pending } = await stripe.balance.retrieve({}, options)
  return { available: available[0]?.amount ?? 0, pending: pending[0]?.amount ?? 0 }
}
const DAY = 24 * 60 * 60
const secondsToNoon = () => (1.5 * DAY - (Math.floor(Date.now() / 1000) % DAY)) % DAY
async function seller(): Promise<string> {
  const { id } = await stripe.accounts.create({ type: 'express', capabilities: { transfers: { requested: true } } })
  await sandbox.call('POST', `/sandbox/accounts/${id}/complete`)
  return id
}

test('a payment is one balance transaction, pending for two days and then available', async () => {
  const before = await balance()
  const { latest_charge } = await pay(10_000)
  assert.deepEqual(await movements(idOf(latest_charge)), [{ type: 'charge', amount: 10_000, fee: 170, net: 9830 }])
  assert.deepEqual(await balance(), { ...before, pending: before.pending + 9830 })
  assert.deepEqual(await told(), ['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded'])
  await sandbox.travel('2 days')
  assert.equal((await balance()).pending, 0)
  assert.equal((await balance()).available, before.available + before.pending + 9830)
  assert.equal((await told()).at(-1), 'balance.available')
})

test('an authorisation is captured in part, and the rest is never taken', async () => {
  const authorised = await pay(10_000, { capture_method: 'manual' })
  assert.deepEqual([authorised.status, authorised.amount_capturable, authorised.amount_received], ['requires_capture', 10_000, 0])
  assert.deepEqual(await movements(idOf(authorised.latest_charge)), [])
  assert.equal(await codeOf(stripe.paymentIntents.capture(authorised.id, { amount_to_capture: 10_001 })), 'amount_too_large')
  const captured = await stripe.paymentIntents.capture(authorised.id, { amount_to_capture: 4000 })
  assert.deepEqual([captured.status, captured.amount_capturable, captured.amount_received], ['succeeded', 0, 4000])
  assert.deepEqual(await movements(idOf(captured.latest_charge)), [{ type: 'charge', amount: 4000, fee: 80, net: 3920 }])
  assert.equal(await codeOf(stripe.paymentIntents.capture(authorised.id)), 'payment_intent_unexpected_state')
  assert.match(await codeOf(stripe.refunds.create({ payment_intent: authorised.id, amount: 4001 })), /greater than unrefunded amount/)
})

test('an authorisation is cancelled by hand, or by itself after a week', async () => {
  const first = await pay(10_000, { capture_method: 'manual' })
  const canceled = await stripe.paymentIntents.cancel(first.id, { cancellation_reason: 'requested_by_customer' })
  assert.deepEqual([canceled.status, canceled.cancellation_reason, canceled.amount_capturable], ['canceled', 'requested_by_customer', 0])
  const second = await pay(10_000, { capture_method: 'manual' })
  await sandbox.travel('7 days')
  const expired = await stripe.paymentIntents.retrieve(second.id)
  assert.deepEqual([expired.status, expired.cancellation_reason], ['canceled', 'automatic'])
  assert.equal(await codeOf(stripe.paymentIntents.cancel((await pay(500)).id)), 'payment_intent_unexpected_state')
})

test('refunds never exceed what was captured, also when fifty are asked for at once', async () => {
  const { id, latest_charge } = await pay(10_000)
  const half = await stripe.refunds.create({
    payment_intent: id,
    amount: 5000,
    reason: 'requested_by_customer',
    metadata: { why: 'weight' },
  })
  assert.deepEqual([half.status, half.amount, half.charge], ['succeeded', 5000, latest_charge])
  assert.deepEqual(await movements(half.id), [{ type: 'refund', amount: -5000, fee: 0, net: -5000 }])
  const many = await Promise.allSettled(Array.from({ length: 50 }, () => stripe.refunds.create({ payment_intent: id, amount: 1000 })))
  assert.equal(many.filter(({ status }) => status === 'fulfilled').length, 5)
  const charge = await stripe.charges.retrieve(idOf(latest_charge), { expand: ['refunds'] })
  assert.deepEqual([charge.amount_refunded, charge.refunded, charge.refunds?.data.length], [10_000, true, 6])
  assert.equal(await codeOf(stripe.refunds.create({ payment_intent: id })), 'charge_already_refunded')
  assert.equal(
    await codeOf(stripe.refunds.create({ payment_intent: (await pay(900, { capture_method: 'manual' })).id })),
    'charge_not_refundable',
  )
  assert.equal((await told()).filter((type) => type === 'charge.refunded').length, 6)
})

test('transfers move available money to a seller, or the money of one charge before it is available', async () => {
  const destination = await seller()
  const { latest_charge } = await pay(50_000)
  const early = { amount: 40_000, currency: 'gbp', destination }
  assert.equal(await codeOf(stripe.transfers.create({ ...early, amount: 9_000_000 })), 'balance_insufficient')
  const transfer = await stripe.transfers.create({ ...early, source_transaction: idOf(latest_charge) })
  assert.deepEqual(await movements(transfer.id), [{ type: 'transfer', amount: -40_000, fee: 0, net: -40_000 }])
  assert.equal((await balance({ stripeAccount: destination })).available, 40_000)
  assert.match(await codeOf(stripe.transfers.create({ ...early, source_transaction: idOf(latest_charge) })), /must not exceed/)

  const reversal = await stripe.transfers.createReversal(transfer.id, { amount: 15_000 })
  assert.deepEqual(await movements(reversal.id), [{ type: 'transfer_refund', amount: 15_000, fee: 0, net: 15_000 }])
  const { amount_reversed, reversed, reversals } = await stripe.transfers.retrieve(transfer.id)
  assert.deepEqual([amount_reversed, reversed, reversals.data.length], [15_000, false, 1])
  assert.equal((await balance({ stripeAccount: destination })).available, 25_000)
  assert.equal(await codeOf(stripe.transfers.createReversal(transfer.id, { amount: 25_001 })), 'transfer_reversal_invalid')
})

test('a seller who is not verified receives no transfer', async () => {
  const { id: destination } = await stripe.accounts.create({ type: 'express', capabilities: { transfers: { requested: true } } })
  await pay(5000, { payment_method: 'pm_card_bypassPending' })
  assert.equal(
    await codeOf(stripe.transfers.create({ amount: 100, currency: 'gbp', destination })),
    'insufficient_capabilities_for_transfer',
  )
})

test("a seller's money is paid out the next day and arrives the day after", async () => {
  // from noon on, so that no midnight passes while the test runs
  const toNoon = `${secondsToNoon()} seconds`
  await sandbox.travel(toNoon)
  const destination = await seller()
  const { latest_charge } = await pay(50_000)
  await stripe.transfers.create({ amount: 30_000, currency: 'gbp', destination, source_transaction: idOf(latest_charge) })
  await sandbox.settleDue()
  const own = { stripeAccount: destination }
  assert.deepEqual((await stripe.payouts.list({}, own)).data, [])
  await sandbox.travel(`1 day ${toNoon}`)
  const [payout] = (await stripe.payouts.list({}, own)).data
  assert.deepEqual([payout?.amount, payout?.status, payout?.automatic], [30_000, 'pending', true])
  assert.equal((await balance(own)).available, 0)
  await sandbox.travel(`2 days 1 minute ${toNoon}`)
  assert.equal((await stripe.payouts.retrieve(payout?.id ?? '', {}, own)).status, 'paid')
  const types = await told()
  assert.ok(types.includes('payout.created') && types.includes('payout.paid'))
})

test('a payout that fails brings the money back in a movement of its own', async () => {
  await pay(20_000, { payment_method: 'pm_card_bypassPending' })
  const before = await balance()
  assert.equal(await codeOf(stripe.payouts.create({ amount: before.available + 1, currency: 'gbp' })), 'balance_insufficient')
  const { id } = await stripe.payouts.create({ amount: 5000, currency: 'gbp' })
  assert.equal((await balance()).available, before.available - 5000)
  await sandbox.call('POST', `/sandbox/payouts/${id}/fail`)
  const failed = await stripe.payouts.retrieve(id)
  assert.deepEqual([failed.status, failed.failure_code], ['failed', 'account_closed'])
  const types = (await movements(id)).map(({ type, net }) => ({ type, net }))
  assert.deepEqual(types, [
    { type: 'payout_failure', net: 5000 },
    { type: 'payout', net: -5000 },
  ])
  assert.deepEqual(await balance(), before)
})

test('a disputed payment is taken back with a fee, and returned when the dispute is won', async () => {
  for (const [status, moved] of [
    ['won', -2000],
    ['lost', -12_000],
  ] as const) {
    const { latest_charge } = await pay(10_000, { payment_method: 'pm_card_createDispute' })
    const { data } = await stripe.disputes.list({ charge: idOf(latest_charge) })
    const [dispute = assert.fail()] = data
    assert.deepEqual([dispute.status, dispute.reason, dispute.amount], ['needs_response', 'fraudulent', 10_000])
    assert.equal(await codeOf(stripe.refunds.create({ charge: idOf(latest_charge) })), 'charge_disputed')
    await stripe.disputes.update(dispute.id, { evidence: { product_description: 'Two tonnes of copper' } })
    const { body } = await sandbox.call('POST', `/sandbox/disputes/${dispute.id}/close`, { status })
    assert.equal(body.status, status)
    const all = await movements(dispute.id)
    assert.equal(
      all.reduce((total, { net }) => total + net, 0),
      moved,
    )
    assert.equal((await told()).filter((type) => type === 'charge.dispute.funds_reinstated').length, 1, 'only the one that was won')
  }
})

test('the balance is the sum of its transactions, and each movement has one', async () => {
  const all: Stripe.BalanceTransaction[] = []
  for await (const one of stripe.balanceTransactions.list({ limit: 100 })) all.push(one)
  const { available, pending } = await balance()
  assert.equal(
    all.reduce((total, { net }) => total + net, 0),
    available + pending,
  )
  assert.ok(all.every(({ amount, fee, net }) => amount - fee === net))
  const charges = all.filter(({ type }) => type === 'charge' || type === 'payment')
  assert.equal(new Set(charges.map(({ source }) => source)).size, charges.length)
})
