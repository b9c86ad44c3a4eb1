import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase, type Db } from '#server/db/db.ts'
import { hashToken, sessionFinder, type FindSession } from '#server/http/session.ts'
import { newListing, newPhoto } from '#tests/support/auctions/auction.ts'
import type { Client } from '#tests/support/client.ts'
import { demoUser } from '#tests/support/people.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

// Requests that come at the same moment share queries, and nothing else.

let yard: Yard
let db: Db
let find: FindSession
before(async () => {
  yard = await openYard({ demo: true })
  db = openDatabase(yard.databaseUrl, 4)
  find = sessionFinder(db)
})
after(async () => {
  await db.destroy()
  await yard.close()
})

const tokenOf = (client: Client) => client.cookies.get('sid') ?? ''
const idOf = async (client: Client) => (await client.get('/api/v1/auth/me')).body.data.id

test('everybody who is looked up together is who they are, and a session that ended is none', async () => {
  const [seller, buyer, gone] = [await demoUser(yard, 'seller'), await demoUser(yard, 'buyer'), await demoUser(yard, 'rival')]
  await yard.owner.query('delete from sessions where token_hash = $1', [hashToken(tokenOf(gone))])
  const found = await Promise.all([tokenOf(seller), tokenOf(gone), tokenOf(buyer), 'no such token', tokenOf(seller)].map(find))
  assert.deepEqual(
    found.map((viewer) => viewer?.user.id),
    [await idOf(seller), undefined, await idOf(buyer), undefined, await idOf(seller)],
  )
  assert.deepEqual(found[2]?.tokenHash, hashToken(tokenOf(buyer)))
})

test('who comes while others are looked up is looked up after them, in one query, with what is so by then', async () => {
  const clients = await Promise.all((['seller', 'buyer', 'rival'] as const).map((name) => demoUser(yard, name)))
  const [first = '', lives = '', ends = ''] = clients.map(tokenOf)
  await yard.owner.query('begin')
  await yard.owner.query('lock table sessions in access exclusive mode')
  const asked = [find(first)]
  while ((await waitingForSessions()) === 0) await pause(5)
  asked.push(find(lives), find(ends), find(lives))
  await pause(0)
  assert.equal(await waitingForSessions(), 1)
  await yard.owner.query('delete from sessions where token_hash = $1', [hashToken(ends)])
  await yard.owner.query('commit')
  const found = await Promise.all(asked)
  assert.deepEqual(
    found.map((viewer) => viewer !== undefined),
    [true, true, false, true],
  )
})

test('a tier that changed counts at the next request, however many ask', async () => {
  const buyer = await demoUser(yard, 'buyer')
  const id = await idOf(buyer)
  const listing = await newListing(yard.owner, await idOf(await demoUser(yard, 'seller')))
  const bids = () =>
    Promise.all(
      Array.from({ length: 5 }, () =>
        buyer.post(`/api/v1/listings/${listing}/bids`, { amount: 100_00 }, { 'idempotency-key': randomUUID() }),
      ),
    )
  await yard.owner.query(`update users set tier = 'basic' where id = $1`, [id])
  assert.deepEqual(new Set((await bids()).map(({ body }) => body.code)), new Set(['permission_missing']))
  await yard.owner.query(`update users set tier = 'full' where id = $1`, [id])
  assert.equal((await bids()).filter(({ status }) => status === 201).length, 1)
})

test('the listing in the answer to a bid is the listing as its bidder sees it', async () => {
  const [seller, buyer, rival] = [await demoUser(yard, 'seller'), await demoUser(yard, 'buyer'), await demoUser(yard, 'rival')]
  const id = await newListing(yard.owner, await idOf(seller), { reservation_price: 900_00, grade: 'No.1', county: 'Lancashire' })
  await newPhoto(yard.owner, id, 2)
  await newPhoto(yard.owner, id, 1)
  for (const [client, more, most] of [
    [buyer, 0, 50_00],
    [rival, 10_00, 900_00],
    [buyer, 0, 0],
    [rival, 0, 2_000_00],
  ] as const) {
    const key = randomUUID()
    const amount = (await client.get(`/api/v1/listings/${id}`)).body.data.minimum_bid.value + more
    const bid = () => client.post(`/api/v1/listings/${id}/bids`, { amount, max_amount: amount + most }, { 'idempotency-key': key })
    const placed = await bid()
    assert.equal(placed.status, 201, JSON.stringify(placed.body))
    const seen = (await client.get(`/api/v1/listings/${id}`)).body.data
    assert.equal(seen.media.length, 2)
    assert.deepEqual(timeless(placed.body.data.listing), timeless(seen))
    assert.deepEqual(timeless((await bid()).body.data.listing), timeless(seen), 'and so it is when the same is asked again')
  }
})

const timeless = (listing: Record<string, unknown>) => ({ ...listing, server_time: undefined })

async function waitingForSessions(): Promise<number> {
  // within a transaction a second look would see what the first one saw
  await yard.owner.query('select pg_stat_clear_snapshot()')
  const { rows } = await yard.owner.query<{ count: number }>(
    `select count(*)::int as count
     from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like '%"sessions"%any%'`,
  )
  return rows[0]?.count ?? 0
}
