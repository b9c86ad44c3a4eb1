import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { findViolations } from '#database/check.ts'
import { startCloser } from '#server/clock/closer.ts'
import { closeDue } from '#server/clock/due-listings.ts'
import { bidDecider, type BidDecider } from '#server/features/bids/decider.ts'
import { defaultRules, newListing, newMerchant, newPhoto, serverPool } from '#tests/support/auctions/auction.ts'
import { freshDatabase, type FreshDatabase } from '#tests/support/processes/postgres.ts'

let database: FreshDatabase
let owner: pg.Client
let pool: pg.Pool
let decider: BidDecider
let seller: string
let ann: string

before(async () => {
  database = await freshDatabase()
  owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  pool = serverPool(database.url, 4)
  decider = bidDecider(pool, async () => defaultRules)
  seller = await newMerchant(owner, { payment_account_verified: true })
  ann = await newMerchant(owner, { payment_account_verified: true })
})
after(async () => {
  await pool.end()
  await owner.end()
  await database.drop()
})

const log = { error: (fault: unknown) => assert.fail(JSON.stringify(fault)) } as never

const bid = async (listingId: string, bidderId: string, amount: number) =>
  (await decider.place({ listingId, bidderId, amount, max: amount, key: randomUUID() })).answer

/** As if the time had come: the end lies a moment back, for the listing and for the bids that were in time. */
async function endNow(...ids: string[]) {
  const { rows } = await owner.query<{ past: Date }>(`select date_trunc('milliseconds', app_now()) - interval '1 millisecond' as past`)
  await owner.query('update listings set expires_at = $2, first_expires_at = $2 where id = any($1::uuid[])', [ids, rows[0]?.past])
}

async function close(): Promise<number> {
  const client = await pool.connect()
  try {
    return await closeDue(client)
  } finally {
    client.release()
  }
}

const row = async (id: string) =>
  (await owner.query('select status, can_offer_at_reservation_price, kyc_status from listings where id = $1', [id])).rows[0]
const eventsOf = async (id: string) =>
  (await owner.query('select step, from_status, to_status, actor from listing_events where listing_id = $1 order by seq', [id])).rows
const standingsOf = async (id: string) =>
  (await owner.query('select status from bid_standings where listing_id = $1 order by bidder_number', [id])).rows.map(
    ({ status }) => status,
  )
const awardsOf = async (id: string) => (await owner.query('select bidder_id, price, status from awards where listing_id = $1', [id])).rows

test('without a bid it ends Expired', async () => {
  const id = await newListing(owner, seller)
  await endNow(id)
  assert.equal(await close(), 1)
  assert.deepEqual(await row(id), { status: 'Expired', can_offer_at_reservation_price: false, kyc_status: null })
  assert.deepEqual(await eventsOf(id), [{ step: 'end_without_bid', from_status: 'Active', to_status: 'Expired', actor: 'time' }])
  assert.deepEqual(await awardsOf(id), [])
})

test('below the reservation price it ends Expired, and can be offered to the highest bidder', async () => {
  const id = await newListing(owner, seller, { reservation_price: 900_00 })
  await bid(id, ann, 100_00)
  await endNow(id)
  await close()
  assert.deepEqual(await row(id), { status: 'Expired', can_offer_at_reservation_price: true, kyc_status: null })
  assert.deepEqual(await awardsOf(id), [])
})

test('sold, it goes to its leader at its price and waits for the payment', async () => {
  const id = await newListing(owner, seller)
  const bob = await newMerchant(owner, { payment_account_verified: true })
  await bid(id, ann, 100_00)
  await bid(id, bob, 250_00)
  await endNow(id)
  await close()
  assert.deepEqual(await row(id), { status: 'PendingPayment', can_offer_at_reservation_price: false, kyc_status: 'verified' })
  assert.deepEqual(await awardsOf(id), [{ bidder_id: bob, price: 250_00, status: 'pending_payment' }])
  assert.deepEqual(await standingsOf(id), ['Outbid', 'Won'], 'the others stay Outbid until the sale is paid')
})

const gates: [string, Record<string, unknown>, Record<string, unknown>, Record<string, unknown>, string][] = [
  ['an unverified buyer', {}, { payment_account_verified: false }, {}, 'AwaitingKYC'],
  ['an unverified seller', { payment_account_verified: false }, {}, {}, 'AwaitingKYC'],
  ['a seller who invoices himself', {}, {}, { seller_invoices: true }, 'InvoiceRequired'],
]
for (const [who, sellerChanges, buyerChanges, listingChanges, status] of gates) {
  test(`sold with ${who}, it goes to ${status}`, async () => {
    const from = await newMerchant(owner, { payment_account_verified: true, ...sellerChanges })
    const to = await newMerchant(owner, { payment_account_verified: true, ...buyerChanges })
    const id = await newListing(owner, from, listingChanges)
    await bid(id, to, 100_00)
    await endNow(id)
    await close()
    assert.equal((await row(id)).status, status)
  })
}

test('20: closing many times, from many processes at once, is closing once', async () => {
  const ids: string[] = []
  for (let nth = 0; nth < 60; nth++) ids.push(await newListing(owner, seller))
  await Promise.all(ids.filter((_id, nth) => nth % 2).map((id) => bid(id, ann, 100_00)))
  await endNow(...ids)
  const counts = await Promise.all([close(), close(), close(), close()])
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    60,
  )
  assert.equal(await close(), 0)
  const { rows } = await owner.query(
    'select count(*)::int as events, count(distinct listing_id)::int as listings from listing_events where listing_id = any($1::uuid[])',
    [ids],
  )
  assert.deepEqual(rows[0], { events: 60, listings: 60 })
})

/** One that cannot be closed: another award of it is open. Answers how to mend it. */
async function breakListing(): Promise<{ id: string; mend: () => Promise<unknown> }> {
  const id = await newListing(owner, seller)
  await bid(id, ann, 100_00)
  await owner.query(
    `insert into awards (listing_id, bidder_id, bid_id, price, status, charges_vat, vat_rate, goods, vat, total) select id, leader_id, leading_bid_id, 1, 'offered', true, 20, 1, 0, 1 from listings where id = $1`,
    [id],
  )
  await endNow(id)
  return { id, mend: () => owner.query(`delete from awards where listing_id = $1 and status = 'offered'`, [id]) }
}
const setAsideOf = async (id: string) =>
  (
    await owner.query(
      `select attempts, last_error ~ 'duplicate key' as is_told, next_try_at > app_now() as waits, extract(epoch from next_try_at - last_failed_at)::float8 as pause
       from set_aside_listings where listing_id = $1`,
      [id],
    )
  ).rows[0]
const tryAgainNow = (id: string) => owner.query('update set_aside_listings set next_try_at = app_now() where listing_id = $1', [id])

test('16: a listing that cannot be closed is set aside with a growing pause, and closed when it can be', async () => {
  const broken = await breakListing()
  const fine = await newListing(owner, seller)
  await endNow(fine)
  await close()
  assert.deepEqual([(await row(broken.id)).status, (await row(fine)).status], ['Active', 'Expired'])
  assert.deepEqual(await setAsideOf(broken.id), { attempts: 1, is_told: true, waits: true, pause: 2 })
  assert.equal(await close(), 0, 'it is not looked at before its pause is over')
  for (const [attempts, seconds] of [
    [2, 4],
    [3, 8],
  ]) {
    await tryAgainNow(broken.id)
    await close()
    assert.deepEqual(await setAsideOf(broken.id), { attempts, is_told: true, waits: true, pause: seconds })
  }
  await broken.mend()
  await tryAgainNow(broken.id)
  assert.equal(await close(), 1)
  assert.deepEqual([(await row(broken.id)).status, await setAsideOf(broken.id)], ['PendingPayment', undefined])
})

test('16: while a listing keeps failing at its end, others are started, closed and moved on', async () => {
  const broken = await breakListing()
  const [fine, ready, waiting] = [
    await newListing(owner, seller),
    await newListing(owner, seller, { status: 'Processing', starts_at: null, expires_at: null, first_expires_at: null }),
    await newListing(owner, seller, { seller_invoices: true }),
  ]
  await newPhoto(owner, ready)
  await bid(waiting, ann, 100_00)
  await endNow(waiting)
  await close()
  assert.equal((await row(waiting)).status, 'InvoiceRequired')
  await owner.query('update listings set due_at = app_now() where id = $1', [waiting])
  await endNow(fine)
  await tryAgainNow(broken.id)
  const told: unknown[] = []
  const closer = startCloser({ pool, log: { error: (fault: unknown) => told.push(fault) } as never })
  const statusOf = async (id: string) => (await row(id)).status
  while ((await statusOf(fine)) === 'Active') await pause(5)
  while ((await statusOf(ready)) === 'Processing') await pause(5)
  while ((await statusOf(waiting)) === 'InvoiceRequired') await pause(5)
  await closer.stop()
  assert.equal(await statusOf(broken.id), 'Active')
  assert.ok(JSON.stringify(told).includes(broken.id))
  await broken.mend()
  await tryAgainNow(broken.id)
  await close()
})

test('a bid after the close is told that the listing has ended', async () => {
  const id = await newListing(owner, seller)
  await endNow(id)
  await close()
  const answer = await bid(id, ann, 100_00)
  assert.equal(answer.outcome === 'refused' && answer.code, 'listing_ended')
})

test('two closers on the clock, with bids until the last moment: each listing closed once, no late bid taken, no accepted bid ignored', async () => {
  const otherPool = serverPool(database.url, 2)
  const forty = async () => {
    const made: string[] = []
    for (let nth = 0; nth < 40; nth++) made.push(await newListing(owner, seller, { extends_on_late_bids: false }))
    return made
  }
  const [others, ids] = [await forty(), await forty()]
  const bidders: string[] = []
  for (let nth = 0; nth < 4; nth++) bidders.push(await newMerchant(owner, { payment_account_verified: true }))

  const accepted = new Map<string, number>()
  let round = 0
  const bidOnAll = async (all: string[]) => {
    round++
    const by = (nth: number) => bidders[(nth + round) % 4] ?? ''
    const answers = await Promise.all(all.map(async (id, nth) => ({ id, answer: await bid(id, by(nth), 100_00 + round * 50_00) })))
    for (const { id, answer } of answers) if (answer.outcome === 'accepted') accepted.set(id, answer.bid.price_after)
  }
  // several rounds before the end, on a machine of any speed: others show how long one takes
  const began = performance.now()
  await bidOnAll(others)
  const lastsMs = Math.max(600, 5 * (performance.now() - began))
  accepted.clear()
  const closers = [startCloser({ pool, log }), startCloser({ pool: otherPool, log })]
  await owner.query(
    `update listings set expires_at = soon.t, first_expires_at = soon.t
     from (select date_trunc('milliseconds', app_now() + $2 * interval '1 millisecond') as t offset 0) as soon where id = any($1::uuid[])`,
    [ids, lastsMs],
  )
  const isOpen = async () =>
    (await owner.query(`select from listings where id = any($1::uuid[]) and status = 'Active' limit 1`, [ids])).rowCount
  while (await isOpen()) {
    await bidOnAll(ids)
    await pause(1)
  }
  await Promise.all(closers.map((closer) => closer.stop()))
  await otherPool.end()

  assert.ok(accepted.size > 0)
  const { rows } = await owner.query('select listing_id, price from awards where listing_id = any($1::uuid[])', [ids])
  assert.deepEqual(new Map(rows.map(({ listing_id, price: won }) => [listing_id, won])), accepted, 'the last accepted bid of each won')
  assert.deepEqual(await findViolations(owner), [])
})
