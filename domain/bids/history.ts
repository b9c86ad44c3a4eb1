import { formatClock } from '#domain/format-time.ts'
import type { Pence } from '#domain/money.ts'

// A bid is a maximum, and what is stored of it is one row. What others see of it are the amounts that were bid: by the bidder,
// and by us for whoever had a maximum to bid with. Rows are derived from the stored bid and the state before it, never stored.

/** A stored bid and the state before it. Bidders are their numbers on the listing. */
export type StoredBid = {
  bidder: number
  amount: Pence
  price_after: Pence
  leader_after: number
  /** Null for the first bid. `leaderMax` is looked at only where the lead changed: until then it is nobody's business. */
  before: { leader: number; price: Pence; leaderMax: Pence | null } | null
}

export type BidRow = { bidder: number; amount: Pence; is_automatic: boolean; is_leading_after: boolean }

/** What one stored bid shows, in the order in which it happened: the bid, the former leader's answer, the new leader's answer to that. */
export function rowsOfBid(bid: StoredBid): BidRow[] {
  const { bidder, price_after, leader_after } = bid
  const row = (who: number, amount: Pence, is_automatic: boolean): BidRow => ({
    bidder: who,
    amount,
    is_automatic,
    is_leading_after: who === leader_after,
  })
  const own = row(bidder, ownAmount(bid), false)
  const answer = formerLeadersAnswer(bid, own.amount)
  const rows = answer === undefined ? [own] : [own, row(answer.leader, answer.amount, true)]
  // the bid was raised at once: to beat the former leader, or to meet the reservation price
  if (leader_after === bidder && price_after > own.amount) rows.push(row(bidder, price_after, true))
  return rows
}

/** RULES §3.5, in words: the end that a late bid moved the listing to. */
export const extensionWords = (end: Date): string => `Extended to ${formatClock(end)} by a late bid`

/** Never above the price that it led to: a leader who raises the own maximum shows nothing of it. Nor below one's own lead. */
function ownAmount({ bidder, amount, price_after, before }: StoredBid): Pence {
  const least = before?.leader === bidder ? before.price : 0
  return Math.max(least, Math.min(amount, price_after))
}

function formerLeadersAnswer({ bidder, price_after, leader_after, before }: StoredBid, bidden: Pence) {
  if (!before || before.leader === bidder) return undefined
  const { leader, price, leaderMax } = before
  if (leader === leader_after) return { leader, amount: price_after }
  // beaten: what the former leader could still bid, if that was worth bidding
  return leaderMax !== null && leaderMax >= bidden && leaderMax > price ? { leader, amount: leaderMax } : undefined
}
