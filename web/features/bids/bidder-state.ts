import type { UserLite } from '#contract/account.ts'
import type { Listing } from '#contract/listings.ts'
import { formatPrice } from '#domain/format.ts'
import { isLeading } from '#web/features/bids/bid-amounts.ts'

/** What somebody is to the bidding on a listing. */
export type BidderState = 'owner' | 'ended' | 'visitor' | 'leading' | 'outbid' | 'open'

export function bidderStateOf(listing: Listing, user: UserLite | null, isOver: boolean): BidderState {
  if (isOver || listing.status.name !== 'Active') return 'ended'
  if (listing.is_owner) return 'owner'
  if (!user) return 'visitor'
  if (!listing.my_latest_bid) return 'open'
  return isLeading(listing) ? 'leading' : 'outbid'
}

/** What is announced when it changes; nothing while there is nothing to say. */
export function newsOf(listing: Listing, state: BidderState): string {
  const price = (pence: number) => formatPrice(pence, listing.price_basis)
  const max = listing.my_latest_bid?.max_price.value
  if (state === 'leading') return `You lead at ${price(listing.current_price.value)}${max ? `. Your maximum is ${price(max)}.` : '.'}`
  if (state === 'outbid') return `You were outbid. The next bid is ${price(listing.minimum_bid.value)} or more.`
  if (state === 'ended') return endOf(listing)
  return ''
}

function endOf({ my_latest_bid, bid_count, status }: Listing): string {
  const mine = my_latest_bid?.bid_status
  if (mine?.name === 'Won') return `You won. ${status.label}.`
  if (status.name === 'Processing') return 'Bidding has not begun yet.'
  if (status.name === 'Active') return 'The time is up. The result comes in a moment.'
  if (status.name === 'HasAdminIssue') return 'Bidding has stopped while Yardbid looks into this listing.'
  // a leader whose bid was below the reservation price stays one: 'Your bid: Active' reads as if it still ran
  const own = mine && (mine.name === 'Active' ? ' Yours was the highest bid.' : ` Your bid: ${mine.label}.`)
  return `This listing has ended${bid_count === 0 ? ' without a bid' : ''}.${own ?? ''}`
}
