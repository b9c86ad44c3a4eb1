import { materials } from '#contract/values/materials.ts'
import { permissionsOf, type Tier } from '#contract/values/permissions.ts'
import { whyNotBid, type Bidder } from '#domain/bids/may-bid.ts'
import type { ReadRows } from '#server/db/db.ts'
import type { LifeRow } from '#server/features/sales/life/life-rows.ts'
import { licensed } from '#server/features/sales/life/licensed.ts'

export type NextBidder = { bidder_id: string; bid_id: string; max_amount: number }

type Candidate = NextBidder & Bidder & { listing_id: string; tier: Tier; is_blocked_by_seller: boolean }

/** By listing: the highest bidder who was not offered it yet and may still bid. */
export async function readNextBidders(rows: ReadRows, listings: readonly LifeRow[]): Promise<Map<string, NextBidder>> {
  const byId = new Map(listings.map((listing) => [listing.id, listing]))
  const next = new Map<string, NextBidder>()
  if (byId.size === 0) return next
  // equal maximums: the earlier one comes first
  const candidates = await rows<Candidate>(
    `select s.listing_id, s.bidder_id, s.latest_bid_id as bid_id, s.max_amount, u.id, u.tier, u.deleted_at is not null as "isDeleted",
            u.suspended_at is not null as "isSuspended", u.email_verified_at is not null as "isEmailConfirmed",
            u.onboarding_stage is null as "isOnboarded",
            u.payment_account_completed as "isPaymentAccountCompleted", u.payment_account_id as "paymentAccountId",
            u.holding_fee_card is not null as "hasHoldingFeeCard",
            ${licensed('u')} as "hasLicence",
            u.bidding_blocked_reason as "blockedReason",
            exists (select from user_blocks b where b.blocker_id = l.seller_id and b.blocked_id = u.id) as is_blocked_by_seller
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
