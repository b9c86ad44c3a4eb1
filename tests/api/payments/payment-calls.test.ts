import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { allOf, faults, noFaults, userRow, type Payer, closeBalanced } from '#tests/support/payments/paying.ts'
import { signUp } from '#tests/support/people.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

// 38: whatever happens to the answer of a call that creates something, it exists once; what is unsure is settled by the job.

let yard: Yard
// no worker beside the tests but where one is wanted: a job that is under way would meet the faults
before(async () => (yard = await openYard({ env: { ROLE: 'web' }, isImpatient: true })))
afterEach(async () => {
  await noFaults(yard)
  await yard.travel('0 seconds')
})
after(async () => {
  // what the provider says after the last worker has gone is applied too
  await yard.another({ ROLE: 'all' })
  await closeBalanced(yard)
})

const accountsOf = async (id: string) =>
  (await allOf(yard.payment.stripe.accounts.list({ limit: 100 }))).filter(({ metadata }) => metadata?.['user_id'] === id)
const callsOf = async (id: string) =>
  (await yard.owner.query(`select * from provider_calls where user_id = $1 order by created_at`, [id])).rows

/** Signed up, without the job that creates the account. */
async function withoutAccount(): Promise<Payer> {
  const payer = await signUp(yard)
  await yard.owner.query('delete from jobs')
  return payer
}

/** A worker comes, does what is due after a while, and goes. */
async function work(later: string) {
  const worker = await yard.another({ ROLE: 'all' })
  await yard.travel(later)
  await yard.bankSettled()
  await worker.stop()
}

// the SDK itself asks a second time, with the same key, when a connection was closed on it
const TRIES = 2

const mishaps: [what: string, fault: object][] = [
  ['the answer is lost after it was done', { fail: 'after', status: 'drop' }],
  ['a 500 comes after it was done', { fail: 'after', status: 500 }],
  ['a 500 comes before it was done', { fail: 'before', status: 500 }],
  ['the provider is called too often (429)', { fail: 'before', status: 429 }],
  ['the connection breaks before it was done', { fail: 'before', status: 'drop' }],
]

for (const [what, fault] of mishaps) {
  test(`38: ${what}: it stays pending, the job settles it, and there is one`, async () => {
    const payer = await withoutAccount()
    await faults(yard, { ...fault, path: '/v1/accounts', times: TRIES })
    const { status, headers, body } = await payer.client.post('/api/v1/stripe/create-account')
    assert.deepEqual([status, body.code], [503, 'provider_unavailable'])
    assert.ok(headers.get('retry-after'))
    await noFaults(yard)
    const [pending] = await callsOf(payer.id)
    assert.deepEqual([pending.status, pending.idempotency_key, pending.attempts], ['pending', `account:${payer.id}`, 1])
    await work('20 seconds')
    const [settled, ...more] = await callsOf(payer.id)
    assert.deepEqual([settled.status, settled.attempts, more], ['done', 2, []])
    const accounts = await accountsOf(payer.id)
    assert.deepEqual([accounts.length, (await userRow(yard, payer.id)).payment_account_id], [1, accounts[0]?.id])
  })
}

test('38: a user who tries again settles what was unsure, with the same key', async () => {
  const payer = await withoutAccount()
  await faults(yard, { fail: 'after', status: 'drop', path: '/v1/accounts', times: TRIES })
  assert.equal((await payer.client.post('/api/v1/stripe/create-account')).status, 503)
  await noFaults(yard)
  assert.equal((await payer.client.post('/api/v1/stripe/create-account')).status, 200)
  assert.equal((await accountsOf(payer.id)).length, 1)
})

test('38: a provider that is too slow is not waited for, and what it did is found', async () => {
  const payer = await withoutAccount()
  await faults(yard, { slow_ms: 6_000, path: '/v1/accounts', times: 1 })
  const { status } = await payer.client.post('/api/v1/stripe/create-account')
  assert.equal(status, 503)
  while ((await accountsOf(payer.id)).length === 0) await pause(100)
  await work('30 seconds')
  assert.equal((await accountsOf(payer.id)).length, 1)
  assert.match((await userRow(yard, payer.id)).payment_account_id, /^acct_/)
})

test('38: a key that the provider has forgotten is not used again: what the call made is looked for', async () => {
  const made = await withoutAccount()
  await faults(yard, { fail: 'after', status: 'drop', path: '/v1/accounts', times: TRIES })
  await made.client.post('/api/v1/stripe/create-account')
  const never = await withoutAccount()
  await faults(yard, { fail: 'before', status: 'drop', path: '/v1/accounts', times: TRIES })
  await never.client.post('/api/v1/stripe/create-account')
  await noFaults(yard)
  await yard.owner.query(
    `update provider_calls set created_at = created_at - interval '2 days', called_at = called_at - interval '2 days' where status = 'pending'`,
  )
  await work('20 seconds')
  assert.deepEqual([(await callsOf(made.id))[0].status, (await accountsOf(made.id)).length], ['done', 1])
  assert.deepEqual([(await callsOf(never.id))[0].status, (await accountsOf(never.id)).length], ['refused', 0])
  assert.equal((await never.client.post('/api/v1/stripe/create-account')).status, 200)
  assert.deepEqual(
    (await callsOf(never.id)).map(({ idempotency_key }) => idempotency_key),
    [`account:${never.id}`, `account:${never.id}:1`],
  )
})

test('38: an intent is written before its call: a server that dies in between leaves it to the job', async () => {
  const payer = await withoutAccount()
  await yard.owner.query(`insert into provider_calls (idempotency_key, kind, user_id, params) values ($1, 'create_customer', $2, $3)`, [
    `customer:${payer.id}`,
    payer.id,
    { email: payer.email, name: 'Smith Metals Ltd', metadata: { user_id: payer.id } },
  ])
  await yard.owner.query(
    `insert into jobs (kind, payload) select 'settle_provider_call', jsonb_build_object('call_id', id) from provider_calls where idempotency_key = $1`,
    [`customer:${payer.id}`],
  )
  await work('0 seconds')
  assert.match((await userRow(yard, payer.id)).provider_customer_id, /^cus_/)
})

test('38: what was meant to be asked cannot be changed by the application', async () => {
  for (const change of [`idempotency_key = 'x'`, `kind = 'x'`, `created_at = app_now()`, `user_id = null`]) {
    await yard.owner.query('begin')
    await yard.owner.query('set local role yardbid_app')
    await assert.rejects(yard.owner.query(`update provider_calls set ${change}`), /permission denied/)
    await yard.owner.query('rollback')
  }
})
