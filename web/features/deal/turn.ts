import type { Listing } from '#contract/listings.ts'
import { viewerOf, waitsFor } from '#domain/listings/listing-label.ts'
import { until } from '#web/features/deal/moment.ts'

export type Party = 'seller' | 'buyer'

/** Which side of the sale the viewer is on; nobody's, for those who only look on. */
export function partyOf({ is_owner, my_latest_bid }: Listing): Party | null {
  const viewer = viewerOf({ is_owner, my_bid_status: my_latest_bid?.bid_status.name ?? null })
  if (viewer === 'owner') return 'seller'
  return viewer === 'buyer' ? 'buyer' : null
}

export type Turn = { isMine: boolean; words: string }

/** 'Your turn until Tue 16:00' or 'Waiting for Smith Metals'; nothing where nobody is waited for. */
export function turnOf(listing: Listing, party: Party): Turn | null {
  const { deadline, server_time } = listing
  const whose = whoseTurn(listing)
  if (whose === 'nobody') return null
  const limit = deadline ? ` until ${until(deadline.at, server_time)}` : ''
  if (whose === party) return { isMine: true, words: `Your turn${limit}` }
  return { isMine: false, words: `Waiting for ${nameOf(listing, whose, party)}${limit}` }
}

function whoseTurn(listing: Listing) {
  // while it may be offered to the highest bidder, that is the seller's to do
  if (listing.status.name === 'Expired' && listing.can_offer_at_reservation_price) return 'seller'
  return waitsFor[listing.status.name]
}

function nameOf({ counterparty, status }: Listing, whose: Party | 'both' | 'platform', party: Party): string {
  if (whose === 'platform') return 'Yardbid'
  if (whose === 'both') return status.name === 'AwaitingKYC' ? 'both payment accounts' : 'both sides'
  return counterparty?.company_name ?? (party === 'seller' ? 'the buyer' : 'the seller')
}
