import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fillDemoPayments } from '#server/demo-payments.ts'
import { closeBalanced, me, subscriptionOf, userRow } from '#tests/support/payments/paying.ts'
import { demoUser, type DemoName } from '#tests/support/people.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
before(async () => {
  yard = await openYard({ demo: true })
  // browsers may reach the provider where this machine does not
  const payment = { ...yard.payment, apiBase: 'http://yard.invalid:1' }
  const filling = { url: yard.databaseUrl, payment, settings: new Map() }
  await Promise.all([fillDemoPayments(filling), fillDemoPayments(filling)])
  await yard.bankSettled()
})
after(() => closeBalanced(yard))

const people: [DemoName, tier: string, status: string | null, invoices: number][] = [
  ['seller', 'full', 'active', 1],
  ['buyer', 'full', 'active', 1],
  ['rival', 'full', 'trialing', 1],
  ['basic', 'basic', null, 0],
  ['trade', 'seller', null, 0],
]
for (const [name, tier, status, invoices] of people) {
  test(`the demo's ${name} exists at the provider, with tier ${tier}`, async () => {
    const client = await demoUser(yard, name)
    const { id, subscription, onboarded } = await me(client)
    assert.deepEqual(
      [subscription.tier, subscription.status, subscription.stripe, onboarded],
      [tier, status, { account_completed: true, account_verified: true, account_needs_more: false }, true],
    )
    const row = await userRow(yard, id)
    const account = await yard.payment.stripe.accounts.retrieve(row.payment_account_id)
    assert.deepEqual([account.charges_enabled, account.metadata?.['user_id']], [true, id])
    assert.equal((await client.get('/api/v1/stripe/holding-fee-payment-method')).body.data.last4, '4242')
    assert.equal((await subscriptionOf(client))?.status ?? null, status)
    assert.equal((await client.get('/api/v1/stripe/subscription/invoices')).body.data.length, invoices)
  })
}

test('two starts at once made one account each', async () => {
  const accounts = await yard.payment.stripe.accounts.list({ limit: 100 })
  const { rows } = await yard.owner.query('select count(*)::int as known from users where payment_account_id not like $1', ['acct_demo_%'])
  assert.equal(accounts.data.length, rows[0].known)
})

test('the demo has a coupon', async () => {
  const client = await demoUser(yard, 'basic')
  const { data } = (await client.post('/api/v1/stripe/subscription/coupons/validate', { code: 'YARD20' })).body
  assert.equal(data.valid, true)
})
