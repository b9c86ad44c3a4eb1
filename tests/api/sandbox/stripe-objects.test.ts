import assert from 'node:assert/strict'
import { test } from 'node:test'
import type Stripe from 'stripe'
import { idOf } from '#sandbox/stripe/engine/store.ts'
import { openFilesSandbox, payWithCard } from '#tests/support/payments/stripe.ts'
import { unlikeSample } from '#tests/support/payments/stripe-samples.ts'

const { ear, sandbox, stripe } = await openFilesSandbox()

const address = { line1: '1 Canal Road', city: 'Leeds', postal_code: 'LS1 1AA', country: 'GB' }

async function account(): Promise<Stripe.Account> {
  const { id } = await stripe.accounts.create({
    type: 'express',
    country: 'GB',
    email: 'seller@yardbid.test',
    capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
  })
  await sandbox.call('POST', `/sandbox/accounts/${id}/complete`)
  return stripe.accounts.retrieve(id)
}

const customer = () => stripe.customers.create({ name: 'Jo', email: 'jo@yardbid.test', address })
const paid = async (card = 'pm_card_visa', amount = 50_000) =>
  stripe.paymentIntents.create({ amount, currency: 'gbp', payment_method: card, allowed_payment_method_types: ['card'], confirm: true })

async function transferred(): Promise<Stripe.Transfer> {
  await paid('pm_card_bypassPending', 500_000)
  return stripe.transfers.create({ amount: 1000, currency: 'gbp', destination: (await account()).id })
}

async function funded(): Promise<Stripe.CustomerCashBalanceTransaction> {
  return stripe.testHelpers.customers.fundCashBalance((await customer()).id, { amount: 900, currency: 'gbp' })
}

type Row = [resource: string, make: () => Promise<object>, ...apart: string[]]

const rows: Row[] = [
  ['account', account],
  [
    'account_link',
    async () =>
      stripe.accountLinks.create({
        account: (await account()).id,
        type: 'account_onboarding',
        refresh_url: 'https://a.test/r',
        return_url: 'https://a.test/b',
      }),
  ],
  ['login_link', async () => stripe.accounts.createLoginLink((await account()).id)],
  ['capability', async () => stripe.accounts.retrieveCapability((await account()).id, 'transfers')],
  ['bank_account', async () => (await account()).external_accounts?.data[0] ?? {}, 'bank_account.customer'],
  ['deleted_account', async () => stripe.accounts.del((await account()).id)],
  ['customer', customer],
  ['deleted_customer', async () => stripe.customers.del((await customer()).id)],
  [
    'payment_method',
    async () =>
      stripe.paymentMethods.create({
        type: 'card',
        card: { number: '4242424242424242', exp_month: 1, exp_year: 2040 },
        metadata: { order_id: '1' },
      }),
  ],
  ['setup_intent', () => stripe.setupIntents.create({ allowed_payment_method_types: ['card'] })],
  ['payment_intent', () => paid()],
  ['charge', async () => stripe.charges.retrieve(idOf((await paid()).latest_charge), { expand: ['refunds'] })],
  ['refund', async () => stripe.refunds.create({ payment_intent: (await paid()).id })],
  ['dispute', async () => ((await paid('pm_card_createDispute')) && (await stripe.disputes.list()).data[0]) ?? {}],
  ['balance', () => stripe.balance.retrieve()],
  ['balance_transaction', async () => ((await paid()) && (await stripe.balanceTransactions.list()).data[0]) ?? {}],
  ['transfer', transferred],
  ['transfer_reversal', async () => stripe.transfers.createReversal((await transferred()).id)],
  ['payout', async () => (await paid('pm_card_bypassPending')) && stripe.payouts.create({ amount: 100, currency: 'gbp' })],
  ['cash_balance', async () => stripe.customers.retrieveCashBalance(idOf((await funded()).customer)), 'cash_balance.available.eur'],
  // the sample shows a euro transfer
  ['customer_cash_balance_transaction', funded, 'customer_cash_balance_transaction.funded.bank_transfer.eu_bank_transfer'],
  [
    'funding_instructions',
    async () =>
      stripe.customers.createFundingInstructions((await customer()).id, {
        currency: 'gbp',
        funding_type: 'bank_transfer',
        bank_transfer: { type: 'gb_bank_transfer' },
      }),
  ],
  // the sample shows the event of a plan
  ['event', async () => ((await customer()) && (await stripe.events.list({ type: 'customer.created' })).data[0]) ?? {}, ...planFields()],
]

function planFields(): string[] {
  const names = [
    'active',
    'aggregate_usage',
    'amount',
    'amount_decimal',
    'billing_scheme',
    'interval',
    'interval_count',
    'meter',
    'nickname',
    'product',
    'tiers_mode',
    'transform_usage',
    'trial_period_days',
    'usage_type',
  ]
  return names.map((name) => `event.data.object.${name}`)
}

for (const [resource, make, ...apart] of rows) {
  test(`${resource} has every field of Stripe's sample, each of its type`, async () => {
    assert.deepEqual(unlikeSample(resource, await make(), apart), [])
  })
}

test("a transfer's payment at its destination has every field of a charge", async () => {
  const { destination, destination_payment } = await transferred()
  const own = { stripeAccount: idOf(destination) }
  const payment = await stripe.charges.retrieve(idOf(destination_payment), { expand: ['refunds'] }, own)
  assert.deepEqual(unlikeSample('charge', payment), [])
})

test('an object in an event has every field too', async () => {
  ear.heard.length = 0
  const intent = await stripe.paymentIntents.create({ amount: 500, currency: 'gbp' })
  await payWithCard(sandbox, intent.client_secret ?? '')
  await sandbox.settled()
  const events = ear.heard.map(({ body }) => JSON.parse(body) as Stripe.Event)
  const told = Object.fromEntries(events.map(({ type, data }) => [type, data.object]))
  assert.deepEqual(unlikeSample('payment_intent', told['payment_intent.succeeded'] ?? {}), [])
  assert.deepEqual(unlikeSample('charge', told['charge.succeeded'] ?? {}, ['charge.refunds']), [])
})

test('a missing field and a value of another type are seen', () => {
  assert.deepEqual(unlikeSample('login_link', { object: 'login_link', created: '1' }), [
    'login_link.created is string, not number',
    'login_link.url is missing',
  ])
})
