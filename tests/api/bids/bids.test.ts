import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from '#tests/support/properties.ts'
import pg from 'pg'
import { decideBid, type Auction } from '#domain/bids/bidding.ts'
import { findViolations } from '#database/check.ts'
import type { BidAnswer } from '#server/features/bids/batch.ts'
import { bidDecider, type BidDecider } from '#server/features/bids/decider.ts'
import { defaultRules, newListing, newMerchant, serverPool } from '#tests/support/auctions/auction.ts'
import { freshDatabase, type FreshDatabase } from '#tests/support/processes/postgres.ts'

let database: FreshDatabase
let owner: pg.Client
let pool: pg.Pool
let decider: BidDecider
let seller: string
let ann: string
let bob: string

before(async () => {
  database = await freshDatabase()
  owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  pool = serverPool(database.url)
  decider = bidDecider(pool, async () => defaultRules)
  seller = await newMerchant(owner)
  ann = await newMerchant(owner)
  bob = await newMerchant(owner)
})
after(async () => {
  await pool.end()
  await owner.end()
  await database.drop()
})

type Try = { bidder: string; amount: number; max?: number; key?: string; by?: BidDecider }

const bid = async (listingId: string, { bidder, amount, max = amount, key = randomUUID(), by = decider }: Try): Promise<BidAnswer> =>
  (await by.place({ listingId, bidderId: bidder, amount, max, key })).answer

const codeOf = (answer: BidAnswer) => (answer.outcome === 'accepted' ? 'accepted' : answer.code)
const listingRow = async (id: string) => (await owner.query('select * from listings where id = $1', [id])).rows[0]
async function many(count: number, make: (nth: number) => Promise<string>): Promise<string[]> {
  const made: string[] = []
  for (let nth = 0; nth < count; nth++) made.push(await make(nth))
  return made
}
// no closer runs here: what a test let end is put away by the test
const putAway = (id: string) => owner.query(`update listings set status = 'Expired' where id = $1`, [id])
const nothingIsBroken = async () => assert.deepEqual(await findViolations(owner), [])

test('an accepted bid leads, shows its price, and is kept exactly once', async () => {
  const id = await newListing(owner, seller)
  const answer = await bid(id, { bidder: ann, amount: 100_00, max: 500_00 })
  assert.ok(answer.outcome === 'accepted' && answer.bid.is_leading)
  const row = await listingRow(id)
  assert.deepEqual(
    [row.current_price, row.leader_id, row.leader_max, row.bid_count, row.leading_bid_id],
    [100_00, ann, 500_00, 1, answer.bid.id],
  )
  const { rows } = await owner.query('select seq, amount, max_amount, price_after from bids where listing_id = $1', [id])
  assert.deepEqual(rows, [{ seq: 1, amount: 100_00, max_amount: 500_00, price_after: 100_00 }])
})

test('standings: the leader is Active, the others Outbid, each with a number of its own', async () => {
  const id = await newListing(owner, seller)
  await bid(id, { bidder: ann, amount: 100_00 })
  await bid(id, { bidder: bob, amount: 150_00 })
  await bid(id, { bidder: ann, amount: 200_00 })
  const { rows } = await owner.query(
    'select bidder_id, bidder_number, status, max_amount from bid_standings where listing_id = $1 order by bidder_number',
    [id],
  )
  assert.deepEqual(rows, [
    { bidder_id: ann, bidder_number: 1, status: 'Active', max_amount: 200_00 },
    { bidder_id: bob, bidder_number: 2, status: 'Outbid', max_amount: 150_00 },
  ])
})

test('a bid that is too low carries the minimum, and leaves nothing behind', async () => {
  const id = await newListing(owner, seller)
  await bid(id, { bidder: ann, amount: 100_00 })
  const answer = await bid(id, { bidder: bob, amount: 100_00 })
  assert.ok(answer.outcome === 'refused')
  assert.deepEqual([answer.code, answer.minimum_bid, answer.says], ['bid_too_low', 105_00, 'Bid at least £105.00.'])
  assert.equal((await listingRow(id)).bid_count, 1)
})

const refusals: [string, Record<string, unknown>, string][] = [
  ['a suspended user', { suspended_at: new Date() }, 'account_suspended'],
  ['unfinished onboarding', { onboarding_stage: 2 }, 'onboarding_unfinished'],
  ['an incomplete payment account', { payment_account_completed: false }, 'payment_account_incomplete'],
  ['no holding-fee card', { holding_fee_card: null }, 'holding_fee_card_missing'],
  ['no licence', { licence_status: 'pending' }, 'licence_missing'],
  ['a licence that lapsed', { licence_expires_at: new Date(0) }, 'licence_missing'],
  ['strikes', { bidding_blocked_reason: '3 strikes' }, 'bidding_blocked'],
]
for (const [what, changes, code] of refusals) {
  test(`10: ${what} stops a bid at the moment it is decided`, async () => {
    const id = await newListing(owner, seller)
    assert.equal(codeOf(await bid(id, { bidder: await newMerchant(owner, changes), amount: 100_00 })), code)
    assert.equal((await listingRow(id)).bid_count, 0)
  })
}

test('7: the owner, the owner’s payment account and whoever the seller blocked are refused', async () => {
  const id = await newListing(owner, seller)
  assert.equal(codeOf(await bid(id, { bidder: seller, amount: 100_00 })), 'own_listing')
  const twin = await newMerchant(owner, { payment_account_id: `acct_${seller}` })
  assert.equal(codeOf(await bid(id, { bidder: twin, amount: 100_00 })), 'same_payment_account')
  const blocked = await newMerchant(owner)
  await owner.query('insert into user_blocks (blocker_id, blocked_id) values ($1, $2)', [seller, blocked])
  assert.equal(codeOf(await bid(id, { bidder: blocked, amount: 100_00 })), 'blocked_by_seller')
  assert.equal(codeOf(await bid(randomUUID(), { bidder: ann, amount: 100_00 })), 'not_found')
})

test('a listing that is not Active, or whose end has come, takes no bid', async () => {
  for (const status of ['Expired', 'PendingPayment']) {
    const id = await newListing(owner, seller, { status })
    assert.equal(codeOf(await bid(id, { bidder: ann, amount: 100_00 })), 'listing_not_active', status)
  }
  const past = new Date(Date.now() - 1)
  const id = await newListing(owner, seller, { expires_at: past, first_expires_at: past })
  assert.equal(codeOf(await bid(id, { bidder: ann, amount: 100_00 })), 'listing_ended')
  await putAway(id)
})

test('what is being prepared or was taken down is not there, but for those who bid on it', async () => {
  for (const status of ['Processing', 'HasAdminIssue', 'RemovedByAdmin']) {
    const id = await newListing(owner, seller)
    await bid(id, { bidder: ann, amount: 100_00 })
    await owner.query('update listings set status = $2 where id = $1', [id, status])
    assert.equal(codeOf(await bid(id, { bidder: bob, amount: 200_00 })), 'not_found', status)
    assert.equal(codeOf(await bid(id, { bidder: ann, amount: 200_00 })), 'listing_not_active', status)
    assert.equal(codeOf(await bid(id, { bidder: seller, amount: 200_00 })), 'own_listing', status)
  }
})

test('what the winner would owe with VAT stays within what can be paid', async () => {
  const vatSeller = await newMerchant(owner, { not_vat_registered: false, vat_number: 'GB123456789' })
  const id = await newListing(owner, vatSeller, { price_basis: 'tonne', weight_kg: 1_000 })
  assert.equal(codeOf(await bid(id, { bidder: ann, amount: 100_00, max: 833_333_32 })), 'accepted')
  const higher = await newListing(owner, vatSeller, { price_basis: 'tonne', weight_kg: 1_000 })
  assert.equal(codeOf(await bid(higher, { bidder: ann, amount: 100_00, max: 833_333_33 })), 'bid_too_high')
})

test('9: the same key and body answer the same, however often and at once; another body is refused', async () => {
  const id = await newListing(owner, seller)
  const key = randomUUID()
  const answers = await Promise.all(Array.from({ length: 20 }, () => bid(id, { bidder: ann, amount: 100_00, key })))
  const again = await bid(id, { bidder: ann, amount: 100_00, key, by: bidDecider(pool, async () => defaultRules) })
  for (const answer of [...answers, again]) assert.deepEqual(answer, answers[0])
  assert.equal((await listingRow(id)).bid_count, 1)
  assert.equal(codeOf(await bid(id, { bidder: ann, amount: 200_00, key })), 'idempotency_key_reused')
  assert.equal(codeOf(await bid(id, { bidder: bob, amount: 105_00, key })), 'accepted', 'a key is its user’s own')
})

test('11: fifty bids of the same amount at once: one leads, forty-nine are told what to bid', async () => {
  const id = await newListing(owner, seller)
  const bidders = await many(50, () => newMerchant(owner))
  const answers = await Promise.all(bidders.map((bidder) => bid(id, { bidder, amount: 100_00 })))
  assert.equal(answers.filter(({ outcome }) => outcome === 'accepted').length, 1)
  for (const answer of answers) if (answer.outcome === 'refused') assert.equal(answer.minimum_bid, 105_00)
  await nothingIsBroken()
})

test('5: a bid that waited for its lock past the end is refused', async () => {
  const soon = new Date(Date.now() + 400)
  const id = await newListing(owner, seller, { expires_at: soon, first_expires_at: soon })
  await owner.query('begin')
  await owner.query('select from listings where id = $1 for update', [id])
  const waiting = bid(id, { bidder: ann, amount: 100_00 })
  // the lock is held until the database itself says that the end has passed
  await owner.query(`select pg_sleep(greatest(0, extract(epoch from $1::timestamptz - clock_timestamp())) + 0.02)`, [soon])
  await owner.query('commit')
  assert.equal(codeOf(await waiting), 'listing_ended')
  await putAway(id)
})

test('a late bid moves the end, a raised maximum and a refused bid do not', async () => {
  const soon = new Date(Date.now() + 60_000)
  const id = await newListing(owner, seller, { expires_at: soon, first_expires_at: soon })
  const end = async () => (await listingRow(id)).expires_at.getTime()
  await bid(id, { bidder: ann, amount: 99_00 })
  assert.equal(await end(), soon.getTime())
  await bid(id, { bidder: ann, amount: 100_00 })
  const moved = await end()
  assert.ok(moved > soon.getTime() + 200_000)
  await bid(id, { bidder: ann, amount: 100_00, max: 300_00 })
  assert.equal(await end(), moved)
  const fixed = await newListing(owner, seller, { expires_at: soon, first_expires_at: soon, extends_on_late_bids: false })
  await bid(fixed, { bidder: ann, amount: 100_00 })
  assert.equal((await listingRow(fixed)).expires_at.getTime(), soon.getTime())
})

test('many processes at once on many listings: every accepted bid is kept, nothing is broken', async () => {
  const pools = [serverPool(database.url), serverPool(database.url), serverPool(database.url)]
  const deciders = pools.map((each) => bidDecider(each, async () => defaultRules))
  const bidders = await many(8, () => newMerchant(owner))
  const listings = await many(5, (nth) => newListing(owner, seller, nth % 2 ? { reservation_price: 3_000_00 } : {}))
  const answers = await Promise.all(
    Array.from({ length: 600 }, (_, nth) =>
      bid(listings[nth % 5] ?? '', {
        bidder: bidders[(nth * 7) % 8] ?? '',
        amount: 100_00 + (nth % 97) * 25_00,
        max: 100_00 + (nth % 97) * 25_00 + (nth % 3) * 90_00,
        by: deciders[nth % 3] ?? decider,
      }),
    ),
  )
  const accepted = answers.flatMap((answer) => (answer.outcome === 'accepted' ? [answer.bid.id] : []))
  const { rows } = await owner.query('select id from bids where listing_id = any($1::uuid[])', [listings])
  assert.deepEqual(new Set(rows.map(({ id }) => id)), new Set(accepted))
  assert.ok(accepted.length > 20)
  await nothingIsBroken()
  await Promise.all(pools.map((each) => each.end()))
})

test('whatever is bid, in whatever batches, the rows stand where the rules say', async () => {
  const people = [ann, bob, await newMerchant(owner)]
  const moves = fc.array(
    fc.record({ who: fc.nat(2), amount: fc.integer({ min: 90_00, max: 2_000_00 }), more: fc.integer({ min: 0, max: 900_00 }) }),
    { minLength: 1, maxLength: 25 },
  )
  await fc.assert(
    fc.asyncProperty(moves, fc.option(fc.integer({ min: 100_00, max: 2_500_00 })), async (tries, reservation_price) => {
      const id = await newListing(owner, seller, { reservation_price })
      let model: Auction = { startPrice: 100_00, reservationPrice: reservation_price, steps: defaultRules.steps.lot, standing: null }
      // sent together they are decided in order, in batches of whatever size
      const answers = await Promise.all(
        tries.map(({ who, amount, more }) => bid(id, { bidder: people[who] ?? '', amount, max: amount + more })),
      )
      tries.forEach(({ who, amount, more }, nth) => {
        const decision = decideBid(model, { bidder: people[who] ?? '', amount, max: amount + more })
        assert.equal(answers[nth]?.outcome === 'accepted', decision.accepted)
        if (decision.accepted) model = { ...model, standing: decision.standing }
      })
      const row = await listingRow(id)
      assert.deepEqual(
        model.standing,
        row.current_price === null ? null : { price: row.current_price, leader: row.leader_id, leaderMax: row.leader_max },
      )
    }),
    { numRuns: 60 },
  )
  await nothingIsBroken()
})

test('12: bids are append-only for the application’s role', async () => {
  for (const sql of [
    'update bids set amount = 1',
    'delete from bids',
    'delete from listing_events',
    "update listing_events set step = 'x'",
  ]) {
    await assert.rejects(pool.query(sql), /permission denied/)
  }
})

test('the check sees what is broken', async () => {
  const id = await newListing(owner, seller)
  await bid(id, { bidder: ann, amount: 100_00 })
  await owner.query('begin')
  await owner.query('update listings set current_price = 99, bid_count = 7 where id = $1', [id])
  await owner.query(`update bid_standings set status = 'Outbid' where listing_id = $1`, [id])
  const broken = (await findViolations(owner)).map(({ rule }) => rule)
  assert.equal(broken.length, 2)
  await owner.query('rollback')
  await nothingIsBroken()
})
