import { bidStatuses } from '#contract/values/bid-status.ts'
import { listingStatuses } from '#contract/values/listing-status.ts'
import type { Listing } from '#contract/listings.ts'
import { materials } from '#contract/values/materials.ts'
import type { MediaItem } from '#contract/storage.ts'
import { isReservationMet, minimumBid, stepAt, type BidStep } from '#domain/bids/bidding.ts'
import { gbp } from '#domain/format.ts'
import { listingLabel, statusTheme, viewerOf, type LabelledListing } from '#domain/listings/listing-label.ts'
import { whyNotEdit } from '#domain/listings/may-edit.ts'
import type { PriceBasis } from '#domain/money.ts'
import { isWithin } from '#domain/working-days.ts'
import { isParty } from '#domain/listings/visibility.ts'
import type { noSale } from '#server/features/sales/public.ts'
import type { ListingRow } from '#server/features/listings/queries.ts'

/** What a listing is presented with: its viewer, and what other tables hold. */
export type ListingView = {
  viewerId: string | null
  steps: Record<PriceBasis, readonly BidStep[]>
  media: ReadonlyMap<string, MediaItem[]>
  documents: ReadonlyMap<string, MediaItem[]>
  /** How long the seller may offer below the reservation price; null where no listing asks. */
  offerWindow: string | null
  /** What the sale is to its parties. */
  sale: typeof noSale
}

/** A listing as one viewer may see it: the border that the reservation price, other bidders and the address do not pass. */
export function presentListing(given: ListingRow, { viewerId, steps, media, documents, offerWindow, sale: whole }: ListingView): Listing {
  const { isPaid, ...sale } = whole
  const row = { ...given, can_offer_at_reservation_price: canStillOffer(given, offerWindow) }
  const is_owner = row.seller_id === viewerId
  const standing =
    row.current_price === null || row.leader_id === null || row.leader_max === null
      ? null
      : { price: row.current_price, leader: row.leader_id, leaderMax: row.leader_max }
  const { name, group, is_scrap } = materials[row.material_id]
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    status: presentStatus(row, is_owner, sale.user_deferred_payment),
    is_owner,
    is_watched: row.is_watched,
    version: row.version,
    material: { id: row.material_id, name, group, is_scrap },
    grade: row.grade,
    ewc_code: row.ewc_code,
    condition: row.condition,
    price_basis: row.price_basis,
    weight_kg: row.weight_kg,
    start_price: gbp(row.start_price),
    current_price: gbp(row.current_price ?? row.start_price),
    minimum_bid: gbp(minimumBid({ startPrice: row.start_price, standing, steps: steps[row.price_basis] })),
    bid_step: gbp(stepAt(row.current_price ?? row.start_price, steps[row.price_basis])),
    has_reservation_price: row.reservation_price !== null,
    reservation_met: isReservationMet({ reservationPrice: row.reservation_price, standing }),
    reservation_price: is_owner && row.reservation_price !== null ? gbp(row.reservation_price) : null,
    bid_count: row.bid_count,
    created_at: row.created_at.toISOString(),
    starts_at: row.starts_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    extends_on_late_bids: row.extends_on_late_bids,
    transfer_method_id: row.transfer_method_id,
    location: {
      town: row.town,
      county: row.county,
      post_code_district: row.post_code.split(' ')[0] ?? '',
      latitude: aboutAMile(row.latitude),
      longitude: aboutAMile(row.longitude),
      distance_miles: null,
    },
    address: is_owner || isPaid ? addressOf(row) : null,
    seller: {
      id: row.seller_id,
      company_name: row.company_name,
      member_since: row.member_since.toISOString(),
      vat_registered: row.vat_registered,
      completed_sales: row.completed_sales,
    },
    accepts_deferred_payment: row.accepts_deferred_payment,
    seller_invoices: row.seller_invoices,
    serial_numbers: isParty(row, viewerId) ? row.serial_numbers : null,
    source: isParty(row, viewerId) ? row.source : null,
    notes: row.notes.map(({ text, at }) => ({ text, at: new Date(at).toISOString() })),
    withdrawal_reason: is_owner || row.my_bid_status !== null ? row.withdrawal_reason : null,
    media: media.get(row.id) ?? [],
    documents: documents.get(row.id) ?? [],
    my_latest_bid: presentOwnBid(row),
    can_offer_at_reservation_price: row.can_offer_at_reservation_price,
    kyc_status: row.kyc_status,
    ...sale,
    can_edit: is_owner && whyNotEdit(row, row.now) === undefined,
    server_time: row.now.toISOString(),
  }
}

/** The flag outlives its two working days; what is shown does not. */
const canStillOffer = ({ can_offer_at_reservation_price, expires_at, now }: ListingRow, offerWindow: string | null) =>
  can_offer_at_reservation_price && expires_at !== null && offerWindow !== null && isWithin(offerWindow, expires_at, now)

const addressOf = ({ address_line_1, address_line_2, town, county, post_code, latitude, longitude }: ListingRow) => ({
  address_line_1,
  address_line_2,
  town,
  county,
  post_code,
  latitude,
  longitude,
})

function presentStatus(row: ListingRow, is_owner: boolean, deferred: Listing['user_deferred_payment']): Listing['status'] {
  const labelled: LabelledListing = { ...row, is_owner, deferred_expires_at: deferred && new Date(deferred.expires_at) }
  const viewer = viewerOf(labelled)
  return {
    id: listingStatuses[row.status],
    name: row.status,
    label: listingLabel(labelled, viewer, row.now),
    theme: statusTheme(labelled, viewer, row.now),
  }
}

function presentOwnBid({ my_bid_id, my_bid_price, my_max, my_bid_status }: ListingRow): Listing['my_latest_bid'] {
  if (my_bid_id === null || my_bid_price === null || my_max === null || my_bid_status === null) return null
  const { code, label } = bidStatuses[my_bid_status]
  return {
    id: my_bid_id,
    current_bid_price: gbp(my_bid_price),
    max_price: gbp(my_max),
    bid_status: { id: code, name: my_bid_status, label },
  }
}

// two decimal places of a degree: which side of town, not which yard
const aboutAMile = (degrees: number) => Math.round(degrees * 100) / 100
