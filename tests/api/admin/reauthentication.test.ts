import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { demoPassword } from '#database/demo/users.ts'
import { newListing } from '#tests/support/auctions/auction.ts'
import { act, newMember, see, type Merchant } from '#tests/support/auctions/sale.ts'
import type { Client } from '#tests/support/client.ts'
import { demoUser, signUp } from '#tests/support/people.ts'
import { enrolled } from '#tests/support/second-factor.ts'
import { closeSound, openYard, type Yard } from '#tests/support/yard.ts'

// API.md: an admin's call that moves money asks for a password that was given within 15 minutes.

let yard: Yard
let seller: Merchant
before(async () => {
  yard = await openYard({ demo: true })
  seller = await newMember(yard)
})
afterEach(() => yard.travel('0 seconds'))
after(() => closeSound(yard))

const again = (client: Client, body: object) => client.post('/api/v1/auth/reauthenticate', body)
const removed = (client: Client, id: string) => act(client, id, 'remove', { reason: 'Stolen' })
const statusOf = async (client: Client, id: string) => (await see(client, id)).status.name

test('a step that moves money is refused 15 minutes after the password, and allowed once it was given again', async () => {
  const admin = await demoUser(yard, 'admin')
  const elsewhere = await demoUser(yard, 'admin')
  const [first, second, third] = [
    await newListing(yard.owner, seller.id),
    await newListing(yard.owner, seller.id),
    await newListing(yard.owner, seller.id),
  ]
  await yard.travel('14 minutes')
  assert.equal((await removed(admin, first)).status, 200)
  await yard.travel('15 minutes')
  const refused = await removed(admin, second)
  assert.deepEqual([refused.status, refused.body.code, await statusOf(admin, second)], [403, 'reauthentication_required', 'Active'])
  assert.equal((await act(admin, second, 'raise_issue', { reason: 'Stolen?' })).status, 200, 'no money moves')
  const resolve = () => act(admin, second, 'resolve', { resolution: 'expire' })
  assert.deepEqual([(await resolve()).status, await statusOf(admin, second)], [403, 'HasAdminIssue'])

  const wrong = await again(admin, { password: 'Wrong-pass-1' })
  assert.deepEqual([wrong.status, Object.keys(wrong.body.errors)], [422, ['password']])
  assert.equal((await resolve()).status, 403)
  const right = await again(admin, { password: demoPassword })
  assert.equal(right.status, 200)
  const { rows } = await yard.owner.query(
    "select $1::timestamptz - app_now() between interval '14 minutes' and interval '15 minutes' as is_right",
    [right.body.data.fresh_until],
  )
  assert.equal(rows[0].is_right, true)
  assert.equal((await resolve()).status, 200)
  assert.equal((await removed(elsewhere, third)).status, 403, 'another session of the same admin')
})

test('whoever has a second factor gives a code too', async () => {
  const admin = await demoUser(yard, 'admin2')
  const app = await enrolled(yard, admin)
  const id = await newListing(yard.owner, seller.id)
  await yard.travel('20 minutes')
  const noCode = await again(admin, { password: demoPassword })
  assert.deepEqual([noCode.status, Object.keys(noCode.body.errors)], [422, ['otp']])
  assert.equal((await again(admin, { password: demoPassword, otp: await app.code(5) })).status, 422)
  assert.equal((await removed(admin, id)).status, 403)
  assert.equal((await again(admin, { password: demoPassword, otp: await app.code() })).status, 200)
  assert.equal((await removed(admin, id)).status, 200)
})

test('wrong passwords are counted: ten, then a wait', async () => {
  const { client } = await signUp(yard)
  const answers: number[] = []
  for (let nth = 0; nth < 11; nth++) answers.push((await again(client, { password: 'Wrong-pass-1' })).status)
  assert.deepEqual(answers, [...Array<number>(10).fill(422), 429])
})

test('a step that is sent again with its idempotency key is taken and written down once', async () => {
  const admin = await demoUser(yard, 'admin')
  const id = await newListing(yard.owner, seller.id)
  const headers = { 'idempotency-key': `remove-${id}` }
  const send = () => admin.post(`/api/v1/listings/${id}/actions/remove`, { reason: 'Stolen' }, headers)
  assert.deepEqual([(await send()).status, (await send()).status], [200, 200])
  const { rowCount } = await yard.owner.query(`select from audit_entries where act = 'listing-remove' and details ->> 'listing_id' = $1`, [
    id,
  ])
  assert.equal(rowCount, 1)
})
