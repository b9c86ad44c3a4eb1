import type { ListingStatus } from '#contract/listing-status.ts'
import { permissionsOf } from '#contract/permissions.ts'
import { transferMethods } from '#contract/transfer-method.ts'
import { isReservationMet } from '#domain/bidding.ts'
import type { ListingFacts } from '#domain/listing-machine-step.ts'
import { addDuration } from '#domain/working-days.ts'
import type { SessionUser } from '#server/http/session.ts'

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
  return {
    ...nothingYet,
    now,
    due_at: endings(row.expires_at),
    bid_count: row.bid_count,
    reservation_met: isMet(row),
    seller_verified: row.seller_verified,
    buyer_verified: row.buyer_verified ?? false,
    seller_invoices: row.seller_invoices,
  }
}

export const factsAtSubmit = (seller: SessionUser): ListingFacts => ({
  ...nothingYet,
  now: new Date(NaN),
  may_create: permissionsOf(seller.tier).auction_create.enabled,
  account_completed: seller.payment_account_completed && seller.onboarding_stage === null,
  form_complete: true,
})

/** Media are checked before they can be linked, so a listing that is submitted is ready for its clock. */
export const factsAtReady = (now: Date): ListingFacts => ({ ...nothingYet, now, media: 'fine' })

export type WithdrawalRow = Pick<ClosingRow, 'id' | 'bid_count' | 'current_price' | 'reservation_price'> & {
  status: ListingStatus
  expires_at: Date | null
}

export function factsAtWithdrawal(row: WithdrawalRow, now: Date, withdrawBefore: string): ListingFacts {
  const spanMs = addDuration(new Date(0), withdrawBefore).getTime()
  return {
    ...nothingYet,
    now,
    due_at: row.expires_at && row.status === 'Active' ? endings(row.expires_at) : {},
    bid_count: row.bid_count,
    reservation_met: isMet(row),
    withdraw_until: row.expires_at && new Date(row.expires_at.getTime() - spanMs),
  }
}

const endings = (expires_at: Date) =>
  Object.fromEntries(['end_without_bid', 'end_below_reservation', 'end_sold'].map((step) => [step, expires_at]))

const isMet = ({ current_price, reservation_price }: Pick<ClosingRow, 'current_price' | 'reservation_price'>) =>
  isReservationMet({
    reservationPrice: reservation_price,
    standing: current_price === null ? null : { price: current_price, leader: '', leaderMax: current_price },
  })

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
