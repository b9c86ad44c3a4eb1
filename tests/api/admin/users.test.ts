import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { newListing } from '#tests/support/auctions/auction.ts'
import { bid, clientOf, endNow, left, newMember, see, setUser, stepsOf } from '#tests/support/auctions/sale.ts'
import { entriesOf } from '#tests/support/audit.ts'
import type { Client } from '#tests/support/client.ts'
import { goodPassword, signUp } from '#tests/support/people.ts'
import { openStream } from '#tests/support/stream.ts'
import { closeSound, openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
let admin: Client
let support: Client
before(async () => {
  yard = await openYard()
  admin = (await newMember(yard, { role: 'admin' })).client
  support = (await newMember(yard, { role: 'support' })).client
})
after(() => closeSound(yard))

const USERS = '/api/v1/admin/users'
const cookieOf = ({ cookies }: Client) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
const word = () => `w${randomBytes(5).toString('hex')}`

async function ids(query: string): Promise<string[]> {
  const { status, body } = await support.get(`${USERS}?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data.map(({ id }: { id: string }) => id)
}

const search = (text: string) => ids(`filter[search]=${encodeURIComponent(text)}`)

test('a user is found by the beginning of email, company, surname, full name or postcode, and by id', async () => {
  const name = word()
  const { id, email } = await newMember(yard, { company_name: `${name} Metals`, first_name: 'Ann', surname: `Mc${name}` })
  await yard.owner.query(`update addresses set post_code = 'ZE2 9XX' where user_id = $1`, [id])
  for (const text of [email.toUpperCase(), email.slice(0, 20), `${name} met`, `mc${name}`, `ann mc${name}`, 'ze29xx', 'ZE2 9', id])
    assert.deepEqual(await search(text), [id], text)
  for (const text of ['%', `_${name.slice(1)}`, `${name}\\`, `etals ${name}`, randomUUID()]) assert.deepEqual(await search(text), [], text)
})

test('pages go on where the last one ended, newest first, and a user who signs up meanwhile shifts none', async () => {
  const company_name = word()
  const made: string[] = []
  for (let nth = 0; nth < 5; nth++) made.unshift((await newMember(yard, { company_name })).id)
  const query = `filter[search]=${company_name}&per_page=2`
  const first = (await admin.get(`${USERS}?${query}`)).body
  await newMember(yard, { company_name })
  const second = (await admin.get(`${USERS}?${query}&cursor=${first.meta.next_cursor}`)).body
  const third = (await admin.get(`${USERS}?${query}&cursor=${second.meta.next_cursor}`)).body
  assert.deepEqual(
    [...first.data, ...second.data, ...third.data].map(({ id }: { id: string }) => id),
    made,
  )
  assert.deepEqual([third.meta.next_cursor, third.meta.is_incomplete], [null, false])
})

test('filters: collectors who wait, suspended users, a tier', async () => {
  const company_name = word()
  const { id: waiting } = await newMember(yard, { company_name, opened_at: null })
  const { id: suspended } = await newMember(yard, { company_name, suspended_at: new Date() })
  const { id: basic } = await newMember(yard, { company_name, tier: 'basic' })
  for (const [filter, id] of [
    ['filter[waiting]=collector', waiting],
    ['filter[suspended]=true', suspended],
    ['filter[tier]=basic', basic],
  ]) {
    assert.deepEqual(await ids(`filter[search]=${company_name}&${filter}`), [id], filter)
    assert.equal((await ids(filter ?? ''))[0], id, `${filter}, newest first`)
  }
})

test('a search that more than 200 users match says that it is incomplete', async () => {
  const company_name = word()
  const { id } = await newMember(yard, { company_name })
  await yard.owner.query(
    `insert into users select (jsonb_populate_record(u, jsonb_build_object('id', gen_random_uuid(), 'email', $2::text || n, 'payment_account_id', null))).*
     from users u, generate_series(1, 200) as n where u.id = $1`,
    [id, `${company_name}@`],
  )
  const { body } = await admin.get(`${USERS}?filter[search]=${company_name}`)
  assert.deepEqual([body.data.length, body.meta.is_incomplete], [24, true])
})

for (const query of ['cursor=x', 'cursor=WyIxIiwieCJd', 'filter[waiting]=plumber', 'filter[tier]=gold', 'filter[search]=%00']) {
  test(`the list refuses ${query}`, async () => assert.equal((await admin.get(`${USERS}?${query}`)).status, 422))
}

test('a user’s details: plan, documents, strikes, terms and what is under way; never a password', async () => {
  const { id } = await newMember(yard, { deferred_days: 7, deferred_limit: 500_00 })
  await yard.owner.query(`insert into strikes (user_id, role, reason) values ($1, 'buyer', 'miss_payment')`, [id])
  await newListing(yard.owner, id)
  const { status, body } = await support.get(`${USERS}/${id}`)
  const { tier, deferred_terms, strikes, counts, documents, addresses, suspension_reason } = body.data
  assert.deepEqual(
    [status, tier, deferred_terms, strikes[0].reason, counts, documents, addresses.length, suspension_reason],
    [200, 'full', { days: 7, limit: 500_00 }, 'miss_payment', { running_listings: 1, open_sales: 0, open_purchases: 0 }, [], 1, null],
  )
  assert.doesNotMatch(JSON.stringify(body), /argon2|password/)
})

test('a collector waits; opened by an admin, told by email, and in', async () => {
  const { email, id } = await signUp(yard, { business_activity: 'scrap_metal_collector' })
  const collector = yard.client()
  assert.equal((await collector.logIn(email, goodPassword)).status, 403)
  const [entry, ...more] = await entriesOf(yard, async () =>
    assert.ok((await admin.post(`${USERS}/${id}/open`)).body.data.opened_at !== null),
  )
  assert.deepEqual([entry?.kind, entry?.act, entry?.subject_user_id, more], ['act', 'open', id, []])
  const again = await entriesOf(yard, async () => assert.equal((await admin.post(`${USERS}/${id}/open`)).status, 200))
  assert.deepEqual(
    again.map(({ kind }) => kind),
    ['look'],
  )
  await yard.jobsDone()
  assert.equal((await yard.outbox.list(email)).filter(({ subject }) => subject.startsWith('Your account is open')).length, 1)
  assert.equal((await collector.logIn(email, goodPassword)).status, 200)
})

test('suspended: session and stream end at once, the reason is read at login, and sales and listings become issues', async () => {
  const { email, id } = await signUp(yard)
  const client = yard.client()
  await client.logIn(email, goodPassword)
  await yard.jobsDone()
  await setUser(yard, id, { tier: 'full', payment_account_completed: true, payment_account_verified: true, onboarding_stage: null })
  const running = await newListing(yard.owner, id)
  const over = await newListing(yard.owner, id)
  await endNow(yard, over)
  await left(yard, over, 'Active')
  const anothers = await newListing(yard.owner, (await newMember(yard)).id)
  const buyer = await newMember(yard)
  const sold = await newListing(yard.owner, id)
  await bid(buyer.client, sold, 500_00)
  await endNow(yard, sold)
  await left(yard, sold, 'Active')
  const stream = await openStream(`${yard.url}/api/v1/events?topics=me`, { cookie: cookieOf(client) })
  assert.equal(stream.status, 200)

  const reason = 'Unpaid invoices'
  const [entry, ...more] = await entriesOf(yard, async () =>
    assert.equal((await admin.post(`${USERS}/${id}/suspend`, { reason })).body.data.suspension_reason, reason),
  )
  assert.deepEqual([entry?.act, entry?.subject_user_id, entry?.reason, more], ['suspend', id, reason, []])
  assert.equal((await client.get('/api/v1/auth/me')).status, 401)
  await stream.ended
  const later = yard.client()
  const refused = await later.logIn(email, goodPassword)
  assert.deepEqual([refused.status, refused.body.code], [403, 'account_suspended'])
  assert.match(refused.body.message, /Unpaid invoices/)

  assert.equal(await left(yard, running, 'Active'), 'HasAdminIssue')
  await yard.jobsDone()
  const statusOf = async (listing: string) => (await see(admin, listing)).status.name
  assert.deepEqual([await statusOf(sold), await statusOf(over), await statusOf(anothers)], ['HasAdminIssue', 'Expired', 'Active'])

  assert.equal((await admin.post(`${USERS}/${id}/suspend`, { reason })).status, 200)
  const other = await admin.post(`${USERS}/${id}/suspend`, { reason: 'Another' })
  assert.deepEqual([other.status, /suspended already/.test(other.body.message)], [409, true])
  assert.equal((await stepsOf(yard, running)).filter((step) => step === 'raise_issue').length, 1)

  assert.equal((await admin.post(`${USERS}/${id}/unsuspend`)).body.data.suspended_at, null)
  assert.equal((await admin.post(`${USERS}/${id}/unsuspend`)).status, 200)
  assert.equal((await later.logIn(email, goodPassword)).status, 200)
})

test('the open purchases of a suspended buyer become issues', async () => {
  const seller = await newMember(yard)
  const buyer = await newMember(yard)
  const id = await newListing(yard.owner, seller.id)
  await bid(buyer.client, id, 500_00)
  await endNow(yard, id)
  await left(yard, id, 'Active')
  await admin.post(`${USERS}/${buyer.id}/suspend`, { reason: 'Unpaid invoices' })
  await yard.jobsDone()
  const shown = await see(await clientOf(yard, seller.id), id)
  assert.equal(shown.status.name, 'HasAdminIssue')
  assert.doesNotMatch(JSON.stringify(shown), /Unpaid invoices/)
})

test('two admins who suspend at once: one act, one issue', async () => {
  const { id } = await newMember(yard)
  const listing = await newListing(yard.owner, id)
  const { client: other } = await newMember(yard, { role: 'admin' })
  const entries = await entriesOf(yard, async () => {
    const answers = await Promise.all([admin, other].map((one) => one.post(`${USERS}/${id}/suspend`, { reason: 'Stolen goods' })))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
  })
  assert.deepEqual(entries.map(({ kind }) => kind).toSorted(), ['act', 'look'])
  await yard.jobsDone()
  assert.deepEqual(await stepsOf(yard, listing), ['raise_issue'])
})

test('a temporary password with the same key is sent once', async () => {
  const { email, id } = await signUp(yard)
  const headers = { 'idempotency-key': randomUUID() }
  for (let click = 0; click < 2; click++)
    assert.equal((await admin.ask('POST', `${USERS}/${id}/temporary-password`, { headers })).status, 200)
  await yard.jobsDone()
  assert.equal((await yard.outbox.list(email)).filter(({ subject }) => /temporary password/i.test(subject)).length, 1)
})

for (const [what, act, changes, says] of [
  ['open a deleted account', 'open', { opened_at: null, deleted_at: new Date() }, /deleted/],
  ['send a password to a suspended account', 'temporary-password', { suspended_at: new Date() }, /suspended/],
  ['send a password to an account that is not open', 'temporary-password', { opened_at: null }, /not open/],
  ['act on an erased account', 'suspend', { deleted_at: new Date(), erased_at: new Date(), payment_account_id: null }, /erased/],
] as const) {
  test(`nobody can ${what}: 409, and no entry`, async () => {
    const { id } = await newMember(yard, changes)
    const entries = await entriesOf(yard, async () => {
      const { status, body } = await admin.post(`${USERS}/${id}/${act}`, act === 'suspend' ? { reason: 'Why' } : undefined)
      assert.equal(status, 409)
      assert.match(body.message, says)
    })
    assert.deepEqual(entries, [])
  })
}

test('an admin cannot suspend the own account; an unknown user is not there; support sees and does not act', async () => {
  const { body } = await admin.get('/api/v1/auth/me')
  assert.equal((await admin.post(`${USERS}/${body.data.id}/suspend`, { reason: 'Why' })).status, 409)
  for (const id of [randomUUID(), 'x']) {
    assert.equal((await admin.get(`${USERS}/${id}`)).status, 404)
    assert.equal((await admin.post(`${USERS}/${id}/open`)).status, 404)
  }
  const { client, id } = await newMember(yard)
  assert.equal((await support.post(`${USERS}/${id}/suspend`, { reason: 'Why' })).status, 403)
  assert.equal((await client.get(`${USERS}/${id}`)).status, 404)
})
