import type { ListingStatus } from '#contract/values/listing-status.ts'
import type { MaterialId } from '#contract/values/materials.ts'
import type { Tier } from '#contract/values/permissions.ts'
import type { TransferMethodId } from '#contract/values/transfer-method.ts'
import type { ListingFacts } from '#domain/sales/listing-machine-step.ts'
import type { PriceBasis } from '#domain/money.ts'
import type { ReadRows } from '#server/db/db.ts'
import { licensed } from '#server/features/sales/life/licensed.ts'

/** The open award: what was frozen with it, and what became of it. Times as JSON writes them. */
export type Award = {
  id: string
  bid_id: string
  price: number
  charges_vat: boolean
  vat_check_id: string | null
  vat_rate: number
  goods: number
  vat: number
  total: number
  status: 'offered' | 'pending_payment' | 'paid' | 'missed'
  cancel_agreed_by: 'seller' | 'buyer' | null
  paid_at: string | null
  deferred_days: number | null
  deferred_expires_at: string | null
  overdue_at: string | null
}

export type Exchange = {
  slot: string | null
  reschedules: number
  eta: string | null
  vehicle: string | null
  handover_code: string | null
  weigh_at_buyer: boolean
  seller_weight_kg: number | null
  buyer_weight_kg: number | null
  received_at: string | null
  inspection_left_ms: number | null
  rejected_at: string | null
  returns_started: number
  return_reason: string | null
  return_eta: string | null
}

/** In pence, of the open award. */
export type SaleMoney = { received: number; refunded: number; charged_back: number; is_open: boolean; is_processing: boolean }

/** The newest one that was not withdrawn or rejected. */
export type Amend = {
  id: string
  goods: number
  vat: number
  total: number
  difference: number
  weight_only: boolean
  weight_off: number
  has_ticket: boolean
}

/** Where a listing stands: what the rows of the machine look at. */
export type LifeRow = {
  id: string
  status: ListingStatus
  seller_id: string
  material_id: MaterialId
  ewc_code: string | null
  grade: string | null
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
  leading_bid_id: string | null
  bid_count: number
  can_offer_at_reservation_price: boolean
  former_status: ListingStatus | null
  clock_left_ms: number | null
  media: 'checking' | 'fine' | 'flagged' | null
  is_relisted: boolean
  seller_tier: Tier
  seller_account: string | null
  seller_email_confirmed: boolean
  seller_account_completed: boolean
  seller_verified: boolean
  /** By the seller's profile; a sale goes by what was frozen with its award. */
  seller_charges_vat_now: boolean
  seller_vat: ListingFacts['vat']
  /** The winner, or the bidder an offer is made to. */
  buyer_id: string | null
  award: Award | null
  exchange: Exchange | null
  money: SaleMoney | null
  amend: Amend | null
  amends_requested: number
  amend_rejected: boolean
  /** The newest chargeback of this award that no step has told of. */
  dispute: ListingFacts['dispute']
  dispute_open: boolean
  buyer_licensed: boolean
  /** What the buyer may still put on terms; null without terms. */
  deferred_limit_left: number | null
  deferred_days: number | null
  /** Who would be the buyer if nobody is yet: the leader. */
  buyer_verified: boolean
  is_reinstated: boolean
  /** The one to whom the listing is offered first has deleted the account meanwhile. */
  is_leader_deleted: boolean
  is_leader_suspended: boolean
  is_seller_deleted: boolean
  /** Who missed the payment last, and whether that was their second chance: null for a deleted account. */
  missed_buyer_id: string | null
  missed_award: Award | null
  missed_reinstated: boolean | null
  awards_made: number
  now: Date
}

/** Read after the lock, the clock included: in a statement of its own. */
export const readLifeRows = (rows: ReadRows, ids: readonly string[]): Promise<LifeRow[]> =>
  rows<LifeRow>(
    `select l.id, l.status, l.seller_id, l.material_id, l.ewc_code, l.grade, l.price_basis, l.weight_kg, l.start_price, l.reservation_price, l.reservation_waived,
            l.transfer_method_id, l.accepts_deferred_payment, l.seller_invoices, l.expires_at, l.entered_at, l.due_at, l.current_price, l.leader_id,
            l.leading_bid_id, l.bid_count, l.can_offer_at_reservation_price, l.former_status, l.clock_left_ms::float8 as clock_left_ms,
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
            not seller.not_vat_registered as seller_charges_vat_now,
            case when seller.not_vat_registered or seller.vat_status = 'valid' then 'settled' else seller.vat_status end as seller_vat,
            award.bidder_id as buyer_id, to_jsonb(award.*) as award, to_jsonb(x) as exchange, money.money, amend.amend,
            coalesce(amend.requested, 0)::int as amends_requested, coalesce(amend.was_rejected, false) as amend_rejected,
            dispute.unheard as dispute, coalesce(dispute.is_open, false) as dispute_open,
            ${licensed('buyer')} as buyer_licensed,
            buyer.deferred_days, case when l.status = 'PendingPayment' then buyer.deferred_limit - (
              select coalesce(sum(owed.total), 0)
              from awards owed
              join listings sold on sold.id = owed.listing_id
              where owed.bidder_id = buyer.id and owed.deferred_days is not null and owed.status = 'paid'
                and sold.status not in ('ExchangeComplete', 'ReturnComplete')
            )::int end as deferred_limit_left,
            coalesce(buyer.payment_account_verified, false) as buyer_verified,
            coalesce(award.reinstated, false) as is_reinstated,
            missed.bidder_id as missed_buyer_id, missed.reinstated as missed_reinstated, missed.whole as missed_award,
            seller.deleted_at is not null as is_seller_deleted,
            exists (select from users leader where leader.id = l.leader_id and leader.deleted_at is not null) as is_leader_deleted,
            exists (select from users leader where leader.id = l.leader_id and leader.suspended_at is not null) as is_leader_suspended,
            (select count(*)::int from awards made where made.listing_id = l.id and not made.reinstated) as awards_made,
            app_now() as now
     from listings l
     join users seller on seller.id = l.seller_id
     -- the open award; of a sale that was paid and then undone its last one, for what becomes of the money
     left join lateral (
       select *
       from awards a
       where a.listing_id = l.id
         and (
           a.status in ('offered', 'pending_payment', 'paid')
           or (a.status = 'cancelled' and a.paid_at is not null and l.status in ('Expired', 'RemovedByAdmin'))
         )
       order by a.created_at desc
       limit 1
     ) as award on true
     left join lateral (
       select a.bidder_id, case when u.deleted_at is null then a.reinstated end as reinstated, to_jsonb(a) as whole
       from awards a
       join users u on u.id = a.bidder_id
       where a.listing_id = l.id and a.status = 'missed' and l.status = 'MissedPayment'
       order by a.created_at desc
       limit 1
     ) as missed on true
     left join users buyer on buyer.id = coalesce(award.bidder_id, l.leader_id)
     left join exchanges x on x.award_id = award.id
     left join lateral (
       select jsonb_build_object(
                'received', coalesce((select sum(received) from sale_payments p where p.award_id = award.id), 0),
                'is_open', exists (select from sale_payments p where p.award_id = award.id and p.status in ('wanted', 'open')),
                'is_processing', exists (select from sale_payments p where p.award_id = award.id and p.status = 'processing'),
                'refunded', coalesce((
                  select sum(amount) from refunds r where r.award_id = award.id and r.status in ('wanted', 'pending', 'waiting', 'succeeded')
                ), 0),
                'charged_back', coalesce((
                  select sum(amount)
                  from sale_disputes d
                  where d.award_id = award.id and d.purpose <> 'holding_fee' and d.status = 'lost'
                ), 0)
              ) as money
       where award.id is not null
     ) as money on true
     left join lateral (
       select count(*) as requested, bool_or(m.status = 'rejected') as was_rejected,
              (array_agg(to_jsonb(m) order by m.nth desc) filter (where m.status in ('requested', 'approved')))[1] as amend
       from amends m
       where m.award_id = award.id
     ) as amend on true
     left join lateral (
       select bool_or(d.status = 'open') as is_open,
              (array_agg(case when d.heard is null then 'opened' else d.status end order by d.created_at)
                filter (where d.heard is null or (d.heard = 'opened' and d.status <> 'open')))[1] as unheard
       from sale_disputes d
       where d.award_id = award.id
     ) as dispute on true
     where l.id = any($1::uuid[])`,
    [ids],
    'read lives',
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
    'keep parties',
  )
