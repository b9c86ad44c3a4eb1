import { randomUUID } from 'node:crypto'
import { settings } from '#contract/settings.ts'
import type { DemoListing, DemoPeople } from '#database/demo/listing.ts'
import { decideBid, minimumBid, type Auction } from '#domain/bids/bidding.ts'

export type DemoStanding = {
  listing_id: string
  bidder_id: string
  bidder_number: number
  latest_bid_id: string
  max_amount: number
  status: string
}
export type Outcome = {
  current_price: number | null
  leader_id: string | null
  leader_max: number | null
  leading_bid_id: string | null
  bid_count: number
}
export type Times = { id: string; people: DemoPeople; began: Date; ends: Date; now: Date }

/** The bids of a listing, decided by the rules that decide real ones, spread over the time it has run. */
export function bidsOf({ price, reservation, bids = [] }: DemoListing, { id, people, began, ends, now }: Times) {
  const [startPrice, basis] = price
  const steps = basis === 'lot' ? settings.bid_steps_lot.default : settings.bid_steps_tonne.default
  let auction: Auction = { startPrice, reservationPrice: reservation ?? null, steps, standing: null }
  const standings = new Map<string, DemoStanding>()
  const until = Math.min(now.getTime(), ends.getTime())
  const rows = bids.map(([who, max], nth) => {
    const bidder_id = people.get(who)?.id ?? ''
    const decision = decideBid(auction, { bidder: bidder_id, amount: minimumBid(auction), max })
    if (!decision.accepted) throw new Error(`the demo's bid of ${who} is refused: ${decision.code}`)
    const { standing } = decision
    auction = { ...auction, standing }
    const bid = randomUUID()
    const before = standings.get(bidder_id)
    standings.set(bidder_id, {
      listing_id: id,
      bidder_id,
      bidder_number: before?.bidder_number ?? standings.size + 1,
      latest_bid_id: bid,
      max_amount: Math.max(before?.max_amount ?? 0, max),
      status: 'Outbid',
    })
    return {
      id: bid,
      listing_id: id,
      seq: nth + 1,
      bidder_id,
      amount: Math.min(max, standing.price),
      max_amount: max,
      price_after: standing.price,
      leader_after: standing.leader,
      accepted_at: new Date(began.getTime() + ((until - began.getTime()) * (nth + 1)) / (bids.length + 1)),
      expires_at: ends,
    }
  })
  const { standing } = auction
  const leading = standing && standings.get(standing.leader)
  if (leading) leading.status = 'Active'
  const outcome: Outcome = {
    current_price: standing?.price ?? null,
    leader_id: standing?.leader ?? null,
    leader_max: standing?.leaderMax ?? null,
    leading_bid_id: leading?.latest_bid_id ?? null,
    bid_count: bids.length,
  }
  return { bids: rows, standings: [...standings.values()], outcome }
}
