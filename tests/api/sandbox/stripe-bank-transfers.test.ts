import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import type Stripe from 'stripe'
import { idOf } from '#sandbox/stripe/engine/store.ts'
import { openFilesSandbox } from '#tests/support/payments/stripe.ts'

const { ear, sandbox, stripe } = await openFilesSandbox()
afterEach(() => sandbox.travel('0'))

const codeOf = (call: Promise<unknown>) => call.then(String, (error: Stripe.errors.StripeError) => error.code ?? error.message)
const fund = (customer: string, amount: number, reference?: string) =>
  stripe.testHelpers.customers.fundCashBalance(customer, { amount, currency: 'gbp', ...(reference && { reference }) })
const cashOf = async (customer: string) => (await stripe.customers.retrieveCashBalance(customer)).available?.['gbp'] ?? 0
const movedCash = async (customer: string) =>
  (await stripe.customers.listCashBalanceTransactions(customer)).data.map(({ type, net_amount }) => [type, net_amount]).reverse()
const instructionsOf = ({ next_action }: Stripe.PaymentIntent) => next_action?.display_bank_transfer_instructions ?? assert.fail()
const remainingOf = async (id: string) => {
  const intent = await stripe.paymentIntents.retrieve(id)
  return intent.status === 'succeeded' ? 0 : instructionsOf(intent).amount_remaining
}

const told = async () => {
  await sandbox.settled()
  return ear.heard.map(({ body }) => (JSON.parse(body) as Stripe.Event).type)
}
const movements = async (source: string) =>
  (await stripe.balanceTransactions.list({ source })).data.map(({ type, amount, fee, net }) => ({ type, amount, fee, net }))

const transferIntent = (customer: string, amount: number, more: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  stripe.paymentIntents.create({
    amount,
    currency: 'gbp',
    customer,
    confirm: true,
    allowed_payment_method_types: ['customer_balance'],
    payment_method_data: { type: 'customer_balance' },
    payment_method_options: { customer_balance: { funding_type: 'bank_transfer', bank_transfer: { type: 'gb_bank_transfer' } } },
    ...more,
  })

test('a bank transfer in two parts pays when the last penny is there, and what is too much stays', async () => {
  const { id: customer } = await stripe.customers.create()
  const intent = await transferIntent(customer, 100_000)
  const instructions = intent.next_action?.display_bank_transfer_instructions
  assert.equal(intent.status, 'requires_action')
  assert.equal(instructions?.amount_remaining, 100_000)
  assert.match(instructions.financial_addresses?.[0]?.sort_code?.account_number ?? '', /^\d{8}$/)

  await stripe.testHelpers.customers.fundCashBalance(customer, { amount: 60_000, currency: 'gbp' })
  const partly = await stripe.paymentIntents.retrieve(intent.id)
  assert.equal(partly.next_action?.display_bank_transfer_instructions?.amount_remaining, 40_000)
  await stripe.testHelpers.customers.fundCashBalance(customer, { amount: 45_000, currency: 'gbp' })
  const paid = await stripe.paymentIntents.retrieve(intent.id)
  assert.deepEqual([paid.status, paid.amount_received], ['succeeded', 100_000])
  assert.deepEqual(await movements(idOf(paid.latest_charge)), [{ type: 'payment', amount: 100_000, fee: 500, net: 99_500 }])
  assert.deepEqual((await stripe.customers.retrieveCashBalance(customer)).available, { gbp: 5000 })
  assert.ok((await told()).includes('payment_intent.partially_funded'))
})

test('the hosted page shows how to pay by bank transfer, takes a part or all of it, and then there is a receipt', async () => {
  const { id: customer } = await stripe.customers.create()
  const intent = await transferIntent(customer, 30_000)
  const { hosted_instructions_url, reference } = instructionsOf(intent)
  const url = hosted_instructions_url ?? ''
  const shown = await (await fetch(url)).text()
  for (const text of ['Send £300.00', reference ?? 'none', '20-00-00', 'Pay this transfer', 'value="300.00"'])
    assert.ok(shown.includes(text), text)
  const send = async (amount: string) => (await fetch(url, { method: 'POST', body: new URLSearchParams({ amount }) })).text()
  assert.match(await send('a lot'), /role="alert"/)
  assert.match(await send('100.50'), /Send £199\.50[\s\S]*£100\.50 has arrived/)
  assert.equal(await remainingOf(intent.id), 19_950)
  assert.match(await send('250'), /£300\.00 has arrived/)
  assert.equal(await cashOf(customer), 5050)
  const { latest_charge } = await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] })
  assert.match(await (await fetch((latest_charge as Stripe.Charge).receipt_url ?? '')).text(), /Receipt for £300\.00[\s\S]*Bank transfer/)
})

test('a quoted reference decides which of two payments is paid; a cancelled one gives its money back', async () => {
  const { id: customer } = await stripe.customers.create()
  const older = await transferIntent(customer, 30_000)
  const newer = await transferIntent(customer, 20_000)
  const reference = newer.next_action?.display_bank_transfer_instructions?.reference ?? ''
  await stripe.testHelpers.customers.fundCashBalance(customer, { amount: 25_000, currency: 'gbp', reference })
  assert.equal((await stripe.paymentIntents.retrieve(newer.id)).status, 'succeeded')
  assert.equal((await stripe.paymentIntents.retrieve(older.id)).next_action?.display_bank_transfer_instructions?.amount_remaining, 25_000)
  await stripe.paymentIntents.cancel(older.id)
  const { cash_balance } = (await stripe.customers.retrieve(customer, { expand: ['cash_balance'] })) as Stripe.Customer
  assert.deepEqual(cash_balance?.available, { gbp: 5000 })
  const types = (await stripe.customers.listCashBalanceTransactions(customer)).data.map(({ type }) => type)
  assert.deepEqual(types, ['unapplied_from_payment', 'applied_to_payment', 'applied_to_payment', 'funded'])
})

test('without a funding type a payment takes the cash that is there, and fails when it is short', async () => {
  const { id: customer } = await stripe.customers.create()
  await fund(customer, 10_000)
  const pay = (amount: number) => transferIntent(customer, amount, { payment_method_options: { customer_balance: {} } })
  assert.equal(await codeOf(pay(10_001)), 'payment_intent_payment_attempt_failed')
  const [failed] = (await stripe.paymentIntents.list({ customer })).data
  assert.deepEqual([failed?.status, failed?.last_payment_error?.code], ['requires_payment_method', 'payment_intent_payment_attempt_failed'])
  assert.equal((await pay(10_000)).status, 'succeeded')
  assert.equal(await cashOf(customer), 0)
})

const unsupported: [what: string, more: Partial<Stripe.PaymentIntentCreateParams>, refusal: RegExp][] = [
  ['manual capture', { capture_method: 'manual' }, /capture_method/],
  ['on_behalf_of', { on_behalf_of: 'acct_1' }, /on_behalf_of/],
  ['another currency', { currency: 'eur' }, /gb_bank_transfer/],
  [
    'a funding type without its bank transfer',
    { payment_method_options: { customer_balance: { funding_type: 'bank_transfer' } } },
    /parameter_missing/,
  ],
]
for (const [what, more, refusal] of unsupported) {
  test(`a bank transfer with ${what} is refused`, async () => {
    const { id: customer } = await stripe.customers.create()
    assert.match(await codeOf(transferIntent(customer, 5000, more)), refusal)
  })
}

test('cash that is left after reconciliation is told with the whole balance; cash that is used up is not', async () => {
  const { id: customer } = await stripe.customers.create()
  await transferIntent(customer, 10_000)
  await sandbox.settled()
  ear.heard.length = 0
  await fund(customer, 10_000)
  assert.ok(!(await told()).includes('cash_balance.funds_available'))
  await fund(customer, 700)
  await fund(customer, 300)
  await sandbox.settled()
  const events = ear.heard.map(({ body }) => JSON.parse(body) as Stripe.Event)
  const left = events.flatMap((event) => (event.type === 'cash_balance.funds_available' ? [event.data.object.available] : []))
  assert.deepEqual(left, [{ gbp: 700 }, { gbp: 1000 }])
  assert.equal(events.filter(({ type }) => type === 'customer_cash_balance_transaction.created').length, 4)
})

test('a transfer that is the exact sum of some open payments pays the fewest and oldest of them', async () => {
  const { id: customer } = await stripe.customers.create()
  const ids: string[] = []
  for (const amount of [50_000, 7000, 4000, 3000, 4000]) ids.push((await transferIntent(customer, amount)).id)
  const left = async () => Promise.all(ids.map(remainingOf))
  await fund(customer, 7000)
  assert.deepEqual(await left(), [50_000, 0, 4000, 3000, 4000], 'one payment before two')
  await fund(customer, 7000)
  assert.deepEqual(await left(), [50_000, 0, 0, 0, 4000], 'the older of two pairs')
  await fund(customer, 5000)
  assert.deepEqual(await left(), [45_000, 0, 0, 0, 4000], 'no sum: the oldest')
})

test('in manual mode arriving cash waits until it is applied, in parts if so asked', async () => {
  const { id: customer } = await stripe.customers.create()
  const { settings } = await stripe.customers.updateCashBalance(customer, { settings: { reconciliation_mode: 'manual' } })
  assert.deepEqual({ ...settings }, { reconciliation_mode: 'manual', using_merchant_default: false })
  const { id } = await transferIntent(customer, 10_000)
  ear.heard.length = 0
  await fund(customer, 12_000)
  assert.ok((await told()).includes('cash_balance.funds_available'))
  assert.deepEqual([await remainingOf(id), await cashOf(customer)], [10_000, 12_000])
  const partly = await stripe.paymentIntents.applyCustomerBalance(id, { amount: 4000, currency: 'gbp' })
  assert.deepEqual([partly.status, instructionsOf(partly).amount_remaining], ['requires_action', 6000])
  assert.equal((await stripe.paymentIntents.applyCustomerBalance(id)).status, 'succeeded')
  assert.equal(await cashOf(customer), 2000)
  const other = await transferIntent(customer, 10_000)
  assert.match(await codeOf(stripe.paymentIntents.applyCustomerBalance(other.id)), /cash balance/)
  await stripe.customers.updateCashBalance(customer, { settings: { reconciliation_mode: 'merchant_default' } })
  await fund(customer, 1)
  assert.equal(await remainingOf(other.id), 7999)
})

test('a new amount of a partly funded payment returns its cash and asks for the whole new amount', async () => {
  const { id: customer } = await stripe.customers.create()
  const { id, next_action } = await transferIntent(customer, 10_000)
  await fund(customer, 4000)
  const changed = await stripe.paymentIntents.update(id, { amount: 9000 })
  assert.deepEqual([changed.status, instructionsOf(changed).amount_remaining, await cashOf(customer)], ['requires_action', 9000, 4000])
  assert.equal(instructionsOf(changed).reference, next_action?.display_bank_transfer_instructions?.reference)
  const again = await stripe.paymentIntents.applyCustomerBalance(id, { amount: 4000 })
  assert.equal(instructionsOf(again).amount_remaining, 5000)
  const confirmed = await stripe.paymentIntents.confirm(id)
  assert.deepEqual([instructionsOf(confirmed).amount_remaining, await cashOf(customer)], [5000, 0], 'confirmed again with what is there')
  assert.deepEqual(await movedCash(customer), [
    ['funded', 4000],
    ['applied_to_payment', -4000],
    ['unapplied_from_payment', 4000],
    ['applied_to_payment', -4000],
    ['unapplied_from_payment', 4000],
    ['applied_to_payment', -4000],
  ])
})

test('a customer who was given bank details cannot be deleted, even with nothing in the cash balance', async () => {
  const { id: customer } = await stripe.customers.create()
  assert.equal(await cashOf(customer), 0)
  const { id: other } = await stripe.customers.create()
  await transferIntent(customer, 10_000)
  assert.match(await codeOf(stripe.customers.del(customer)), /cash balance/)
  assert.equal((await stripe.customers.del(other)).deleted, true)
})

test('idle cash is sent back after 75 days to an account that is known, else it is ours after 90', async () => {
  const { id: unknown } = await stripe.customers.create()
  await fund(unknown, 5000)
  const { id: known } = await stripe.customers.create()
  const { hosted_instructions_url } = instructionsOf(await transferIntent(known, 100))
  await fetch(hosted_instructions_url ?? '', { method: 'POST', body: new URLSearchParams({ amount: '31', is_known: '1' }) })
  await sandbox.travel('74 days')
  assert.deepEqual([await cashOf(unknown), await cashOf(known)], [5000, 3000])
  await sandbox.travel('75 days 1 minute')
  assert.deepEqual([await cashOf(unknown), await cashOf(known)], [5000, 0])
  assert.deepEqual((await movedCash(known)).at(-1), ['return_initiated', -3000])
  await sandbox.travel('90 days 1 minute')
  const [last] = (await stripe.customers.listCashBalanceTransactions(unknown)).data
  assert.deepEqual([last?.type, last?.net_amount], ['transferred_to_balance', -5000])
  const swept = await stripe.balanceTransactions.retrieve(idOf(last?.transferred_to_balance?.balance_transaction))
  assert.deepEqual([swept.type, swept.net], ['payment_unreconciled', 5000])
})
