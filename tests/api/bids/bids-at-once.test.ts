import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import fc from '#tests/support/properties.ts'
import pg from 'pg'
import { listingStatuses, type ListingStatus } from '#contract/values/listing-status.ts'
import { findViolations } from '#database/check.ts'
import type { BidAnswer } from '#server/features/bids/batch.ts'
import { writeSteps } from '#server/features/sales/steps.ts'
import { defaultRules, newListing, newMerchant, serverPool } from '#tests/support/auctions/auction.ts'
import { bidInModel, minimum, standing, type ModelListing } from '#tests/support/auctions/auction-model.ts'
import { stepTaken } from '#tests/support/auctions/step.ts'
import { placeBidsOn, type PlaceBid } from '#tests/support/auctions/place-bid.ts'
import { freshDatabase, type FreshDatabase } from '#tests/support/processes/postgres.ts'

// What happens at the same moment, on two processes. A row's lock, held by the test, puts the moments in order.

let database: FreshDatabase
let owner: pg.Client
/** Sees who waits: within a transaction that look would stay as it first was. */
let watcher: pg.Client
let pools: pg.Pool[]
let one: PlaceBid
let other: PlaceBid
let seller: string
let ann: string
let bob: string

before(async () => {
  database = await freshDatabase()
  owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  watcher = new pg.Client({ connectionString: database.url })
  await watcher.connect()
  pools = [serverPool(database.url), serverPool(database.url)]
  ;[one, other] = pools.map((pool) => placeBidsOn(pool)) as [PlaceBid, PlaceBid]
  seller = await newMerchant(owner)
  ann = await newMerchant(owner)
  bob = await newMerchant(owner)
})
after(async () => {
  await Promise.all(pools.map((pool) => pool.end()))
  await owner.end()
  await watcher.end()
  await database.drop()
})

const codeOf = (answer: BidAnswer) => (answer.outcome === 'accepted' ? 'accepted' : answer.code)
const countOf = async (id: string) => (await owner.query('select bid_count from listings where id = $1', [id])).rows[0].bid_count
const nothingIsBroken = async () => assert.deepEqual(await findViolations(owner), [])

const waiting = async () => {
  const { rowCount } = await watcher.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  return rowCount ?? 0
}

/** Holds the listings until all calls wait for them, each begun when the one before waits; then lets go. */
async function behindALock<T>(
  ids: string[],
  calls: (() => Promise<T>)[],
  whileHeld: () => Promise<unknown> = async () => {},
): Promise<T[]> {
  await owner.query('begin')
  await owner.query('select from listings where id = any($1::uuid[]) order by id for update', [ids])
  const answers: Promise<T>[] = []
  for (const call of calls) {
    answers.push(call())
    while ((await waiting()) < answers.length) await pause(2)
  }
  await whileHeld()
  await owner.query('commit')
  return Promise.all(answers)
}

test('11: a bid that waited for its lock while another was accepted is judged by the new price', async () => {
  const id = await newListing(owner, seller)
  const [first, second] = await behindALock(
    [id],
    [() => one({ listing: id, bidder: bob, amount: 150_00 }), () => other({ listing: id, bidder: ann, amount: 120_00 })],
  )
  assert.equal(first && codeOf(first), 'accepted')
  assert.ok(second?.outcome === 'refused')
  assert.deepEqual([second.code, second.minimum_bid], ['bid_too_low', 155_00])
})

test('5: a bid that waited while a late bid moved the end is judged by the new end', async () => {
  const soon = new Date(Date.now() + 800)
  const id = await newListing(owner, seller, { expires_at: soon, first_expires_at: soon })
  const pastOldEnd = async () => {
    await owner.query(`update listings set expires_at = expires_at + interval '1 minute' where id = $1`, [id])
    await owner.query('select pg_sleep(greatest(0, extract(epoch from $1::timestamptz - clock_timestamp())) + 0.01)', [soon])
  }
  const [answer] = await behindALock([id], [() => one({ listing: id, bidder: ann, amount: 100_00 })], pastOldEnd)
  assert.equal(answer && codeOf(answer), 'accepted')
})

test('11: of two valid bids at once, the result is that of one order or of the other, and who lost is told the new minimum', async () => {
  const offer = fc.record({
    above: fc.integer({ min: 0, max: 100_00 }),
    more: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 100_00 })),
  })
  await fc.assert(
    fc.asyncProperty(offer, offer, fc.option(fc.integer({ min: 100_00, max: 250_00 })), async (a, b, reservationPrice) => {
      const id = await newListing(owner, seller, { reservation_price: reservationPrice })
      const placings = [
        { listing: id, bidder: ann, amount: 100_00 + a.above, max: 100_00 + a.above + a.more },
        { listing: id, bidder: bob, amount: 100_00 + b.above, max: 100_00 + b.above + b.more },
      ] as const
      const answers = await Promise.all([one(placings[0]), other(placings[1])])
      const { rows } = await owner.query(
        'select current_price as price, leader_id as leader, leader_max as max from listings where id = $1',
        [id],
      )

      const inOrder = (order: readonly (0 | 1)[]) => {
        const model: ModelListing = { ...blank(id), reservationPrice }
        const verdicts: string[] = []
        for (const nth of order) verdicts[nth] = bidInModel(model, { ...placings[nth], at: 0 })
        return { verdicts, standing: standing(model), minimum: minimum(model) }
      }
      const possible = [inOrder([0, 1]), inOrder([1, 0])]
      const verdicts = answers.map(codeOf)
      const happened = possible.find(
        (each) =>
          JSON.stringify(each.verdicts) === JSON.stringify(verdicts) &&
          each.standing?.leader === rows[0].leader &&
          each.standing?.price === rows[0].price,
      )
      assert.ok(happened, JSON.stringify({ verdicts, row: rows[0], possible }))
      for (const answer of answers) if (answer.outcome === 'refused') assert.equal(answer.minimum_bid, happened.minimum)
    }),
    { numRuns: 40 },
  )
  await nothingIsBroken()
})

const blank = (id: string): ModelListing => ({
  id,
  startPrice: 100_00,
  reservationPrice: null,
  steps: defaultRules.steps.lot,
  extends: false,
  sellerInvoices: false,
  firstEnd: 1,
  end: 1,
  status: 'Active',
  bids: [],
})

test('9: one key at the same moment for two listings, on two processes: one bid, and the other body is refused', async () => {
  for (let round = 0; round < 8; round++) {
    const [first, second] = [await newListing(owner, seller), await newListing(owner, seller)]
    const key = randomUUID()
    const answers = await behindALock(
      [first, second],
      [() => one({ listing: first, bidder: ann, amount: 100_00, key }), () => other({ listing: second, bidder: ann, amount: 100_00, key })],
    )
    assert.deepEqual(answers.map(codeOf).toSorted(), ['accepted', 'idempotency_key_reused'])
    assert.equal((await countOf(first)) + (await countOf(second)), 1)
  }
})

test('9: one key many times at once on two processes makes one bid', async () => {
  const id = await newListing(owner, seller)
  const key = randomUUID()
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, nth) => (nth % 2 ? one : other)({ listing: id, bidder: ann, amount: 100_00, key })),
  )
  for (const answer of answers) assert.deepEqual(answer, answers[0])
  assert.equal(await countOf(id), 1)
})

test('10: in none of the 23 other statuses does a listing take a bid', async () => {
  for (const status of Object.keys(listingStatuses) as ListingStatus[]) {
    if (status === 'Active') continue
    const id = await newListing(owner, seller, { status })
    const answer = await one({ listing: id, bidder: ann, amount: 100_00 })
    assert.ok(['listing_not_active', 'not_found'].includes(codeOf(answer)), `${status}: ${codeOf(answer)}`)
    assert.equal(await countOf(id), 0)
  }
})

test('10: whoever may not bid when the lock is theirs is refused, whatever was so when they sent it', async () => {
  const changes: [string, string][] = [
    ['suspended_at = app_now()', 'account_suspended'],
    ['onboarding_stage = 2', 'onboarding_unfinished'],
    ['payment_account_completed = false', 'payment_account_incomplete'],
    ['holding_fee_card = null', 'holding_fee_card_missing'],
    [`licence_status = 'rejected'`, 'licence_missing'],
    [`licence_expires_at = app_now()`, 'licence_missing'],
    [`bidding_blocked_reason = 'strikes'`, 'bidding_blocked'],
    [`payment_account_id = 'acct_${seller}'`, 'same_payment_account'],
  ]
  for (const [change, code] of changes) {
    const id = await newListing(owner, seller)
    const bidder = await newMerchant(owner)
    const [answer] = await behindALock([id], [() => one({ listing: id, bidder, amount: 100_00 })], () =>
      owner.query(`update users set ${change} where id = $1`, [bidder]),
    )
    assert.equal(answer && codeOf(answer), code, change)
    assert.equal(await countOf(id), 0)
  }
})

test('23: after an admin removed it while many bid, no bid is accepted, nobody has an award, all bids are Closed', async () => {
  const id = await newListing(owner, seller)
  const bidders = [await newMerchant(owner), await newMerchant(owner), await newMerchant(owner)]
  let price = 100_00
  let isRemoved = false
  const acceptedLate: boolean[] = []
  const bidding = bidders.map(async (bidder, nth) => {
    for (let refusals = 0; refusals < 5;) {
      const wasRemoved = isRemoved
      const answer = await (nth % 2 ? one : other)({ listing: id, bidder, amount: (price += 20_00) })
      if (wasRemoved && answer.outcome === 'accepted') acceptedLate.push(true)
      if (!['accepted', 'bid_too_low'].includes(codeOf(answer))) refusals++
    }
  })
  while ((await countOf(id)) < 10) await pause(2)
  const client = await (pools[0] as pg.Pool).connect()
  await client.query('begin')
  await client.query('select from listings where id = $1 for update', [id])
  await writeSteps(client, [
    stepTaken({
      listing_id: id,
      step: 'remove',
      from: 'Active',
      to: 'RemovedByAdmin',
      actor: 'admin',
      actor_id: ann,
      effects: ['close_bids'],
    }),
  ])
  await client.query('commit')
  isRemoved = true
  client.release()
  await Promise.all(bidding)
  assert.deepEqual(acceptedLate, [])
  const { rows } = await owner.query(
    `select array(select distinct status from bid_standings where listing_id = $1) as standings,
            (select count(*)::int from awards where listing_id = $1) as awards,
            (select count(*)::int from bids b join listing_events e using (listing_id) where listing_id = $1 and b.accepted_at > e.at) as late`,
    [id],
  )
  assert.deepEqual(rows[0], { standings: ['Closed'], awards: 0, late: 0 })
  await nothingIsBroken()
})
