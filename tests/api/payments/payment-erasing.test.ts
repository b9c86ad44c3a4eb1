import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import {
  bankCall,
  closeBalanced,
  confirm,
  faults,
  newPayer,
  noFaults,
  subscribed,
  userRow,
  type Payer,
} from '#tests/support/payments/paying.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

// Who is erased is erased at the payment provider too, whatever happens to the calls; what the law keeps stays.

let yard: Yard
before(async () => (yard = await openYard()))
afterEach(async () => {
  await noFaults(yard)
  await pass('0 seconds')
})
after(() => closeBalanced(yard))

/** This long after the real time, every job was tried that is due by then. */
async function attempt(interval: string) {
  await yard.travel(interval)
  await yard.owner.query('notify jobs')
  await yard.jobsDone()
}

/** The same, and the provider's word of it was applied. */
async function pass(interval: string) {
  await attempt(interval)
  await yard.bankSettled()
}

async function subscriber(): Promise<Payer> {
  const payer = await newPayer(yard)
  await confirm(yard, (await payer.client.post('/api/v1/stripe/create-holding-fee-setup-intent')).body.data.client_secret)
  await subscribed(yard, payer)
  return payer
}

/** The 30 days are over. */
async function erase({ client, id }: Payer) {
  await client.delete('/api/v1/auth/me')
  await yard.bankSettled()
  await yard.owner.query(`update users set deleted_at = deleted_at - interval '31 days' where id = $1`, [id])
  await yard.owner.query(`update jobs set run_at = app_now() where kind = 'erase_account'`)
  await yard.owner.query('notify jobs')
  await yard.bankSettled()
}

const rowsOf = async (payer: Payer, table: string) => (await yard.owner.query(`select * from ${table} where user_id = $1`, [payer.id])).rows
const callOf = async (payer: Payer, kind: string) => (await rowsOf(payer, 'provider_calls')).find((call) => call.kind === kind)
const customerOf = async (payer: Payer) => yard.payment.stripe.customers.retrieve((await userRow(yard, payer.id)).provider_customer_id)
const knowsAccountOf = async (payer: Payer) =>
  yard.payment.stripe.accounts.retrieve((await userRow(yard, payer.id)).payment_account_id).then(
    () => true,
    ({ code }) => code !== 'account_invalid',
  )

test('with the account the customer, the cards and the payment account go at the provider; ledger and invoices stay', async () => {
  const payer = await subscriber()
  const kept = async () => [await rowsOf(payer, 'ledger_entries'), await rowsOf(payer, 'subscription_invoices')]
  const before = await kept()
  await erase(payer)
  const [row] = await rowsOf(payer, 'subscriptions')
  assert.deepEqual([row.card, row.ended_at], [null, null], 'our own part does not wait for the provider')
  const asked = await callOf(payer, 'delete_customer')
  assert.deepEqual([asked.status, asked.idempotency_key], ['pending', `delete_customer:${payer.id}`])

  await pass('20 seconds')
  assert.equal((await customerOf(payer)).deleted, true)
  assert.equal(await knowsAccountOf(payer), false)
  const [ended] = await rowsOf(payer, 'subscriptions')
  assert.deepEqual([ended.status, ended.card, ended.ended_at === null], ['canceled', null, false])
  const { subscription_card, holding_fee_card, payment_account_completed } = await userRow(yard, payer.id)
  assert.deepEqual([subscription_card, holding_fee_card, payment_account_completed], [null, null, false])
  for (const { kind, status, params } of await rowsOf(payer, 'provider_calls')) assert.deepEqual([kind, status, params], [kind, 'done', {}])
  assert.ok(before.every(({ length }) => length > 0))
  assert.deepEqual(await kept(), before)
})

const mishaps: [what: string, fault: object][] = [
  ['the provider is down', { fail: 'before', status: 500 }],
  ['the connection breaks', { fail: 'before', status: 'drop' }],
  ['a 500 comes after it was done', { fail: 'after', status: 500 }],
]
for (const [what, fault] of mishaps) {
  test(`38: when ${what}, the deletion stays pending and is made again`, async () => {
    const payer = await subscriber()
    await erase(payer)
    await faults(yard, { ...fault, path: '/v1/customers' })
    await attempt('20 seconds')
    assert.deepEqual([(await callOf(payer, 'delete_customer')).status, (await userRow(yard, payer.id)).first_name], ['pending', 'Erased'])
    await noFaults(yard)
    await pass('1 minute')
    const { status, attempts } = await callOf(payer, 'delete_customer')
    assert.deepEqual([status, attempts, (await customerOf(payer)).deleted], ['done', 2, true])
  })
}

test('38: a deletion that was unsure for days is made once more', async () => {
  const payer = await subscriber()
  await erase(payer)
  await yard.owner.query(`update provider_calls set created_at = created_at - interval '3 days' where status = 'pending'`)
  await pass('20 seconds')
  assert.deepEqual([(await callOf(payer, 'delete_customer')).status, (await customerOf(payer)).deleted], ['done', true])
  assert.deepEqual([(await callOf(payer, 'delete_account')).status, await knowsAccountOf(payer)], ['done', false])
})

test('a customer or an account that is gone already is as good as deleted', async () => {
  const payer = await subscriber()
  const { provider_customer_id, payment_account_id } = await userRow(yard, payer.id)
  await yard.payment.stripe.customers.del(provider_customer_id)
  await yard.payment.stripe.accounts.del(payment_account_id)
  await erase(payer)
  await pass('20 seconds')
  for (const kind of ['delete_customer', 'delete_account']) assert.equal((await callOf(payer, kind)).status, 'done')
})

test('a customer that was still being made when its user was erased is deleted, and nothing of the person is left', async () => {
  const payer = await newPayer(yard)
  await faults(yard, { fail: 'after', status: 'drop', path: '/v1/customers' })
  assert.equal((await payer.client.get('/api/v1/stripe/setup-intent')).status, 503)
  await noFaults(yard)
  await erase(payer)
  assert.equal((await callOf(payer, 'create_customer')).params.email, payer.email, 'it cannot be repeated without them')
  await pass('20 seconds')
  await pass('1 minute')
  assert.equal((await customerOf(payer)).deleted, true)
  for (const { kind, params } of await rowsOf(payer, 'provider_calls')) assert.deepEqual([kind, params], [kind, {}])
})

test('an account with money in it is deleted when that was paid out', async () => {
  const payer = await newPayer(yard)
  const { stripe } = yard.payment
  const { payment_account_id: destination } = await userRow(yard, payer.id)
  await bankCall(yard, 'POST', `/sandbox/accounts/${destination}/complete`)
  const payment = { payment_method: 'pm_card_bypassPending', allowed_payment_method_types: ['card' as const], confirm: true }
  await stripe.paymentIntents.create({ amount: 90_000, currency: 'gbp', ...payment })
  await stripe.transfers.create({ amount: 12_345, currency: 'gbp', destination })
  await erase(payer)
  await pass('20 seconds')
  assert.deepEqual([(await callOf(payer, 'delete_account')).status, await knowsAccountOf(payer)], ['refused', true])
  await stripe.payouts.create({ amount: 12_345, currency: 'gbp' }, { stripeAccount: destination })
  await pass('8 days')
  await pass('8 days 20 seconds')
  assert.equal(await knowsAccountOf(payer), false)
  const keys = (await rowsOf(payer, 'provider_calls')).filter(({ kind }) => kind === 'delete_account').map((call) => call.idempotency_key)
  assert.deepEqual(new Set(keys), new Set([`delete_account:${payer.id}`, `delete_account:${payer.id}:1`]))
})
