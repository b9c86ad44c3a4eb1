import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '#tests/support/properties.ts'
import { decideBid, endAfterBid, isReservationMet, minimumBid, stepAt, type Auction, type BidStep } from '#domain/bids/bidding.ts'

// RULES §3.2, typed again
const lot: BidStep[] = [
  { below: 50_00, step: 1_00 },
  { below: 250_00, step: 5_00 },
  { below: 1_000_00, step: 10_00 },
  { below: 2_500_00, step: 25_00 },
  { below: 5_000_00, step: 50_00 },
  { below: 10_000_00, step: 100_00 },
  { below: 25_000_00, step: 250_00 },
  { below: 100_000_00, step: 500_00 },
  { below: null, step: 1_000_00 },
]

for (const [price, step] of [
  [0, 1_00],
  [49_99, 1_00],
  [50_00, 5_00],
  [249_99, 5_00],
  [250_00, 10_00],
  [999_99, 10_00],
  [1_000_00, 25_00],
  [99_999_99, 500_00],
  [100_000_00, 1_000_00],
] as const) {
  test(`at ${price} p the step is ${step} p`, () => assert.equal(stepAt(price, lot), step))
}

type Move = [bidder: string, amount: number, max?: number]
type End = { price: number; leader: string } | 'bid_too_low' | 'maximum_not_raised'

const stories: { says: string; reservation?: number; moves: Move[]; end: End; leaderMax?: number }[] = [
  { says: 'the first bid at the start price shows the start price', moves: [['ann', 100_00]], end: { price: 100_00, leader: 'ann' } },
  { says: 'a first bid below the start price is refused', moves: [['ann', 99_99]], end: 'bid_too_low' },
  { says: 'an exact bid shows exactly that', moves: [['ann', 150_00]], end: { price: 150_00, leader: 'ann' } },
  {
    says: 'a maximum shows only what is needed',
    moves: [['ann', 100_00, 500_00]],
    end: { price: 100_00, leader: 'ann' },
    leaderMax: 500_00,
  },
  {
    says: 'a bid equal to the current price is refused',
    moves: [
      ['ann', 100_00],
      ['bob', 100_00],
    ],
    end: 'bid_too_low',
  },
  {
    says: 'a bid less than a step above is refused',
    moves: [
      ['ann', 100_00],
      ['bob', 104_99],
    ],
    end: 'bid_too_low',
  },
  {
    says: 'a bid one step above leads',
    moves: [
      ['ann', 100_00],
      ['bob', 105_00],
    ],
    end: { price: 105_00, leader: 'bob' },
  },
  {
    says: 'a bid under the leader’s maximum lifts the price by one step above it',
    moves: [
      ['ann', 100_00, 500_00],
      ['bob', 200_00],
    ],
    end: { price: 205_00, leader: 'ann' },
  },
  {
    says: 'the price never passes the leader’s maximum',
    moves: [
      ['ann', 100_00, 203_00],
      ['bob', 200_00],
    ],
    end: { price: 203_00, leader: 'ann' },
  },
  {
    says: 'equal maximums: the earlier leads',
    moves: [
      ['ann', 100_00, 300_00],
      ['bob', 110_00, 300_00],
    ],
    end: { price: 300_00, leader: 'ann' },
  },
  {
    says: 'a higher maximum leads, one step above the other',
    moves: [
      ['ann', 100_00, 300_00],
      ['bob', 110_00, 400_00],
    ],
    end: { price: 310_00, leader: 'bob' },
  },
  {
    says: 'a higher maximum that is less than a step above leads at its maximum',
    moves: [
      ['ann', 100_00, 300_00],
      ['bob', 110_00, 303_00],
    ],
    end: { price: 303_00, leader: 'bob' },
  },
  {
    says: 'raising the own maximum changes no price',
    moves: [
      ['ann', 100_00],
      ['ann', 105_00, 900_00],
    ],
    end: { price: 100_00, leader: 'ann' },
    leaderMax: 900_00,
  },
  {
    says: 'lowering the own maximum is refused',
    moves: [
      ['ann', 100_00, 300_00],
      ['ann', 105_00, 200_00],
    ],
    end: 'maximum_not_raised',
  },
  {
    says: 'below the reservation price the whole maximum shows',
    reservation: 500_00,
    moves: [['ann', 100_00, 300_00]],
    end: { price: 300_00, leader: 'ann' },
  },
  {
    says: 'a maximum over the reservation price lifts the price to it',
    reservation: 500_00,
    moves: [['ann', 100_00, 800_00]],
    end: { price: 500_00, leader: 'ann' },
  },
  {
    says: 'a maximum at the reservation price meets it',
    reservation: 500_00,
    moves: [['ann', 100_00, 500_00]],
    end: { price: 500_00, leader: 'ann' },
  },
  {
    says: 'raising the own maximum below the reservation price shows all of it',
    reservation: 500_00,
    moves: [
      ['ann', 100_00, 300_00],
      ['ann', 310_00, 400_00],
    ],
    end: { price: 400_00, leader: 'ann' },
  },
  {
    says: 'raising the own maximum over the reservation price meets it',
    reservation: 500_00,
    moves: [
      ['ann', 100_00, 300_00],
      ['ann', 310_00, 900_00],
    ],
    end: { price: 500_00, leader: 'ann' },
  },
  {
    says: 'above the reservation price the runner-up counts again',
    reservation: 500_00,
    moves: [
      ['ann', 100_00, 900_00],
      ['bob', 510_00, 600_00],
    ],
    end: { price: 610_00, leader: 'ann' },
  },
  {
    says: 'a rival who passes an unmet maximum and the reservation price pays the reservation price',
    reservation: 500_00,
    moves: [
      ['ann', 100_00, 300_00],
      ['bob', 310_00, 900_00],
    ],
    end: { price: 500_00, leader: 'bob' },
  },
]

const startingAt = (reservationPrice: number | null): Auction => ({ startPrice: 100_00, reservationPrice, steps: lot, standing: null })

for (const { says, reservation = null, moves, end, leaderMax } of stories) {
  test(`bidding: ${says}`, () => {
    let auction = startingAt(reservation)
    let last: ReturnType<typeof decideBid> | undefined
    for (const [bidder, amount, max = amount] of moves) {
      last = decideBid(auction, { bidder, amount, max })
      if (last.accepted) auction = { ...auction, standing: last.standing }
    }
    if (typeof end === 'string') assert.ok(last && !last.accepted && last.code === end)
    else assert.deepEqual(last?.accepted && { price: last.standing.price, leader: last.standing.leader }, end)
    if (leaderMax) assert.equal(auction.standing?.leaderMax, leaderMax)
  })
}

const offers = fc.array(
  fc.record({
    bidder: fc.constantFrom('ann', 'bob', 'cat'),
    amount: fc.integer({ min: 1, max: 300_000 }),
    more: fc.integer({ min: 0, max: 200_000 }),
  }),
  { maxLength: 40 },
)

test('whatever is bid: prices only rise, nobody pays over the own maximum, the highest maximum leads, the earlier of equals', () => {
  fc.assert(
    fc.property(offers, fc.option(fc.integer({ min: 100_00, max: 250_000 })), (moves, reservation) => {
      let auction = startingAt(reservation)
      const best = new Map<string, number>()
      for (const { bidder, amount, more } of moves) {
        const before = auction.standing
        const minimum = minimumBid(auction)
        const decision = decideBid(auction, { bidder, amount, max: amount + more })
        if (!decision.accepted) {
          assert.ok(decision.code === 'maximum_not_raised' || Math.max(amount, before?.leader === bidder ? amount + more : 0) < minimum)
          continue
        }
        const { standing } = decision
        if (before) {
          const rose = standing.price - before.price
          assert.ok(rose === 0 ? before.leader === bidder : rose >= stepAt(before.price, lot), 'by a step at least, or not at all')
        }
        best.set(bidder, Math.max(best.get(bidder) ?? 0, amount + more))
        assert.ok(standing.price <= standing.leaderMax)
        assert.equal(standing.leaderMax, best.get(standing.leader))
        for (const [other, max] of best) if (other !== standing.leader) assert.ok(max <= standing.leaderMax)
        assert.equal(decision.hasNewLeader, before?.leader !== standing.leader)
        auction = { ...auction, standing }
        if (reservation !== null && !isReservationMet(auction)) assert.equal(standing.price, standing.leaderMax, 'the whole maximum shows')
      }
    }),
  )
})

const at = (minutes: number) => new Date(Date.UTC(2026, 0, 5, 12, minutes))
const late = { windowMs: 5 * 60_000, extensionMs: 5 * 60_000, capMs: 60 * 60_000 }

for (const [says, now, end, first, expected] of [
  ['a bid before the last five minutes moves nothing', 10, 16, 16, 16],
  ['a bid with five minutes left moves the end to five minutes from now', 11, 16, 16, 16],
  ['a bid in the last minute moves the end by what is missing', 15, 16, 16, 20],
  ['the end moves at most an hour past the first end', 70, 74, 16, 75],
  ['an end at the cap stays', 75, 76, 16, 76],
] as const) {
  test(`late bids: ${says}`, () => {
    assert.deepEqual(endAfterBid({ now: at(now), expires_at: at(end), first_expires_at: at(first) }, late), at(expected))
  })
}

test('13: however often late bids come, the end never moves back, never past now and its extension, never past the cap', () => {
  const after = fc.array(fc.integer({ min: 0, max: 20 * 60_000 }), { maxLength: 30 })
  const rules = fc.record({
    windowMs: fc.integer({ min: 0, max: 600_000 }),
    extensionMs: fc.integer({ min: 0, max: 600_000 }),
    capMs: fc.integer({ min: 0, max: 3_600_000 }),
  })
  fc.assert(
    fc.property(after, rules, (waits, given) => {
      const first_expires_at = at(60)
      let expires_at = first_expires_at
      let now = at(0)
      for (const wait of waits) {
        now = new Date(now.getTime() + wait)
        if (now >= expires_at) break
        const end = endAfterBid({ now, expires_at, first_expires_at }, given)
        assert.ok(end >= expires_at)
        if (end > expires_at) {
          assert.ok(expires_at.getTime() - now.getTime() <= given.windowMs, 'only in the last minutes')
          assert.ok(end.getTime() <= now.getTime() + given.extensionMs)
          assert.ok(end.getTime() <= first_expires_at.getTime() + given.capMs)
        }
        expires_at = end
      }
    }),
  )
})
