import type { ListingStatus } from '#contract/values/listing-status.ts'
import type { MaterialId } from '#contract/values/materials.ts'
import { materials } from '#contract/values/materials.ts'
import { permissionsOf, type Tier } from '#contract/values/permissions.ts'
import type { TransferMethodId } from '#contract/values/transfer-method.ts'
import type { ListingFacts } from '#domain/sales/listing-machine-step.ts'
import { whyNotBid, type Bidder } from '#domain/bids/may-bid.ts'
import type { PriceBasis } from '#domain/money.ts'
import type { ReadRows } from '#server/db/db.ts'

/** Where a listing stands: what the rows of the machine that are live look at. */
export type LifeRow = {
  id: string
  status: ListingStatus
  seller_id: string
  material_id: MaterialId
  price_basis: PriceBasis
  weight_kg: number | null
  start_price: number
  reservation_price: number | null
  reservation_waived: boolean
  transfer_method_id: TransferMethodId
  accepts_deferred_payment: boolean
  seller_invoices: boolean
  expires_at: Date | null
  entered_at: Date
  due_at: Date | null
  current_price: number | null
  leader_id: string | null
  bid_count: number
  can_offer_at_reservation_price: boolean
  former_status: ListingStatus | null
  media: 'checking' | 'fine' | 'flagged' | null
  is_relisted: boolean
  seller_tier: Tier
  seller_account: string | null
  seller_email_confirmed: boolean
  seller_account_completed: boolean
  seller_verified: boolean
  seller_charges_vat: boolean
  seller_vat: ListingFacts['vat']
  /** The winner, or the bidder an offer is made to. */
  buyer_id: string | null
  award_price: number | null
  /** Who would be the buyer if nobody is yet: the leader. */
  buyer_verified: boolean
  is_reinstated: boolean
  /** The one to whom the listing is offered first has deleted the account meanwhile. */
  is_leader_deleted: boolean
  is_seller_deleted: boolean
  /** Who missed the payment last, and whether that was their second chance: null for a deleted account. */
  missed_buyer_id: string | null
  missed_reinstated: boolean | null
  awards_made: number
  now: Date
}

/** Read after the lock, the clock included: in a statement of its own. */
export const readLifeRows = (rows: ReadRows, ids: readonly string[]): Promise<LifeRow[]> =>
  rows<LifeRow>(
    `select l.id, l.status, l.seller_id, l.material_id, l.price_basis, l.weight_kg, l.start_price, l.reservation_price, l.reservation_waived,
            l.transfer_method_id, l.accepts_deferred_payment, l.seller_invoices, l.expires_at, l.entered_at, l.due_at, l.current_price, l.leader_id,
            l.bid_count, l.can_offer_at_reservation_price, l.former_status,
            case when l.status = 'Processing' then (
              select case
                       when bool_or(o.state = 'rejected') then 'flagged'
                       when bool_or(o.state <> 'ready') then 'checking'
                       else 'fine'
                     end
              from listing_media m
              join storage_objects o on o.id = m.storage_object_id
              where m.listing_id = l.id
            ) end as media,
            exists (select from listings copy where copy.relisted_from = l.id) as is_relisted,
            seller.tier as seller_tier, seller.payment_account_id as seller_account,
            seller.email_verified_at is not null as seller_email_confirmed,
            seller.payment_account_completed and seller.onboarding_stage is null as seller_account_completed,
            seller.payment_account_verified as seller_verified,
            coalesce(award.charges_vat, not seller.not_vat_registered) as seller_charges_vat,
            case when seller.not_vat_registered or seller.vat_status = 'valid' then 'settled' else seller.vat_status end as seller_vat,
            award.bidder_id as buyer_id, award.price as award_price, coalesce(buyer.payment_account_verified, false) as buyer_verified,
            coalesce(award.reinstated, false) as is_reinstated,
            missed.bidder_id as missed_buyer_id, missed.reinstated as missed_reinstated,
            seller.deleted_at is not null as is_seller_deleted,
            exists (select from users leader where leader.id = l.leader_id and leader.deleted_at is not null) as is_leader_deleted,
            (select count(*)::int from awards made where made.listing_id = l.id and not made.reinstated) as awards_made,
            app_now() as now
     from listings l
     join users seller on seller.id = l.seller_id
     left join awards award on award.listing_id = l.id and award.status in ('offered', 'pending_payment', 'paid')
     left join lateral (
       select a.bidder_id, case when u.deleted_at is null then a.reinstated end as reinstated
       from awards a
       join users u on u.id = a.bidder_id
       where a.listing_id = l.id and a.status = 'missed' and l.status = 'MissedPayment'
       order by a.created_at desc
       limit 1
     ) as missed on true
     left join users buyer on buyer.id = coalesce(award.bidder_id, l.leader_id)
     where l.id = any($1::uuid[])`,
    [ids],
  )

/**
 * After the listings: whoever a step may bind anew, and is not bound already. The seller of a listing that is over may relist it,
 * its leader may be offered it, and so may the bidders below a buyer who did not pay. Their accounts are not deleted meanwhile.
 */
export const keepParties = (rows: ReadRows, ids: readonly string[]): Promise<unknown> =>
  rows(
    `select
     from users
     where id in (
       select seller_id from listings where id = any($1::uuid[]) and status in ('Expired', 'ReturnComplete')
       union
       select s.bidder_id
       from bid_standings s
       join listings l on l.id = s.listing_id
       where l.id = any($1::uuid[])
         and (l.status in ('AwaitingKYC', 'NextBidder', 'MissedPayment') or (l.status = 'Expired' and s.bidder_id = l.leader_id))
     )
     order by id
     for key share`,
    [ids],
  )

type NextBidder = { bidder_id: string; max_amount: number }

type Candidate = NextBidder & Bidder & { listing_id: string; tier: Tier; is_blocked_by_seller: boolean }

/** By listing: the highest bidder who was not offered it yet and may still bid. */
export async function readNextBidders(rows: ReadRows, listings: readonly LifeRow[]): Promise<Map<string, NextBidder>> {
  const byId = new Map(listings.map((listing) => [listing.id, listing]))
  const next = new Map<string, NextBidder>()
  if (byId.size === 0) return next
  // equal maximums: the earlier one comes first
  const candidates = await rows<Candidate>(
    `select s.listing_id, s.bidder_id, s.max_amount, u.id, u.tier, u.deleted_at is not null as "isDeleted",
            u.suspended_at is not null as "isSuspended", u.email_verified_at is not null as "isEmailConfirmed",
            u.onboarding_stage is null as "isOnboarded",
            u.payment_account_completed as "isPaymentAccountCompleted", u.payment_account_id as "paymentAccountId",
            u.holding_fee_card is not null as "hasHoldingFeeCard",
            u.licence_status = 'approved' and (u.licence_expires_at is null or u.licence_expires_at > app_now()) as "hasLicence",
            u.bidding_blocked_reason as "blockedReason",
            exists (select from seller_blocks b where b.seller_id = l.seller_id and b.blocked_id = u.id) as is_blocked_by_seller
     from bid_standings s
     join listings l on l.id = s.listing_id
     join users u on u.id = s.bidder_id
     join bids latest on latest.id = s.latest_bid_id
     where s.listing_id = any($1::uuid[])
       and s.status = 'Outbid'
       and not exists (select from awards a where a.listing_id = s.listing_id and a.bidder_id = s.bidder_id)
     order by s.listing_id, s.max_amount desc, latest.seq`,
    [[...byId.keys()]],
  )
  for (const candidate of candidates) {
    const listing = byId.get(candidate.listing_id)
    if (listing && !next.has(listing.id) && mayStillBid(candidate, listing)) next.set(listing.id, candidate)
  }
  return next
}

const mayStillBid = (candidate: Candidate, { seller_id, seller_account, material_id }: LifeRow): boolean =>
  permissionsOf(candidate.tier).auction_bid.enabled &&
  whyNotBid(candidate, {
    sellerId: seller_id,
    sellerPaymentAccountId: seller_account,
    isScrap: materials[material_id].is_scrap,
    isBlockedBySeller: candidate.is_blocked_by_seller,
  }) === undefined
