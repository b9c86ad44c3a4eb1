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
const fromCash: Partial<Stripe.PaymentIntentCreateParams> = {
  allowed_payment_method_types: ['customer_balance'],
  payment_method_options: { customer_balance: {} },
}
const DAY = 24 * 60 * 60
const secondsToNoon = () => (1.5 * DAY - (Math.floor(Date.now() / 1000) % DAY)) % DAY
async function seller(): Promise<string> {
  const { id } = await stripe.accounts.create({ type: 'express', capabilities: { transfers: { requested: true } } })
  await sandbox.call('POST', `/sandbox/accounts/${id}/complete`)
  return id
}

test('a payment is one balance transaction, pending for three days and then available', async () => {
  const before = await balance()
  const { latest_charge } = await pay(10_000)
  assert.deepEqual(await movements(idOf(latest_charge)), [{ type: 'charge', amount: 10_000, fee: 170, net: 9830 }])
  assert.deepEqual(await balance(), { ...before, pending: before.pending + 9830 })
  assert.deepEqual(await told(), ['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded'])
  await sandbox.travel('2 days 23 hours')
  assert.equal((await balance()).pending, before.pending + 9830)
  await sandbox.travel('3 days')
  assert.equal((await balance()).pending, 0)
  assert.equal((await balance()).available, before.available + before.pending + 9830)
  assert.equal((await told()).at(-1), 'balance.available')
})

test('money of a bank transfer is available after three days too', async () => {
  const before = await balance()
  const { id: customer } = await stripe.customers.create()
  await stripe.testHelpers.customers.fundCashBalance(customer, { amount: 10_000, currency: 'gbp' })
  assert.deepEqual(await balance(), before, "a customer's cash is not ours")
  await pay(10_000, { customer, payment_method: undefined, payment_method_data: { type: 'customer_balance' }, ...fromCash })
  assert.deepEqual(await balance(), { ...before, pending: before.pending + 9950 })
  await sandbox.travel('3 days 1 minute')
  assert.equal((await balance()).pending, 0)
})

test('a transfer from a charge succeeds at once, and is available to the seller when the charge is', async () => {
  const destination = await seller()
  const own = { stripeAccount: destination }
  const { id, latest_charge } = await pay(50_000)
  const source_transaction = idOf(latest_charge)
  const early = { amount: 40_000, currency: 'gbp', destination }
  assert.equal(await codeOf(stripe.transfers.create({ ...early, amount: 9_000_000 })), 'balance_insufficient')
  const before = await balance()
  const transfer = await stripe.transfers.create({ ...early, source_transaction })
  assert.deepEqual(await movements(transfer.id), [{ type: 'transfer', amount: -40_000, fee: 0, net: -40_000 }])
  assert.deepEqual(await balance(), { ...before, pending: before.pending - 40_000 })
  assert.deepEqual(await balance(own), { available: 0, pending: 40_000 })
  assert.match(await codeOf(stripe.transfers.create({ ...early, source_transaction })), /must not exceed/)
  assert.match(await codeOf(stripe.transfers.create({ ...early, amount: 1, currency: 'eur', source_transaction })), /currency/)
  assert.equal(transfer.transfer_group, `group_${id}`)
  assert.equal((await stripe.charges.retrieve(source_transaction)).transfer_group, `group_${id}`)
  assert.equal(await codeOf(stripe.transfers.createReversal(transfer.id, { amount: 15_000 })), 'balance_insufficient')

  await sandbox.travel('3 days 1 minute')
  assert.deepEqual(await balance(own), { available: 40_000, pending: 0 })
  const reversal = await stripe.transfers.createReversal(transfer.id, { amount: 15_000 })
  assert.deepEqual(await movements(reversal.id), [{ type: 'transfer_refund', amount: 15_000, fee: 0, net: 15_000 }])
  const { amount_reversed, reversed, reversals } = await stripe.transfers.retrieve(transfer.id)
  assert.deepEqual([amount_reversed, reversed, reversals.data.length], [15_000, false, 1])
  assert.equal((await balance(own)).available, 25_000)
  assert.equal(await codeOf(stripe.transfers.createReversal(transfer.id, { amount: 25_001 })), 'transfer_reversal_invalid')

  const payment = await stripe.charges.retrieve(idOf(transfer.destination_payment), {}, own)
  assert.deepEqual([payment.amount, payment.amount_refunded, payment.source_transfer], [40_000, 15_000, transfer.id])
  const refund = await stripe.refunds.retrieve(idOf(reversal.destination_payment_refund), {}, own)
  assert.deepEqual([refund.amount, refund.charge, refund.source_transfer_reversal], [15_000, payment.id, reversal.id])
})

test('a transfer to an account that does not exist is refused as a missing destination', async () => {
  const destination = 'acct_nobody'
  const refusal = await stripe.transfers.create({ amount: 1, currency: 'gbp', destination }).catch((error: Error) => error.message)
  assert.equal(refusal, "No such destination: 'acct_nobody'")
})

test('a seller who is not verified receives no transfer', async () => {
  const { id: destination } = await stripe.accounts.create({ type: 'express', capabilities: { transfers: { requested: true } } })
  await pay(5000, { payment_method: 'pm_card_bypassPending' })
  assert.equal(
    await codeOf(stripe.transfers.create({ amount: 100, currency: 'gbp', destination })),
    'insufficient_capabilities_for_transfer',
  )
})

test("a seller's money is paid out the day after it is available, and arrives the day after that", async () => {
  // from noon on, so that no midnight passes while the test runs
  const toNoon = `${secondsToNoon()} seconds`
  await sandbox.travel(toNoon)
  const destination = await seller()
  const { latest_charge } = await pay(50_000)
  await stripe.transfers.create({ amount: 30_000, currency: 'gbp', destination, source_transaction: idOf(latest_charge) })
  const own = { stripeAccount: destination }
  await sandbox.travel(`3 days 1 minute ${toNoon}`)
  assert.deepEqual((await stripe.payouts.list({}, own)).data, [])
  await sandbox.travel(`4 days ${toNoon}`)
  const [payout] = (await stripe.payouts.list({}, own)).data
  assert.deepEqual([payout?.amount, payout?.status, payout?.automatic], [30_000, 'pending', true])
  assert.equal((await balance(own)).available, 0)
  await sandbox.travel(`5 days 1 minute ${toNoon}`)
  assert.equal((await stripe.payouts.retrieve(payout?.id ?? '', {}, own)).status, 'paid')
  const types = await told()
  assert.ok(types.includes('payout.created') && types.includes('payout.paid'))
})

test("a payout that fails stops a seller's payouts until there is a new bank account; transfers still arrive", async () => {
  await pay(50_000, { payment_method: 'pm_card_bypassPending' })
  const destination = await seller()
  const own = { stripeAccount: destination }
  const transfer = () => stripe.transfers.create({ amount: 10_000, currency: 'gbp', destination })
  await transfer()
  const { id } = await stripe.payouts.create({ amount: 4000, currency: 'gbp' }, own)
  await told()
  ear.heard.length = 0
  await sandbox.call('POST', `/sandbox/payouts/${id}/fail`)
  assert.deepEqual(await told(), ['payout.failed', 'account.external_account.updated', 'account.updated'])
  const stopped = await stripe.accounts.retrieve(destination)
  const bankOf = ({ external_accounts }: Stripe.Account) => external_accounts?.data[0] as Stripe.BankAccount
  assert.deepEqual(
    [stopped.payouts_enabled, stopped.requirements?.past_due, bankOf(stopped).status],
    [false, ['external_account'], 'errored'],
  )
  assert.equal(await codeOf(stripe.payouts.create({ amount: 4000, currency: 'gbp' }, own)), 'payouts_not_allowed')
  await transfer()
  await sandbox.call('POST', `/sandbox/accounts/${destination}/complete`)
  const mended = await stripe.accounts.retrieve(destination)
  assert.deepEqual([mended.payouts_enabled, bankOf(mended).status, bankOf(mended).id === bankOf(stopped).id], [true, 'new', false])
  assert.equal((await stripe.payouts.create({ amount: 20_000, currency: 'gbp' }, own)).status, 'pending')
})

test('an account that is rejected receives nothing and stays rejected', async () => {
  await pay(50_000, { payment_method: 'pm_card_bypassPending' })
  const destination = await seller()
  const rejected = await stripe.accounts.reject(destination, { reason: 'fraud_other' })
  const stateOf = ({ payouts_enabled, charges_enabled, requirements, capabilities }: Stripe.Account) =>
    [payouts_enabled, charges_enabled, requirements?.disabled_reason, capabilities?.transfers].join(' ')
  assert.equal(stateOf(rejected), 'false false rejected.platform_fraud inactive')
  assert.equal(
    await codeOf(stripe.transfers.create({ amount: 100, currency: 'gbp', destination })),
    'insufficient_capabilities_for_transfer',
  )
  await sandbox.call('POST', `/sandbox/accounts/${destination}/complete`)
  assert.equal(stateOf(await stripe.accounts.retrieve(destination)), 'false false rejected.platform_fraud inactive')
  assert.ok((await told()).includes('account.updated'))
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
