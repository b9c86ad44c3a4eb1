import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, afterEach, before, test } from 'node:test'
import { newClient } from '#tests/support/client.ts'
import { allOf, bankCall, faults, me, newPayer, noFaults, userRow } from '#tests/support/payments/paying.ts'
import { signUp } from '#tests/support/people.ts'
import { ended, left, newMember, setUser } from '#tests/support/auctions/sale.ts'
import { closeSound, openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
before(async () => (yard = await openYard()))
afterEach(() => noFaults(yard))
after(() => closeSound(yard))

const accountsOf = async (id: string) =>
  (await allOf(yard.payment.stripe.accounts.list({ limit: 100 }))).filter(({ metadata }) => metadata?.['user_id'] === id)

test('signing up creates a payment account, once', async () => {
  const { id } = await newPayer(yard)
  const { payment_account_id, payment_account_completed } = await userRow(yard, id)
  assert.match(payment_account_id, /^acct_/)
  assert.equal(payment_account_completed, false)
  assert.deepEqual(
    (await accountsOf(id)).map((account) => account.id),
    [payment_account_id],
  )
})

test('the provider asks nothing that the sign-up said: names, birthday, company, number and address are filled in', async () => {
  for (const [business_type, known] of [
    ['company', ['company.name', 'company.address.line1', 'company.address.city', 'company.address.postal_code']],
    [
      'individual',
      ['first_name', 'last_name', 'phone', 'dob.day', 'dob.month', 'dob.year', 'address.line1'].map((name) => `individual.${name}`),
    ],
  ] as const) {
    const { id } = await signUp(yard, { business_type })
    await yard.jobsDone()
    const [account] = await accountsOf(id)
    const due = account?.requirements?.currently_due ?? []
    assert.deepEqual(
      due.filter((code) => known.includes(code as never)),
      [],
      business_type,
    )
    assert.ok(due.length > 0)
  }
})

test('200 calls of create-account at once, on two servers, create one account', async (t) => {
  // no worker: the job of the sign-up would be the first, and nobody would race
  const quiet = await openYard({ env: { ROLE: 'web' } })
  t.after(() => closeSound(quiet))
  const other = await quiet.another()
  const { client } = await signUp(quiet)
  const elsewhere = newClient(other.url, Object.fromEntries(client.cookies))
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_each, nth) => (nth % 2 ? elsewhere : client).post('/api/v1/stripe/create-account')),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  assert.equal((await allOf(quiet.payment.stripe.accounts.list({ limit: 100 }))).length, 1)
})

test('what is still missing is told in plain words, until the account is completed and verified', async () => {
  const { client, id } = await newPayer(yard)
  const { data } = (await client.get('/api/v1/stripe/account')).body
  assert.equal(data.account_completed, false)
  const says = data.missing.map((one: { says: string }) => one.says)
  assert.ok(says.includes('Add the bank account that you want to be paid into.'), JSON.stringify(says))
  assert.ok(says.every((sentence: string) => /^[A-Z].*\.$/.test(sentence) && !sentence.includes('_')))
  assert.equal(new Set(says).size, says.length)

  const link = (await client.post('/api/v1/stripe/create-account-link')).body.data.url
  assert.ok(link.startsWith(yard.payment.apiBase), link)
  await bankCall(yard, 'POST', `/sandbox/accounts/${(await userRow(yard, id)).payment_account_id}/complete`)
  await yard.bankSettled()
  assert.deepEqual((await me(client)).subscription.stripe, { account_completed: true, account_verified: true, account_needs_more: false })
  assert.deepEqual((await client.get('/api/v1/stripe/account')).body.data.missing, [])
  assert.match((await client.post('/api/v1/stripe/create-login-link')).body.data.url, /^http/)
})

test('the return from the provider shows the account as it is, although no word of it has come', async () => {
  const { client, id } = await newPayer(yard)
  await faults(yard, { webhooks: { lose: true } })
  await bankCall(yard, 'POST', `/sandbox/accounts/${(await userRow(yard, id)).payment_account_id}/complete`)
  const { data } = (await client.get('/api/v1/stripe/account')).body
  assert.deepEqual([data.account_completed, data.account_verified], [true, true])
  assert.equal((await me(client)).subscription.stripe.account_completed, true)
})

test('a login link needs a completed account', async () => {
  const { client } = await newPayer(yard)
  const { status, body } = await client.post('/api/v1/stripe/create-login-link')
  assert.deepEqual([status, body.code], [409, 'payment_account_incomplete'])
})

test('changing the profile answers a link to the provider until the account is completed', async () => {
  const { client, id } = await newPayer(yard)
  const { body } = await client.put('/api/v1/auth/me', { first_name: 'Joan' })
  assert.equal(body.data.first_name, 'Joan')
  assert.ok(body.link.startsWith(yard.payment.apiBase))
  await bankCall(yard, 'POST', `/sandbox/accounts/${(await userRow(yard, id)).payment_account_id}/complete`)
  await yard.bankSettled()
  assert.equal((await client.put('/api/v1/auth/me', { first_name: 'Joanne' })).body.link, null)
})

test('a provider that fails does not fail a profile: the link is null', async () => {
  const { client } = await newPayer(yard)
  await faults(yard, { fail: 'before', status: 500 })
  const { status, body } = await client.put('/api/v1/auth/me', { surname: 'Smythe' })
  assert.deepEqual([status, body.data.surname, body.link], [200, 'Smythe', null])
})

test('a sale that waits for an account goes on when the provider says that it is verified', async () => {
  const [seller, buyer] = [await newMember(yard), await newMember(yard)]
  const { id } = await yard.payment.stripe.accounts.create({
    type: 'express',
    country: 'GB',
    capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
    metadata: { user_id: buyer.id },
  })
  await yard.bankSettled()
  await setUser(yard, buyer.id, { payment_account_id: id, payment_account_verified: false })
  const listing = await ended(yard, seller, [[buyer, 200_00]])
  assert.equal((await yard.owner.query('select status from listings where id = $1', [listing])).rows[0].status, 'AwaitingKYC')
  await bankCall(yard, 'POST', `/sandbox/accounts/${id}/complete`)
  await yard.bankSettled()
  assert.equal(await left(yard, listing, 'AwaitingKYC'), 'PendingPayment')
})

test('an account that loses its verification loses it here', async () => {
  const { client, id } = await newPayer(yard)
  const { payment_account_id } = await userRow(yard, id)
  await bankCall(yard, 'POST', `/sandbox/accounts/${payment_account_id}/complete`)
  await bankCall(yard, 'POST', `/sandbox/accounts/${payment_account_id}/unverify`)
  await yard.bankSettled()
  assert.deepEqual((await me(client)).subscription.stripe, { account_completed: true, account_verified: false, account_needs_more: true })
})

test('25: reads of the account and links to the provider are limited per user; others are not held up', async () => {
  const { client, id } = await newPayer(yard)
  const other = await newPayer(yard)
  // as if the user had asked so often a moment ago: sixty calls to the provider would take this test most of its time
  const usedUp = (what: string) =>
    yard.owner.query(`insert into attempts (bucket) select $1 from generate_series(1, 60)`, [
      `${what}:${createHash('sha256').update(id).digest('base64url')}`,
    ])
  await usedUp('provider_read')
  await usedUp('provider_link')
  const reads = ['/api/v1/stripe/account', '/api/v1/stripe/holding-fee-payment-method']
  const links = ['create-account-link', 'create-login-link', 'create-holding-fee-setup-intent']
  for (const path of reads) assert.deepEqual([path, (await client.get(path)).status], [path, 429])
  for (const path of links) assert.deepEqual([path, (await client.post(`/api/v1/stripe/${path}`)).status], [path, 429])
  assert.equal((await client.get('/api/v1/stripe/setup-intent')).status, 429)
  const changed = await client.put('/api/v1/auth/me', { first_name: 'Joanna' })
  assert.deepEqual([changed.status, changed.body.link], [200, null], 'the profile is changed, without another link')
  assert.equal((await other.client.get('/api/v1/stripe/account')).status, 200)
  assert.equal((await other.client.post('/api/v1/stripe/create-account-link')).status, 200)
})
