import { rowsOfBid } from '#domain/bids/history.ts'
import { gbp } from '#domain/format.ts'

// A stored bid with the state before it, as the history reads it and as live events carry it: both show the same rows.

export type BidFacts = {
  id: string
  seq: number
  /** The bidder's number on the listing. */
  number: number
  amount: number
  price: number
  at: string | Date
  leads: boolean
  former_number: number | null
  former_price: number | null
  /** Of a former leader who was beaten; null while the maximum still counts. */
  former_max: number | null
  extended_to: string | Date | null
}

/**
 * `extended_to` is the end that the bid moved the listing to: the end in force at the next bid, or now. The former leader's
 * maximum is that of the latest bid, since a maximum is only ever raised.
 */
export const bidFacts = (which: string) => `
  select b.id, b.listing_id, b.bidder_id, b.seq, s.bidder_number as number, b.amount, b.price_after as price, b.accepted_at as at,
         b.leader_after = b.bidder_id as leads,
         before.leader_after as former_id, former.bidder_number as former_number, before.price_after as former_price,
         held.max_amount as former_max,
         case when l.extends_on_late_bids and coalesce(next.expires_at, l.expires_at) > b.expires_at then coalesce(next.expires_at, l.expires_at) end as extended_to
  from bids b
  join listings l on l.id = b.listing_id
  join bid_standings s on s.listing_id = b.listing_id and s.bidder_id = b.bidder_id
  left join bids before on before.listing_id = b.listing_id and before.seq = b.seq - 1
  left join bids next on next.listing_id = b.listing_id and next.seq = b.seq + 1
  left join bid_standings former on former.listing_id = b.listing_id and former.bidder_id = before.leader_after
  left join lateral (
    select max_amount
    from bids
    where listing_id = b.listing_id and seq < b.seq and bidder_id = before.leader_after and b.leader_after <> before.leader_after
    order by seq desc
    limit 1
  ) as held on true
  where ${which}`

export const bidFactsJson = `json_build_object(
  'id', id, 'seq', seq, 'number', number, 'amount', amount, 'price', price, 'at', at, 'leads', leads, 'former_number', former_number,
  'former_price', former_price, 'former_max', former_max, 'extended_to', extended_to)`

/** What a stored bid shows, oldest first. `seq` is the bid's own in all its rows: it counts bids, not rows. */
export function presentBid(bid: BidFacts) {
  const { id, seq, number, amount, price, at, leads, former_number, former_price, former_max, extended_to } = bid
  const before =
    former_number === null || former_price === null ? null : { leader: former_number, price: former_price, leaderMax: former_max }
  const leader_after = leads || !before ? number : before.leader
  return rowsOfBid({ bidder: number, amount, price_after: price, leader_after, before }).map((row, nth) => ({
    number: row.bidder,
    row: {
      id: nth === 0 ? id : `${id}.${nth}`,
      seq,
      bidder: `Bidder ${row.bidder}`,
      amount: gbp(row.amount),
      is_automatic: row.is_automatic,
      is_leading_after: row.is_leading_after,
      price_after: gbp(price),
      accepted_at: new Date(at).toISOString(),
      extended_to: nth === 0 && extended_to !== null ? new Date(extended_to).toISOString() : null,
    },
  }))
}
