import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { BidAnswer } from '#server/features/bids/batch.ts'
import { bidDecider } from '#server/features/bids/decider.ts'
import { defaultRules } from '#tests/support/auctions/auction.ts'

export type Placing = { listing: string; bidder: string; amount: number; max?: number; key?: string }
export type PlaceBid = (placing: Placing) => Promise<BidAnswer>

/** One process's way of deciding bids. */
export function placeBidsOn(pool: pg.Pool, rules = defaultRules): PlaceBid {
  const decider = bidDecider(pool, async () => rules)
  return async ({ listing, bidder, amount, max = amount, key = randomUUID() }) =>
    (await decider.place({ listingId: listing, bidderId: bidder, amount, max, key })).answer
}
