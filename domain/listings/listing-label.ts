import { bidStatuses, type BidStatus } from '#contract/values/bid-status.ts'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import { transferMethods, type TransferMethodId } from '#contract/values/transfer-method.ts'

/** A listing as one viewer sees it: what its label depends on. */
export type LabelledListing = {
  status: ListingStatus
  is_owner: boolean
  /** Null until a listing is Active: only then is its end set. */
  expires_at: Date | null
  can_offer_at_reservation_price: boolean
  transfer_method_id: TransferMethodId
  current_price: number | null
  kyc_status: string | null
  deferred_expires_at: Date | null
  my_bid_status: BidStatus | null
  my_bid_price: number | null
}

/** `buyer`: the winner, or the bidder an offer is made to (B of RULES §4). */
export type Viewer = 'owner' | 'buyer' | 'earlier_winner' | 'bidder' | 'visitor'

export type Theme = 'danger' | 'warning' | 'primary' | 'success'

export function listingLabel(listing: LabelledListing, viewer: Viewer, now: Date): string {
  const side = sideOf(listing, viewer)
  if (side === 'owner') return ownerLabel(listing, now)
  if (side === 'buyer') return buyerLabel(listing, now)
  return side === 'ended' ? 'Ended' : bidStatuses[side].label
}

/** RULES §4 "Colours". */
export function statusTheme(listing: LabelledListing, viewer: Viewer, now: Date): Theme {
  const side = sideOf(listing, viewer)
  if (side === 'ended') return 'primary'
  if (side !== 'owner' && side !== 'buyer') return bidThemes[side]

  const shown = shownStatus(listing, viewer, now)
  if (shown === 'DeferredPayment' && isOverdue(listing, now)) return 'danger'
  return fixedThemes[shown] ?? (waitsForViewer(shown, viewer) ? 'warning' : 'primary')
}

/** SPEC §4 "Labels shown to the owner (seller)". */
export function ownerLabel(listing: LabelledListing, now: Date): string {
  const label = ownerLabels[listing.status]
  return typeof label === 'string' ? label : label(listing, now)
}

/** SPEC §4 "Labels shown to the buyer". */
export function buyerLabel(listing: LabelledListing, now: Date): string {
  const label = buyerLabels[listing.status]
  return typeof label === 'string' ? label : label(listing, now)
}

/** Who somebody is to a listing follows from the standing of their bid: there is one per bidder and listing. */
export function viewerOf({ is_owner, my_bid_status }: Pick<LabelledListing, 'is_owner' | 'my_bid_status'>): Viewer {
  if (is_owner) return 'owner'
  return my_bid_status === null ? 'visitor' : viewerByBid[my_bid_status]
}

const viewerByBid: Record<BidStatus, Viewer> = {
  Active: 'bidder',
  Outbid: 'bidder',
  Won: 'buyer',
  Closed: 'bidder',
  MissedPayment: 'earlier_winner',
  OfferedToYou: 'buyer',
  OfferedToYouAtReservationPrice: 'buyer',
}

/** Whose step comes next in RULES §4. What somebody merely may do (withdraw, relist, contest) is not waited for. */
export const waitsFor: Record<ListingStatus, 'seller' | 'buyer' | 'both' | 'platform' | 'nobody'> = {
  RemovedByAdmin: 'nobody',
  HasAdminIssue: 'platform',
  Processing: 'platform',
  Active: 'nobody',
  PendingPayment: 'buyer',
  Expired: 'nobody',
  DocumentsRequired: 'seller',
  MissedPayment: 'seller',
  NextBidder: 'buyer',
  ReturnStarted: 'buyer',
  ReviewAmend: 'seller',
  ExchangeComplete: 'nobody',
  Dispatched: 'buyer',
  PendingCollection: 'both', // the buyer comes with vehicle and code, the seller enters them
  ReturnDispatched: 'seller',
  ApprovedAmendsDocumentsRequired: 'seller',
  InvoiceRequired: 'seller',
  ReturnComplete: 'nobody',
  ReceivedGoods: 'buyer',
  ReservationPrice: 'buyer',
  AwaitingKYC: 'both', // kyc_status does not say whose account is still unverified
  AwaitingVatNumberVerification: 'seller',
  BalanceDue: 'buyer',
  DeferredPayment: 'buyer',
}

function waitsForViewer(status: ListingStatus, viewer: Viewer): boolean {
  const party = waitsFor[status]
  if (viewer === 'owner') return party === 'seller' || party === 'both'
  return viewer === 'buyer' && (party === 'buyer' || party === 'both')
}

type Label = string | ((listing: LabelledListing, now: Date) => string)

const activeLabel: Label = (listing, now) => (isPast(listing.expires_at, now) ? 'Processing' : 'Active')

const ownerLabels: Record<ListingStatus, Label> = {
  Processing: 'Processing',
  Active: activeLabel,
  PendingPayment: 'Pending Payment',
  Expired: ({ can_offer_at_reservation_price }) => (can_offer_at_reservation_price ? 'Reservation price not met' : 'Expired'),
  DocumentsRequired: 'Documents Required',
  MissedPayment: 'Buyer Missed Payment',
  NextBidder: 'Offered to Next Bidder',
  ReturnStarted: 'Return Started',
  ReviewAmend: 'Review Amends',
  ExchangeComplete: 'Exchange Complete',
  Dispatched: 'Dispatched',
  PendingCollection: 'Pending Collection',
  ReturnDispatched: 'Return Dispatched',
  ApprovedAmendsDocumentsRequired: 'Documents Required',
  InvoiceRequired: 'Invoice Required',
  ReturnComplete: 'Return Complete',
  ReceivedGoods: ({ transfer_method_id }) => (transfer_method_id === transferMethods.Collection ? 'Pending collection' : 'Dispatched'),
  RemovedByAdmin: 'Removed By Admin',
  HasAdminIssue: 'Has Admin Issue',
  ReservationPrice: 'Offered to Highest Bidder',
  AwaitingKYC: 'Awaiting KYC',
  AwaitingVatNumberVerification: 'VAT Check Failed',
  BalanceDue: 'Additional Payment Required',
  DeferredPayment: (listing, now) => (isOverdue(listing, now) ? 'Buyers payment overdue' : 'Awaiting payment'),
}

const buyerLabels: Record<ListingStatus, Label> = {
  Processing: 'Processing',
  Active: activeLabel,
  PendingPayment: 'Unpaid',
  Expired: (listing) => (ledToTheEnd(listing) && listing.kyc_status === null ? 'Reservation price not met' : 'Expired'),
  DocumentsRequired: 'Organise exchange',
  MissedPayment: 'Missed Payment',
  NextBidder: ({ my_bid_status }) => (my_bid_status === 'OfferedToYou' ? 'Offered to you' : 'Missed Payment'),
  ReturnStarted: 'Return Started',
  ReviewAmend: 'Amend Requested',
  ExchangeComplete: 'Exchange Completed',
  Dispatched: 'Pending delivery',
  PendingCollection: 'Pending Collection',
  ReturnDispatched: 'Return Dispatched',
  ApprovedAmendsDocumentsRequired: 'Amend Accepted',
  InvoiceRequired: 'Pending Seller Invoice',
  ReturnComplete: 'Return Complete',
  ReceivedGoods: 'Accept or amend',
  RemovedByAdmin: 'Removed By Admin',
  HasAdminIssue: 'Has Admin Issue',
  ReservationPrice: 'Offered At Highest Bid Price',
  AwaitingKYC: 'Awaiting KYC',
  AwaitingVatNumberVerification: 'VAT Check Failed',
  BalanceDue: 'Balance Due',
  DeferredPayment: (listing, now) => (isOverdue(listing, now) ? 'Payment overdue' : 'Payment due'),
}

// RULES §4 "Who reads the buyer's labels", beside the buyer, who always does
const readByEverybody: readonly ListingStatus[] = ['Processing', 'Active', 'Expired', 'RemovedByAdmin', 'HasAdminIssue']
const readByEarlierWinners: readonly ListingStatus[] = ['MissedPayment', 'NextBidder']

/** Whose label is read: the owner's, the buyer's, that of the own bid, or none. */
function sideOf({ status, my_bid_status }: LabelledListing, viewer: Viewer): 'owner' | 'buyer' | 'ended' | BidStatus {
  if (viewer === 'owner' || viewer === 'buyer') return viewer
  if (readByEverybody.includes(status)) return 'buyer'
  if (viewer === 'earlier_winner' && readByEarlierWinners.includes(status)) return 'buyer'
  return my_bid_status ?? 'ended'
}

const fixedThemes: Partial<Record<ListingStatus, Theme>> = {
  RemovedByAdmin: 'danger',
  HasAdminIssue: 'danger',
  Expired: 'danger',
  MissedPayment: 'danger',
  AwaitingVatNumberVerification: 'danger',
  Active: 'success',
  ExchangeComplete: 'success',
  ReturnComplete: 'success',
}

// the colours of the listing statuses carried over to the words that a bid shows
const bidThemes: Record<BidStatus, Theme> = {
  Active: 'success',
  Outbid: 'primary',
  Won: 'success',
  Closed: 'danger',
  MissedPayment: 'danger',
  OfferedToYou: 'warning',
  OfferedToYouAtReservationPrice: 'warning',
}

// the colour follows the word: an ended Active reads Processing, and an earlier winner reads Missed Payment in NextBidder
function shownStatus({ status, expires_at }: LabelledListing, viewer: Viewer, now: Date): ListingStatus {
  if (status === 'Active' && isPast(expires_at, now)) return 'Processing'
  return status === 'NextBidder' && viewer === 'earlier_winner' ? 'MissedPayment' : status
}

// no bid is accepted at expires_at itself: the end is already past at that instant
const isPast = (end: Date | null, now: Date) => end !== null && now.getTime() >= end.getTime()
const isOverdue = ({ deferred_expires_at }: LabelledListing, now: Date) => isPast(deferred_expires_at, now)
const ledToTheEnd = ({ my_bid_price, current_price }: LabelledListing) => my_bid_price !== null && my_bid_price === current_price
