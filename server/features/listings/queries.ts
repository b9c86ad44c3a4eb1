import { sql } from 'kysely'
import type { BidStatus } from '#contract/values/bid-status.ts'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import type { MaterialId } from '#contract/values/materials.ts'
import type { Role } from '#contract/values/permissions.ts'
import type { TransferMethodId } from '#contract/values/transfer-method.ts'
import { hiddenStatuses } from '#domain/listings/visibility.ts'
import type { PriceBasis } from '#domain/money.ts'
import type { DbOrTx } from '#server/db/db.ts'
import { isUuid } from '#server/http/uuid.ts'

/** A listing with its seller and the viewer's own standing, as the presenter needs it. */
export type ListingRow = ListingColumns & OwnView & { now: Date }

export type ListingColumns = {
  id: string
  seller_id: string
  status: ListingStatus
  title: string
  description: string
  material_id: MaterialId
  grade: string | null
  ewc_code: string | null
  condition: string | null
  price_basis: PriceBasis
  weight_kg: number | null
  start_price: number
  reservation_price: number | null
  transfer_method_id: TransferMethodId
  extends_on_late_bids: boolean
  accepts_deferred_payment: boolean
  seller_invoices: boolean
  serial_numbers: string | null
  source: string | null
  notes: { text: string; at: string }[]
  withdrawal_reason: string | null
  version: number
  address_line_1: string
  address_line_2: string | null
  town: string
  county: string | null
  post_code: string
  latitude: number
  longitude: number
  starts_at: Date | null
  expires_at: Date | null
  current_price: number | null
  leader_id: string | null
  leader_max: number | null
  bid_count: number
  can_offer_at_reservation_price: boolean
  kyc_status: 'pending' | 'verified' | 'failed' | null
  created_at: Date
  company_name: string
  member_since: Date
  vat_registered: boolean
  completed_sales: number
}

/** What the listing is to its viewer. */
export type OwnView = {
  is_watched: boolean
  /** Those who run the marketplace see every listing, and the sale of it. */
  viewer_role: Role | null
  my_bid_id: string | null
  my_bid_price: number | null
  my_max: number | null
  my_bid_status: BidStatus | null
}

/** Of `listings l` and its `users seller`. */
export const listingColumns = `
         l.id, l.seller_id, l.status, l.title, l.description, l.material_id, l.grade, l.ewc_code, l.condition, l.price_basis, l.weight_kg, l.start_price,
         l.reservation_price, l.transfer_method_id, l.extends_on_late_bids, l.accepts_deferred_payment, l.seller_invoices, l.serial_numbers, l.source,
         l.notes, l.withdrawal_reason, l.version, l.address_line_1, l.address_line_2, l.town, l.county, l.post_code, l.latitude, l.longitude, l.starts_at,
         l.expires_at, l.current_price, l.leader_id, l.leader_max, l.bid_count, l.can_offer_at_reservation_price, l.kyc_status, l.created_at,
         seller.company_name, seller.created_at as member_since, not seller.not_vat_registered as vat_registered,
         (select count(*)::int from listings done where done.seller_id = l.seller_id and done.status = 'ExchangeComplete') as completed_sales`

const seenBy = (viewerId: string | null) => sql`
  select ${sql.raw(listingColumns)},
         exists (select from watches w where w.listing_id = l.id and w.user_id = ${viewerId}::uuid) as is_watched,
         (select viewer.role from users viewer where viewer.id = ${viewerId}::uuid) as viewer_role,
         mine.latest_bid_id as my_bid_id, mine.max_amount as my_max, mine.status as my_bid_status,
         case when l.leader_id = mine.bidder_id then l.current_price else mine.max_amount end as my_bid_price,
         app_now() as now
  from listings l
  join users seller on seller.id = l.seller_id
  left join bid_standings mine on mine.listing_id = l.id and mine.bidder_id = ${viewerId}::uuid`

const isVisibleTo = (viewerId: string | null) =>
  sql`(
    l.status not in (${sql.join(hiddenStatuses)})
    or l.seller_id = ${viewerId}::uuid
    or mine.bidder_id is not null
    or exists (select from users viewer where viewer.id = ${viewerId}::uuid and viewer.role is not null)
  )`

export async function findListing(db: DbOrTx, id: string, viewerId: string | null): Promise<ListingRow | undefined> {
  if (!isUuid(id)) return undefined
  const { rows } = await sql<ListingRow>`${seenBy(viewerId)} where l.id = ${id}::uuid and ${isVisibleTo(viewerId)}`.execute(db)
  return rows[0]
}

/** In the order of their ids; what the viewer may not see is left out. */
export async function findListings(db: DbOrTx, ids: readonly string[], viewerId: string | null): Promise<ListingRow[]> {
  const { rows } = await sql<ListingRow>`
    ${seenBy(viewerId)}
    where l.id = any(${ids}::uuid[]) and ${isVisibleTo(viewerId)}
    order by array_position(${ids}::uuid[], l.id)`.execute(db)
  return rows
}
