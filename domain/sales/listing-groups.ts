import type { ActivityGroup, OwnGroup } from '#contract/values/activity-groups.ts'
import type { BidStatus } from '#contract/values/bid-status.ts'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import { viewerOf } from '#domain/listings/listing-label.ts'
import { isHidden } from '#domain/listings/visibility.ts'
import { isViewersTurn } from '#domain/sales/turn.ts'

// Where a listing stands in My listings and in Activity, and which of them wait for who looks.

/** Who holds a listing that an admin looks into; its status alone does not say whether it was sold. */
export type Holder = 'nobody' | 'offered' | 'buyer'

export type OwnListing = { status: ListingStatus; holder: Holder; can_offer_at_reservation_price: boolean }
/** `standing` is null for what is watched and was never bid on. */
export type FollowedListing = { status: ListingStatus; holder: Holder; standing: BidStatus | null; is_payment_processing?: boolean }

export function ownGroup(listing: OwnListing): Exclude<OwnGroup, 'waiting'> {
  return ownGroups[stageOf(listing)]
}

/** Null: nobody but the owner and the bidders is told of it. */
export function activityGroup(listing: FollowedListing): Exclude<ActivityGroup, 'waiting'> | null {
  if (listing.standing === null && isHidden(listing.status)) return null
  return activityGroups[listing.standing ?? 'watched'][stageOf(listing)] ?? 'lost'
}

/** The seller's step comes next, or the highest bidder may still be asked. */
export const waitsForOwner = ({ status, can_offer_at_reservation_price }: OwnListing): boolean =>
  isViewersTurn({ status, viewer: 'owner', can_offer_at_reservation_price })

/** To pay, to accept, to collect. Being outbid is no duty: those come first in Bidding, and do not bury what must be done. */
export const waitsForBidder = ({ status, standing, is_payment_processing = false }: FollowedListing): boolean =>
  isViewersTurn({
    status,
    viewer: viewerOf({ is_owner: false, my_bid_status: standing }),
    can_offer_at_reservation_price: false,
    is_payment_processing,
  })

type Stage = 'auction' | 'offer' | 'sale' | 'unsold' | 'done'

const stageOf = ({ status, holder }: { status: ListingStatus; holder: Holder }): Stage =>
  status === 'HasAdminIssue' ? issueStages[holder] : stages[status]

const issueStages: Record<Holder, Stage> = { nobody: 'auction', offered: 'offer', buyer: 'sale' }

const stages: Record<Exclude<ListingStatus, 'HasAdminIssue'>, Stage> = {
  Processing: 'auction',
  Active: 'auction',
  ReservationPrice: 'offer',
  NextBidder: 'offer',
  AwaitingKYC: 'sale',
  AwaitingVatNumberVerification: 'sale',
  InvoiceRequired: 'sale',
  PendingPayment: 'sale',
  BalanceDue: 'sale',
  DeferredPayment: 'sale',
  DocumentsRequired: 'sale',
  PendingCollection: 'sale',
  Dispatched: 'sale',
  ReceivedGoods: 'sale',
  ReviewAmend: 'sale',
  ApprovedAmendsDocumentsRequired: 'sale',
  ReturnStarted: 'sale',
  ReturnDispatched: 'sale',
  Expired: 'unsold',
  MissedPayment: 'unsold',
  RemovedByAdmin: 'unsold',
  ExchangeComplete: 'done',
  ReturnComplete: 'done',
}

// an offer binds nobody yet: until it is accepted the goods are unsold
const ownGroups: Record<Stage, Exclude<OwnGroup, 'waiting'>> = {
  auction: 'running',
  offer: 'unsold',
  sale: 'sold',
  unsold: 'unsold',
  done: 'done',
}

// where nothing stands here it has ended for this bidder
const activityGroups: Record<BidStatus | 'watched', Partial<Record<Stage, Exclude<ActivityGroup, 'waiting'>>>> = {
  Active: { auction: 'bidding' },
  Outbid: { auction: 'bidding' },
  Won: { sale: 'won', done: 'done' },
  OfferedToYou: { offer: 'offered' },
  OfferedToYouAtReservationPrice: { offer: 'offered' },
  MissedPayment: {},
  Closed: {},
  watched: { auction: 'watching' },
}
