import { transferMethods } from '#contract/transfer-method.ts'
import { isReservationMet } from '#domain/bidding.ts'
import type { ListingFacts } from '#domain/listing-machine-step.ts'

/** What the end of a listing is decided by, read under its lock. */
export type ClosingRow = {
  id: string
  expires_at: Date
  bid_count: number
  current_price: number | null
  reservation_price: number | null
  seller_invoices: boolean
  seller_verified: boolean
  buyer_verified: boolean | null
}

export function factsAtClose(row: ClosingRow, now: Date): ListingFacts {
  const standing = row.current_price === null ? null : { price: row.current_price, leader: '', leaderMax: row.current_price }
  const due_at = Object.fromEntries(['end_without_bid', 'end_below_reservation', 'end_sold'].map((step) => [step, row.expires_at]))
  return {
    ...nothingYet,
    now,
    due_at,
    bid_count: row.bid_count,
    reservation_met: isReservationMet({ reservationPrice: row.reservation_price, standing }),
    seller_verified: row.seller_verified,
    buyer_verified: row.buyer_verified ?? false,
    seller_invoices: row.seller_invoices,
  }
}

/** Where a listing stands of which nothing more is known: the rows of the machine that are live set what they look at. */
const nothingYet: Omit<ListingFacts, 'now'> = {
  due_at: {},
  may_create: false,
  account_completed: false,
  form_complete: false,
  media: 'checking',
  bid_count: 0,
  reservation_met: false,
  withdraw_until: null,
  can_offer_at_reservation_price: false,
  buyer_verified: false,
  seller_verified: false,
  vat_failed: false,
  seller_invoices: false,
  next_bidder: 'none',
  reservation_waived: false,
  offers_made: 0,
  offer_depth: 0,
  reinstated: false,
  cancel_agreed_by: null,
  paid: 0,
  due: 0,
  ever_paid: false,
  balance_of: 'first_payment',
  deferred: false,
  deferred_granted: false,
  deferred_limit_free: false,
  accepts_deferred_payment: false,
  overdue: false,
  transfer_method_id: transferMethods.Collection,
  slot: null,
  eta: null,
  reschedules: 0,
  amends_requested: 0,
  amend_rejected: false,
  amend_weight_only: false,
  amend_weight_off: 0,
  amend_tolerance: 0,
  amend_has_ticket: false,
  amend_difference: 0,
  returns_started: 0,
  former_status: null,
  resolution: 'expire',
}
