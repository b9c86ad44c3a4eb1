import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from '#tests/support/properties.ts'
import { settings } from '#contract/settings.ts'
import { findViolations } from '#database/check.ts'
import type { BidAnswer } from '#server/features/bids/batch.ts'
import { takeAction } from '#server/features/sales/act.ts'
import type { SettingReader } from '#server/features/settings/public.ts'
import { newListing } from '#tests/support/auctions/auction.ts'
import { bidInModel, closeInModel, isMet, minimum, standing, type ModelListing } from '#tests/support/auctions/auction-model.ts'
import { openAuctionWorld, type AuctionWorld } from '#tests/support/auctions/auction-world.ts'
import type { Placing } from '#tests/support/auctions/place-bid.ts'
import { eventsOutsideTheTable } from '#tests/support/auctions/replay.ts'

// The whole auction against a model of it, by commands that fast-check makes up and shrinks.
// A long run: MODEL_RUNS=20000 node --test tests/api/model.test.ts

const RUNS = Number(process.env['MODEL_RUNS'] ?? 50)
const HOUR = 3_600_000
const DAY = 24 * HOUR

let world: AuctionWorld
before(async () => (world = await openAuctionWorld()))
after(() => world.close())

type Sent = { placing: Required<Placing>; answer: BidAnswer }
type Model = { listings: ModelListing[]; sent: Sent[] }
type Step = { run: (model: Model) => Promise<void>; says: string }

const step = ({ run, says }: Step): fc.AsyncCommand<Model, null> => ({
  check: () => true,
  run: async (model) => {
    await run(model)
    await sameInBoth(model)
  },
  toString: () => says,
})

const nth = fc.nat(3)
const pick = <T>(all: readonly T[], at: number): T | undefined => all[at % Math.max(1, all.length)]

const list = fc
  .record({
    reservationPrice: fc.option(fc.integer({ min: 50_00, max: 400_00 })),
    basis: fc.constantFrom('lot' as const, 'tonne' as const),
    extends: fc.boolean(),
    sellerInvoices: fc.boolean(),
    hours: fc.constantFrom(1, 20, 100),
  })
  .map((made) =>
    step({
      says: `list ${JSON.stringify(made)}`,
      run: async ({ listings }) => {
        const end = world.now() + made.hours * HOUR
        const startPrice = 40_00
        const id = await newListing(world.owner, world.seller, {
          start_price: startPrice,
          reservation_price: made.reservationPrice,
          price_basis: made.basis,
          weight_kg: 1_000,
          extends_on_late_bids: made.extends,
          seller_invoices: made.sellerInvoices,
          starts_at: new Date(world.now()),
          expires_at: new Date(end),
          first_expires_at: new Date(end),
        })
        const steps = made.basis === 'lot' ? settings.bid_steps_lot.default : settings.bid_steps_tonne.default
        listings.push({ ...made, id, startPrice, steps, firstEnd: end, end, status: 'Active', bids: [] })
      },
    }),
  )

// mostly near what the rules ask for, on either side of it, or near the leader's maximum
const near = fc.oneof(fc.constantFrom(-1, 0, 0, 1), fc.integer({ min: -300, max: 60_00 }))
const offer = fc.record({ listing: nth, bidder: nth, above: near, upTo: fc.constantFrom('this', 'more', 'leader'), more: near })

function amountsOf(listing: ModelListing, { above, upTo, more }: { above: number; upTo: string; more: number }) {
  const amount = Math.max(1, minimum(listing) + above)
  const from = upTo === 'leader' ? (standing(listing)?.max ?? amount) : amount
  return { amount, max: upTo === 'this' ? amount : Math.max(amount, from + more) }
}

/** Sent together they are decided in order, in one batch or in several. */
const bid = fc.tuple(fc.array(offer, { minLength: 1, maxLength: 4 }), nth).map(([offers, by]) =>
  step({
    says: `bid ${JSON.stringify(offers)}`,
    run: async (model) => {
      const placings = offers.flatMap(({ listing: at, bidder, ...how }) => {
        const listing = pick(model.listings, at)
        return listing ? [{ listing: listing.id, bidder: world.bidders[bidder] ?? '', ...amountsOf(listing, how), key: randomUUID() }] : []
      })
      await sendAll(model, placings, by)
    },
  }),
)

const raise = fc.tuple(nth, fc.integer({ min: -1, max: 200_00 }), nth).map(([at, more, by]) =>
  step({
    says: `raise ${at} by ${more}`,
    run: async (model) => {
      const listing = pick(model.listings, at)
      const led = listing && standing(listing)
      if (led)
        await sendAll(
          model,
          [{ listing: listing.id, bidder: led.leader, amount: 1, max: Math.max(1, led.max + more), key: randomUUID() }],
          by,
        )
    },
  }),
)

/** 9: an earlier key again, by either process, with the same body or another. */
const resend = fc.tuple(fc.nat(50), fc.boolean(), nth).map(([at, isSame, by]) =>
  step({
    says: `resend ${at}${isSame ? '' : ' with another body'}`,
    run: async ({ sent }) => {
      const earlier = pick(sent, at)
      if (!earlier) return
      const answer = await world.place(by)({ ...earlier.placing, max: earlier.placing.max + (isSame ? 0 : 1) })
      if (isSame) assert.deepEqual(answer, earlier.answer)
      else assert.equal(answer.outcome === 'refused' && answer.code, 'idempotency_key_reused')
    },
  }),
)

const byDefault: SettingReader = async (key) => settings[key].default as never

const withdraw = nth.map((at) =>
  step({
    says: `withdraw ${at}`,
    run: async ({ listings }) => {
      const listing = pick(listings, at)
      if (!listing) return
      const now = world.now()
      const isOpen = listing.status === 'Active' && now < listing.end
      const may = isOpen && (listing.bids.length === 0 || (!isMet(listing) && now < listing.end - 12 * HOUR))
      const reason = { reason: 'Sold elsewhere' }
      const withdrawal = { listingId: listing.id, action: 'withdraw', sent: reason, person: { id: world.seller, role: null } }
      const done = await takeAction(
        { pool: world.pools[0], read: byDefault, askVat: () => assert.fail('nobody corrects a VAT number') },
        withdrawal,
      ).then(
        () => true,
        (error: { code?: string }) => (assert.equal(error.code, 'conflict'), false),
      )
      assert.equal(done, may)
      if (may) listing.status = 'Expired'
    },
  }),
)

/** Some way, or to a moment that matters: the end, a moment before it, or when bids begin to move it. */
const beforeEndMs = { end: 0, 'just before the end': 1, late: 5 * 60_000, 'not yet late': 5 * 60_000 + 1, 'very late': 1_000 }
type Moment = keyof typeof beforeEndMs
const moments = Object.keys(beforeEndMs) as Moment[]

const tick = fc.oneof(fc.constantFrom(1, 1_000, 4 * 60_000, HOUR, 9 * HOUR), fc.constantFrom(...moments)).map((by) =>
  step({
    says: `tick ${by}`,
    run: async ({ listings }) => {
      const left = typeof by === 'number' ? 0 : beforeEndMs[by]
      const now = world.now()
      const next = Math.min(...listings.flatMap(({ status, end }) => (status === 'Active' && end - left > now ? [end - left] : [])))
      if (typeof by === 'number') await world.setClock(now + by)
      else if (next < Infinity) await world.setClock(next)
    },
  }),
)

/** RULES §3.5: a bid of somebody else's in the last minutes of one listing. */
const lateBid = fc.tuple(nth, nth, fc.constantFrom(...moments), nth).map(([at, bidder, moment, by]) =>
  step({
    says: `bid ${moment} on ${at} by ${bidder}`,
    run: async (model) => {
      const listing = pick(model.listings, at)
      if (!listing) return
      await world.setClock(Math.max(world.now(), listing.end - beforeEndMs[moment]))
      const amount = minimum(listing)
      await sendAll(model, [{ listing: listing.id, bidder: world.bidders[bidder] ?? '', amount, max: amount, key: randomUUID() }], by)
    },
  }),
)

const close = nth.map((by) => step({ says: 'close', run: (model) => closeAll(model, by) }))

test('the auction does what a model of RULES §3 does, whatever is listed, bid, raised, sent again, withdrawn and closed', async () => {
  const commands = fc.commands([list, bid, bid, bid, raise, resend, withdraw, tick, lateBid, lateBid, close], {
    maxCommands: 30,
    size: 'medium',
  })
  await fc.assert(
    fc.asyncProperty(commands, async (steps) => {
      const model: Model = { listings: [], sent: [] }
      try {
        await fc.asyncModelRun(() => ({ model, real: null }), [first, ...steps])
        await world.setClock(world.now() + 5 * DAY)
        await closeAll(model, 0)
        await sameInBoth(model)
      } finally {
        // a run that failed leaves nothing open to the shorter one that is tried next
        await world.setClock(world.now() + 5 * DAY)
        while ((await world.closeOnce(0)) > 0);
      }
    }),
    // a failure is made shorter for so long, and then told as it is
    { numRuns: RUNS, interruptAfterTimeLimit: Math.max(90_000, RUNS * 1_500) },
  )
  await nothingIsBroken()
  const { rows } = await world.owner.query('select count(*)::int as bids, count(distinct leader_after)::int as leaders from bids')
  assert.ok(rows[0].bids > 20 && rows[0].leaders > 1, JSON.stringify(rows[0]))
})

// every run has a listing to begin with
const first = step({
  says: 'list',
  run: async (model) => (await fc.sample(list, { numRuns: 1, seed: 1 })[0]?.run(model, null)) ?? undefined,
})

async function sendAll(model: Model, placings: Required<Placing>[], by: number): Promise<void> {
  const answers = await Promise.all(placings.map((one) => world.place(by)(one)))
  placings.forEach((one, at) => {
    const listing = model.listings.find(({ id }) => id === one.listing) as ModelListing
    const answer = answers[at] as BidAnswer
    const verdict = bidInModel(listing, { bidder: one.bidder, amount: one.amount, max: one.max, at: world.now() })
    assert.equal(answer.outcome === 'accepted' ? 'accepted' : answer.code, verdict)
    if (answer.outcome === 'refused' && answer.minimum_bid !== undefined) assert.equal(answer.minimum_bid, minimum(listing))
    if (answer.outcome === 'accepted') {
      const led = standing(listing)
      assert.deepEqual(
        [answer.bid.seq, answer.bid.price_after, answer.bid.is_leading],
        [listing.bids.length, led?.price, led?.leader === one.bidder],
      )
    }
    model.sent.push({ placing: one, answer })
  })
}

/** 20: twice, by both processes at once. */
async function closeAll({ listings }: Model, by: number): Promise<void> {
  const due = listings.filter(({ status, end }) => status === 'Active' && end <= world.now())
  const closed = await Promise.all([world.closeOnce(by), world.closeOnce(by + 1)])
  assert.equal((closed[0] ?? 0) + (closed[1] ?? 0), due.length)
  for (const listing of due) closeInModel(listing, (bidder) => bidder !== world.unverified)
}

async function sameInBoth({ listings }: Model): Promise<void> {
  const { rows } = await world.owner.query(
    `select l.id, l.status, l.expires_at, l.current_price, l.leader_id, l.leader_max, l.bid_count, l.can_offer_at_reservation_price,
            a.bidder_id as awarded_to, a.price as awarded_at
     from listings l
     left join awards a on a.listing_id = l.id
     where l.id = any($1::uuid[])`,
    [listings.map(({ id }) => id)],
  )
  const inRows = new Map(rows.map((row) => [row.id, row]))
  for (const listing of listings) {
    const led = standing(listing)
    const isSold = !['Active', 'Expired'].includes(listing.status)
    const { can_offer_at_reservation_price: canOffer, ...row } = inRows.get(listing.id)
    assert.deepEqual(row, {
      id: listing.id,
      status: listing.status,
      // 13: it moves as the rules say, never back, and never after the close
      expires_at: new Date(listing.end),
      current_price: led?.price ?? null,
      leader_id: led?.leader ?? null,
      leader_max: led?.max ?? null,
      bid_count: listing.bids.length,
      awarded_to: isSold ? led?.leader : null,
      awarded_at: isSold ? led?.price : null,
    })
    if (canOffer) assert.ok(listing.status === 'Expired' && led && !isMet(listing))
  }
}

async function nothingIsBroken(): Promise<void> {
  assert.deepEqual(await findViolations(world.owner), [])
  assert.deepEqual(await eventsOutsideTheTable(world.owner), [])
}
