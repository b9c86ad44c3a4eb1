import type { BidStep } from '#domain/bids/bidding.ts'

// RULES §3, written a second time and differently: nothing is carried from bid to bid, everything is worked out anew from the
// whole list of bids that were accepted. Slow, and independent of domain/bidding.ts.

export type ModelBid = { bidder: string; amount: number; max: number; at: number }

export type ModelListing = {
  id: string
  startPrice: number
  reservationPrice: number | null
  steps: readonly BidStep[]
  extends: boolean
  sellerInvoices: boolean
  firstEnd: number
  end: number
  status: string
  bids: ModelBid[]
}

export type Verdict = 'accepted' | 'bid_too_low' | 'maximum_not_raised' | 'listing_ended' | 'listing_not_active'

/** The cap is near, so that two late bids reach it. */
export const lateBids = { windowMs: 5 * 60_000, extensionMs: 5 * 60_000, capMs: 8 * 60_000 }

/** Adds the bid if the rules accept it. */
export function bidInModel(listing: ModelListing, bid: ModelBid): Verdict {
  const verdict = judge(listing, bid)
  if (verdict !== 'accepted') return verdict
  const before = standing(listing)
  listing.bids.push(bid)
  const after = standing(listing)
  const isLate = listing.end - bid.at <= lateBids.windowMs
  const hasChanged = before?.price !== after?.price || before?.leader !== after?.leader
  if (listing.extends && isLate && hasChanged) {
    listing.end = Math.max(listing.end, Math.min(bid.at + lateBids.extensionMs, listing.firstEnd + lateBids.capMs))
  }
  return 'accepted'
}

function judge(listing: ModelListing, { bidder, amount, max, at }: ModelBid): Verdict {
  if (at >= listing.end) return 'listing_ended'
  if (listing.status !== 'Active') return 'listing_not_active'
  const now = standing(listing)
  const isLeader = now?.leader === bidder
  if (isLeader && isMet(listing)) return max > now.max ? 'accepted' : 'maximum_not_raised'
  return (isLeader ? max : amount) >= minimum(listing) ? 'accepted' : 'bid_too_low'
}

export function standing({ bids, ...listing }: ModelListing): { leader: string; max: number; price: number } | null {
  const leader = leaderOf(bids)
  if (!leader) return null
  // prices only rise: the price is the highest that any of the bids led to
  let price = 0
  bids.forEach((bid, nth) => (price = Math.max(price, shownBy(listing, bids.slice(0, nth), bid, price))))
  return { leader: leader.bidder, max: leader.max, price }
}

/** What the next bid must be. */
export function minimum(listing: ModelListing): number {
  const now = standing(listing)
  return now ? oneStepAbove(listing.steps, now.price) : listing.startPrice
}

export const isMet = (listing: ModelListing): boolean => (standing(listing)?.price ?? -1) >= (listing.reservationPrice ?? 0)

/** The highest maximum leads; of equal ones the earlier. */
function leaderOf(bids: readonly ModelBid[]): ModelBid | undefined {
  return bids.toSorted((a, b) => b.max - a.max || bids.indexOf(a) - bids.indexOf(b))[0]
}

type Rules = Pick<ModelListing, 'reservationPrice' | 'steps'>

/** The price that a bid led to, given those before it and the price that they had led to. */
function shownBy(
  { reservationPrice, steps }: Rules,
  before: readonly ModelBid[],
  { bidder, amount, max }: ModelBid,
  price: number,
): number {
  const reservation = reservationPrice ?? 0
  const led = leaderOf(before)
  if (!led) return Math.min(max, Math.max(amount, reservation))
  if (led.bidder === bidder) {
    return price >= reservation ? price : Math.min(max, Math.max(amount, oneStepAbove(steps, price), reservation))
  }
  if (max <= led.max) return Math.min(led.max, oneStepAbove(steps, max))
  return Math.min(max, Math.max(amount, oneStepAbove(steps, led.max), reservation))
}

const oneStepAbove = (steps: readonly BidStep[], price: number) =>
  price + (steps.filter(({ below }) => below === null || price < below)[0]?.step ?? NaN)

/** RULES §4, what the end leads to. */
export function closeInModel(listing: ModelListing, isVerified: (bidder: string) => boolean): void {
  const now = standing(listing)
  if (!now || !isMet(listing)) listing.status = 'Expired'
  else if (!isVerified(now.leader)) listing.status = 'AwaitingKYC'
  else listing.status = listing.sellerInvoices ? 'InvoiceRequired' : 'PendingPayment'
}
