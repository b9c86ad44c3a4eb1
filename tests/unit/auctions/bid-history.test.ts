import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settings } from '#contract/settings.ts'
import { decideBid, type Auction } from '#domain/bids/bidding.ts'
import { rowsOfBid, type StoredBid } from '#domain/bids/history.ts'
import fc from '#tests/support/properties.ts'

const [ann, bob] = [1, 2]

const rows: [string, Partial<StoredBid> & Pick<StoredBid, 'amount' | 'price_after'>, [number, number, 'automatic'?][]][] = [
  ['the first bid shows its amount', { amount: 100_00, price_after: 100_00 }, [[bob, 100_00]]],
  [
    'a first bid that meets the reservation price is raised to it',
    { amount: 100_00, price_after: 400_00 },
    [
      [bob, 100_00],
      [bob, 400_00, 'automatic'],
    ],
  ],
  [
    'a bid below the leader’s maximum shows its own amount, and the leader’s answer above it',
    { amount: 1_130_00, price_after: 1_135_00, leader_after: ann, before: { leader: ann, price: 1_100_00, leaderMax: null } },
    [
      [bob, 1_130_00],
      [ann, 1_135_00, 'automatic'],
    ],
  ],
  [
    'a bid that equals the leader’s maximum is answered at that: the earlier leads',
    { amount: 150_00, price_after: 150_00, leader_after: ann, before: { leader: ann, price: 100_00, leaderMax: null } },
    [
      [bob, 150_00],
      [ann, 150_00, 'automatic'],
    ],
  ],
  [
    'a maximum above the leader’s: the bid, the beaten maximum, and a step above it',
    { amount: 110_00, price_after: 155_00, before: { leader: ann, price: 100_00, leaderMax: 150_00 } },
    [
      [bob, 110_00],
      [ann, 150_00, 'automatic'],
      [bob, 155_00, 'automatic'],
    ],
  ],
  [
    'a bid above the leader’s maximum leads at once, and the maximum that it passed is not shown',
    { amount: 160_00, price_after: 160_00, before: { leader: ann, price: 100_00, leaderMax: 150_00 } },
    [[bob, 160_00]],
  ],
  [
    'a leader whose maximum was the price already has nothing to answer with',
    { amount: 105_00, price_after: 105_00, before: { leader: ann, price: 100_00, leaderMax: 100_00 } },
    [[bob, 105_00]],
  ],
  [
    'a leader who raises the own maximum shows the price alone, by amount',
    { amount: 900_00, price_after: 100_00, before: { leader: bob, price: 100_00, leaderMax: null } },
    [[bob, 100_00]],
  ],
  [
    'a leader who raises the own maximum shows the price alone, however low the amount',
    { amount: 1, price_after: 100_00, before: { leader: bob, price: 100_00, leaderMax: null } },
    [[bob, 100_00]],
  ],
  [
    'a leader who meets the reservation price is raised to it',
    { amount: 110_00, price_after: 400_00, before: { leader: bob, price: 100_00, leaderMax: null } },
    [
      [bob, 110_00],
      [bob, 400_00, 'automatic'],
    ],
  ],
]

for (const [says, bid, expected] of rows) {
  test(`bid history: ${says}`, () => {
    const shown = rowsOfBid({ bidder: bob, leader_after: bob, before: null, ...bid })
    assert.deepEqual(
      shown.map(({ bidder, amount, is_automatic }) => (is_automatic ? [bidder, amount, 'automatic'] : [bidder, amount])),
      expected,
    )
    for (const row of shown) assert.equal(row.is_leading_after, row.bidder === (bid.leader_after ?? bob))
  })
}

const offers = fc.array(
  fc.record({ bidder: fc.constantFrom(1, 2, 3), amount: fc.integer({ min: 1, max: 3_000 }), more: fc.integer({ min: 0, max: 2_000 }) }),
  { maxLength: 40 },
)

test('whatever is bid: rows begin with the bid, rise to the price, end with the leader, and show no maximum that still counts', () => {
  fc.assert(
    fc.property(offers, fc.option(fc.integer({ min: 1_000, max: 2_500 })), (moves, reservationPrice) => {
      let auction: Auction = { startPrice: 1_000, reservationPrice, steps: settings.bid_steps_lot.default, standing: null }
      for (const { bidder, amount, more } of moves) {
        const decision = decideBid(auction, { bidder: String(bidder), amount, max: amount + more })
        if (!decision.accepted) continue
        const { standing: before } = auction
        const { price, leader, leaderMax } = decision.standing
        const shown = rowsOfBid({
          bidder,
          amount,
          price_after: price,
          leader_after: Number(leader),
          before: before && {
            leader: Number(before.leader),
            price: before.price,
            leaderMax: decision.hasNewLeader ? before.leaderMax : null,
          },
        })
        const first = shown[0]
        assert.deepEqual([first?.bidder, first?.is_automatic], [bidder, false])
        if (before?.leader !== String(bidder)) assert.equal(first?.amount, amount, 'a bid reads as it was bid')
        const last = shown.at(-1)
        assert.deepEqual([last?.bidder, last?.amount], [Number(leader), price], 'the last row is the leader’s, at the price')
        assert.ok(shown.every((row, nth) => nth === 0 || row.amount >= (shown[nth - 1]?.amount ?? 0)))
        if (leaderMax > price)
          assert.ok(
            shown.every((row) => row.amount < leaderMax),
            'the leader’s maximum is not shown',
          )
        for (const row of shown) {
          const most = row.bidder === bidder ? amount + more : (before?.leaderMax ?? 0)
          assert.ok(
            row.amount <= Math.max(most, row.bidder === Number(before?.leader) ? (before?.leaderMax ?? 0) : 0),
            'nobody bids over the own maximum',
          )
        }
        auction = { ...auction, standing: decision.standing }
      }
    }),
  )
})
