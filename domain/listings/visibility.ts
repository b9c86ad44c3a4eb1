import type { BidStatus } from '#contract/values/bid-status.ts'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import { viewerOf } from '#domain/listings/listing-label.ts'

/** Only the owner and the people who bid see a listing in one of these; to everybody else it does not exist. */
export const hiddenStatuses: readonly ListingStatus[] = ['Processing', 'HasAdminIssue', 'RemovedByAdmin']

export const isHidden = (status: ListingStatus): boolean => hiddenStatuses.includes(status)

export const isVisible = (status: ListingStatus, viewer: { isOwner: boolean; isBidder: boolean }): boolean =>
  !isHidden(status) || viewer.isOwner || viewer.isBidder

/** Whether the viewer is the seller, the winner, or the bidder an offer is made to. */
export const isParty = (listing: { seller_id: string; my_bid_status: BidStatus | null }, viewerId: string | null): boolean =>
  ['owner', 'buyer'].includes(viewerOf({ is_owner: listing.seller_id === viewerId, my_bid_status: listing.my_bid_status }))
