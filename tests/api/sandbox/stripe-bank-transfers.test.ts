import assert from 'node:assert/strict'
import { test } from 'node:test'
import type Stripe from 'stripe'
import { idOf } from '#sandbox/stripe/engine/store.ts'
import { openFilesSandbox } from '#tests/support/payments/stripe.ts'

const { ear, sandbox, stripe } = await openFilesSandbox()

const told = async () => {
  await sandbox.settled()
  return ear.heard.map(({ body }) => (JSON.parse(body) as Stripe.Event).type)
}
const movements = async (source: string) =>
  (await stripe.balanceTransactions.list({ source })).data.map(({ type, amount, fee, net }) => ({ type, amount, fee, net }))

const transferIntent = (customer: string, amount: number) =>
  stripe.paymentIntents.create({
    amount,
    currency: 'gbp',
    customer,
    confirm: true,
    allowed_payment_method_types: ['customer_balance'],
    payment_method_data: { type: 'customer_balance' },
    payment_method_options: { customer_balance: { funding_type: 'bank_transfer', bank_transfer: { type: 'gb_bank_transfer' } } },
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

test('the hosted pages show how to pay by bank transfer, and the receipt', async () => {
  const { id: customer } = await stripe.customers.create()
  const intent = await transferIntent(customer, 30_000)
  const instructions = intent.next_action?.display_bank_transfer_instructions
  const url = instructions?.hosted_instructions_url ?? ''
  const page = await (await fetch(url)).text()
  assert.ok(page.includes('Send £300.00') && page.includes(instructions?.reference ?? 'none') && page.includes('20-00-00'))
  assert.match(await (await fetch(url, { method: 'POST' })).text(), /£300\.00 has arrived/)
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
