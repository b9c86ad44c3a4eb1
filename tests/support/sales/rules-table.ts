import assert from 'node:assert/strict'
import { listingStatuses, type ListingStatus } from '#contract/values/listing-status.ts'
import { transferMethods } from '#contract/values/transfer-method.ts'
import type { decide, Decision } from '#domain/sales/listing-machine.ts'
import type { Actor, Effect, ListingFacts } from '#domain/sales/listing-machine-step.ts'
import { steps } from '#domain/sales/listing-machine-table.ts'

export const now = new Date('2026-03-02T12:00:00Z')
export const later = new Date('2026-03-02T12:00:01Z')
export const earlier = new Date('2026-03-02T11:59:59Z')

/** A listing about which nothing is special: every condition that RULES §4 names is set by the row that needs it. */
export const plain: ListingFacts = {
  now,
  due_at: {},
  may_create: true,
  email_confirmed: true,
  account_completed: true,
  form_complete: true,
  media: 'checking',
  bid_count: 0,
  reservation_price: null,
  reservation_met: false,
  withdraw_until: null,
  can_offer_at_reservation_price: false,
  leader_suspended: false,
  relisted: false,
  buyer_verified: true,
  seller_verified: true,
  vat: 'settled',
  seller_invoices: false,
  next_bidder: 'none',
  reservation_waived: false,
  offers_made: 0,
  offer_depth: 3,
  has_missed_buyer: true,
  reinstated: false,
  cancel_agreed_by: null,
  paid: 0,
  due: 12_000,
  payment_under_way: false,
  balance_of: 'first_payment',
  deferred: false,
  deferred_granted: false,
  deferred_limit_free: false,
  accepts_deferred_payment: false,
  is_hazardous: false,
  overdue: false,
  dispute: null,
  dispute_open: false,
  transfer_method_id: transferMethods.Collection,
  buyer_licensed: true,
  slot: later,
  eta: later,
  reschedules: 0,
  amends_requested: 0,
  amend_rejected: false,
  amend_weight_only: false,
  amend_weight_off: 0,
  amend_tolerance: 2.5,
  amend_has_ticket: false,
  amend_difference: 0,
  returns_started: 0,
  former_status: null,
  resolution: 'expire',
}
export const facts = (changes: Partial<ListingFacts> = {}): ListingFacts => ({ ...plain, ...changes })

export const all = Object.keys(listingStatuses) as ListingStatus[]
export const issueCanBeRaised = all.filter(
  (status) => !['HasAdminIssue', 'RemovedByAdmin', 'ExchangeComplete', 'ReturnComplete'].includes(status),
)

export type To = ListingStatus | 'GATE'
/** from, who, action, when, to, and; a time row is due at this very instant. */
export type Row = [
  from: ListingStatus | null | readonly ListingStatus[],
  who: Actor | readonly Actor[],
  action: string,
  when: Partial<ListingFacts>,
  to: To,
  and?: Effect[],
]

export const unmet = { bid_count: 1, reservation_price: 5_000 }
export const sold = { bid_count: 3, reservation_met: true }
export const delivery = { transfer_method_id: transferMethods.Delivery }
export const oneMore = { next_bidder: 'meets_reservation' } as const
export const smallAmend = { amend_weight_only: true, amend_weight_off: 2.5, amend_has_ticket: true }
export const disputed = { dispute: 'opened' } as const
export const withTerms = { deferred_granted: true, deferred_limit_free: true, accepts_deferred_payment: true }
export const inFull = { paid: 12_000, due: 0 }
export const restorable = { due_at: { restore: later } }

// RULES §4, typed again from the customer's table
export const rows: Row[] = [
  [null, 'seller', 'submit', {}, 'Processing', ['check_media']],
  ['Processing', 'time', 'ready', { media: 'fine' }, 'Active', ['set_end']],
  ['Processing', 'time', 'flag', { media: 'flagged' }, 'HasAdminIssue'],
  ['Processing', 'time', 'get_stuck', {}, 'HasAdminIssue'],
  [['Processing', 'Active'], 'seller', 'withdraw', {}, 'Expired', ['close_bids']],
  ['Active', 'seller', 'withdraw', { bid_count: 2, withdraw_until: later }, 'Expired', ['close_bids']],
  // RULES §3: what is left after the first bid
  ['Active', 'seller', 'add_note', { bid_count: 1 }, 'Active', ['add_note']],
  ['Active', 'seller', 'lower_reservation_price', unmet, 'Active', ['lower_reservation_price']],
  ['Active', 'time', 'end_without_bid', {}, 'Expired'],
  ['Active', 'time', 'end_below_reservation', { bid_count: 1 }, 'Expired', ['allow_reservation_offer']],
  ['Active', 'time', 'end_sold', sold, 'GATE', ['freeze_winner', 'win_bid']],
  ['Active', 'time', 'end_sold', { ...sold, leader_suspended: true }, 'HasAdminIssue'],
  [
    'Expired',
    'seller',
    'offer_to_highest_bidder',
    { can_offer_at_reservation_price: true, due_at: { offer_to_highest_bidder: later } },
    'ReservationPrice',
    ['offer_at_reservation_price', 'clear_reservation_offer'],
  ],
  ['ReservationPrice', 'buyer', 'accept_offer', {}, 'GATE', ['win_bid']],
  ['ReservationPrice', 'buyer', 'decline_offer', {}, 'Expired', ['close_buyers_bid']],
  ['ReservationPrice', 'time', 'lapse_offer', {}, 'Expired', ['close_buyers_bid']],
  ['ReservationPrice', 'seller', 'withdraw_offer', {}, 'Expired', ['close_buyers_bid']],
  ['Expired', 'seller', 'relist', {}, 'Expired', ['copy_into_new_listing']],
  ['ReturnComplete', 'seller', 'relist', {}, 'ReturnComplete', ['copy_into_new_listing']],
  ['MissedPayment', 'seller', 'relist', {}, 'Expired', ['copy_into_new_listing']],

  ['AwaitingKYC', 'provider', 'kyc_verified', {}, 'GATE'],
  ['AwaitingKYC', 'time', 'kyc_lapsed', { buyer_verified: false, ...oneMore }, 'NextBidder', ['release_hold', 'offer_to_next_bidder']],
  ['AwaitingKYC', 'time', 'kyc_lapsed', { buyer_verified: false }, 'Expired', ['release_hold']],
  ['AwaitingKYC', 'time', 'kyc_lapsed', { seller_verified: false, ...oneMore }, 'Expired', ['release_hold']],
  ['AwaitingVatNumberVerification', 'seller', 'correct_vat_number', {}, 'GATE', ['keep_vat_reference']],
  ['AwaitingVatNumberVerification', 'vat_check', 'recheck_vat_number', {}, 'GATE', ['keep_vat_reference']],
  ['AwaitingVatNumberVerification', 'time', 'vat_lapsed', { vat: 'failed' }, 'HasAdminIssue'],
  ['InvoiceRequired', 'seller', 'upload_invoice', {}, 'PendingPayment', ['authorise_holding_fee']],
  ['InvoiceRequired', 'time', 'issue_invoice', {}, 'PendingPayment', ['issue_invoice', 'authorise_holding_fee']],

  // the provider's word moves the listing, not the buyer's start
  ['PendingPayment', 'buyer', 'pay', {}, 'PendingPayment', ['start_payment']],
  [
    'PendingPayment',
    'provider',
    'paid',
    inFull,
    'DocumentsRequired',
    ['release_hold', 'close_losing_bids', 'show_addresses', 'issue_invoice'],
  ],
  ['PendingPayment', 'provider', 'paid_short', { paid: 11_999, due: 1 }, 'BalanceDue'],
  ['PendingPayment', 'buyer', 'use_deferred_terms', withTerms, 'DocumentsRequired', ['release_hold']],
  [
    'PendingPayment',
    'time',
    'miss_payment',
    {},
    'MissedPayment',
    ['miss_bid', 'capture_holding_fee', 'strike_buyer', 'end_payment', 'credit_invoice'],
  ],
  ['PendingPayment', 'seller', 'cancel_by_agreement', { cancel_agreed_by: 'buyer' }, 'Expired', ['release_hold']],
  ['PendingPayment', 'buyer', 'cancel_by_agreement', { cancel_agreed_by: 'seller' }, 'Expired', ['release_hold']],
  ['PendingPayment', ['seller', 'buyer'], 'cancel_by_agreement', {}, 'PendingPayment', ['note_agreement']],
  ['MissedPayment', 'seller', 'offer_to_next_bidder', { ...oneMore, offers_made: 2 }, 'NextBidder', ['offer_to_next_bidder']],
  [
    'MissedPayment',
    'seller',
    'offer_to_next_bidder',
    { next_bidder: 'below_reservation' },
    'NextBidder',
    ['waive_reservation', 'offer_to_next_bidder'],
  ],
  ['MissedPayment', 'seller', 'reinstate_buyer', {}, 'PendingPayment', ['reinstate_bid', 'authorise_holding_fee']],
  ['MissedPayment', 'time', 'lapse_missed_payment', {}, 'Expired'],
  ['NextBidder', 'buyer', 'accept_offer', {}, 'GATE', ['win_bid']],
  ['NextBidder', 'buyer', 'decline_offer', oneMore, 'NextBidder', ['close_buyers_bid', 'offer_to_next_bidder']],
  ['NextBidder', 'buyer', 'decline_offer', {}, 'MissedPayment', ['close_buyers_bid']],
  ['NextBidder', 'time', 'lapse_offer', oneMore, 'NextBidder', ['close_buyers_bid', 'offer_to_next_bidder']],
  ['NextBidder', 'time', 'lapse_offer', { ...oneMore, offers_made: 3 }, 'MissedPayment'],
  ['NextBidder', 'time', 'lapse_offer', { next_bidder: 'below_reservation' }, 'MissedPayment'],
  ['NextBidder', 'time', 'lapse_offer', { next_bidder: 'below_reservation', reservation_waived: true }, 'NextBidder'],
  ['NextBidder', 'seller', 'withdraw_offer', {}, 'MissedPayment', ['close_buyers_bid']],

  ['DocumentsRequired', 'seller', 'submit_documents', {}, 'PendingCollection', ['handover_code', 'set_slot', 'draft_waste_note']],
  ['DocumentsRequired', 'seller', 'dispatch', delivery, 'Dispatched', ['set_eta', 'draft_waste_note']],
  ['DocumentsRequired', 'time', 'documents_late', {}, 'HasAdminIssue'],
  [['DocumentsRequired', 'PendingCollection'], 'seller', 'cancel_sale', {}, 'Expired', ['refund_all', 'strike_seller', 'credit_invoice']],
  [
    'PendingCollection',
    'seller',
    'confirm_handover',
    {},
    'ReceivedGoods',
    ['start_inspection_clock', 'write_records', 'complete_waste_note'],
  ],
  ['PendingCollection', ['buyer', 'seller'], 'reschedule', { reschedules: 1 }, 'PendingCollection'],
  ['PendingCollection', ['seller', 'buyer'], 'report_no_show', { slot: earlier }, 'HasAdminIssue'],
  ['PendingCollection', 'time', 'collection_late', {}, 'HasAdminIssue'],
  ['Dispatched', 'time', 'presume_received', {}, 'ReceivedGoods', ['start_inspection_clock', 'write_records', 'issue_invoice']],
  ['Dispatched', 'buyer', 'confirm_received', {}, 'ReceivedGoods', ['start_inspection_clock']],
  ['Dispatched', 'buyer', 'report_not_arrived', { eta: earlier }, 'HasAdminIssue'],

  ['ReceivedGoods', 'buyer', 'accept_goods', {}, 'ExchangeComplete', ['pay_out', 'complete_records']],
  ['ReceivedGoods', 'buyer', 'accept_goods', { deferred: true }, 'DeferredPayment', ['start_deferred_payment', 'complete_records']],
  ['ReceivedGoods', 'time', 'presume_accepted', {}, 'ExchangeComplete', ['pay_out', 'complete_records']],
  ['ReceivedGoods', 'time', 'presume_accepted', { deferred: true }, 'DeferredPayment', ['start_deferred_payment', 'complete_records']],
  ['ReceivedGoods', 'buyer', 'request_amend', { amends_requested: 1 }, 'ReviewAmend', ['stop_inspection_clock', 'request_amend']],
  ['ReceivedGoods', 'buyer', 'start_return', {}, 'ReturnStarted', ['stop_inspection_clock', 'start_return']],
  ['ReceivedGoods', 'buyer', 'escalate', { amend_rejected: true }, 'HasAdminIssue'],
  ['ReviewAmend', 'seller', 'approve_amend', {}, 'ApprovedAmendsDocumentsRequired', ['approve_amend']],
  ['ReviewAmend', 'seller', 'reject_amend', {}, 'ReceivedGoods', ['reject_amend', 'start_answer_clock']],
  ['ReviewAmend', 'buyer', 'withdraw_amend', {}, 'ReceivedGoods', ['withdraw_amend', 'resume_inspection_clock']],
  ['ReviewAmend', 'time', 'amend_unanswered', smallAmend, 'ApprovedAmendsDocumentsRequired', ['approve_amend']],
  ['ReviewAmend', 'time', 'amend_unanswered', { ...smallAmend, amend_weight_only: false }, 'HasAdminIssue'],
  ['ReviewAmend', 'time', 'amend_unanswered', { ...smallAmend, amend_weight_off: 2.51 }, 'HasAdminIssue'],
  ['ReviewAmend', 'time', 'amend_unanswered', { ...smallAmend, amend_has_ticket: false }, 'HasAdminIssue'],
  [
    'ApprovedAmendsDocumentsRequired',
    'seller',
    'upload_credit_note',
    { amend_difference: -1 },
    'ExchangeComplete',
    ['refund_difference', 'pay_out', 'complete_records'],
  ],
  [
    'ApprovedAmendsDocumentsRequired',
    'seller',
    'upload_credit_note',
    { amend_difference: -1, deferred: true },
    'DeferredPayment',
    ['start_deferred_payment'],
  ],
  ['ApprovedAmendsDocumentsRequired', 'seller', 'upload_supplementary_invoice', { amend_difference: 1 }, 'BalanceDue'],
  [
    'ApprovedAmendsDocumentsRequired',
    'seller',
    'upload_supplementary_invoice',
    { amend_difference: 1, deferred: true },
    'DeferredPayment',
    ['start_deferred_payment'],
  ],
  [
    'ApprovedAmendsDocumentsRequired',
    'time',
    'issue_amend_papers',
    { amend_difference: -1 },
    'ExchangeComplete',
    ['issue_credit_note', 'refund_difference', 'pay_out'],
  ],
  [
    'ApprovedAmendsDocumentsRequired',
    'time',
    'issue_amend_papers',
    { amend_difference: -1, deferred: true },
    'DeferredPayment',
    ['issue_credit_note'],
  ],
  ['ApprovedAmendsDocumentsRequired', 'time', 'issue_amend_papers', { amend_difference: 1 }, 'BalanceDue', ['issue_supplementary_invoice']],
  [
    'ApprovedAmendsDocumentsRequired',
    'time',
    'issue_amend_papers',
    { amend_difference: 1, deferred: true },
    'DeferredPayment',
    ['issue_supplementary_invoice'],
  ],
  ['BalanceDue', 'buyer', 'pay', {}, 'BalanceDue', ['start_payment']],
  ['BalanceDue', 'provider', 'paid', inFull, 'DocumentsRequired', ['release_hold', 'close_losing_bids', 'show_addresses']],
  ['BalanceDue', 'provider', 'paid', { ...inFull, balance_of: 'amend' }, 'ExchangeComplete', ['pay_out', 'complete_records']],
  ['BalanceDue', 'time', 'miss_balance', {}, 'MissedPayment', ['refund_all', 'miss_bid', 'capture_holding_fee', 'strike_buyer']],
  ['BalanceDue', 'time', 'miss_balance', { balance_of: 'amend' }, 'HasAdminIssue'],
  ['DeferredPayment', 'buyer', 'pay', {}, 'DeferredPayment', ['start_payment']],
  ['DeferredPayment', 'provider', 'paid', inFull, 'ExchangeComplete', ['pay_out', 'allow_bidding']],
  ['DeferredPayment', 'time', 'become_overdue', {}, 'DeferredPayment', ['block_bidding']],
  ['DeferredPayment', 'time', 'stay_overdue', { overdue: true }, 'HasAdminIssue'],

  ['ReturnStarted', 'buyer', 'dispatch_return', {}, 'ReturnDispatched'],
  ['ReturnStarted', 'seller', 'contest_return', {}, 'HasAdminIssue'],
  ['ReturnStarted', 'buyer', 'cancel_return', {}, 'ReceivedGoods', ['resume_inspection_clock']],
  ['ReturnStarted', 'time', 'lapse_return', {}, 'ReceivedGoods', ['resume_inspection_clock']],
  ['ReturnDispatched', 'seller', 'confirm_return', {}, 'ReturnComplete', ['refund_all', 'write_return_records']],
  ['ReturnDispatched', 'seller', 'dispute_return', {}, 'HasAdminIssue'],
  ['ReturnDispatched', 'time', 'presume_returned', {}, 'ReturnComplete', ['issue_return_credit_note', 'refund_all']],

  [issueCanBeRaised, 'admin', 'raise_issue', {}, 'HasAdminIssue', ['stop_clocks', 'keep_former_status']],
  ...issueCanBeRaised.map((former_status): Row => [
    'HasAdminIssue',
    'admin',
    'release',
    { former_status },
    former_status,
    ['resume_clocks'],
  ]),
  ['HasAdminIssue', 'admin', 'resolve', { ...inFull, resolution: 'refund_all' }, 'ReturnComplete', ['refund_all']],
  ['HasAdminIssue', 'admin', 'resolve', { ...inFull, resolution: 'refund_amount' }, 'ExchangeComplete', ['refund_amount', 'pay_out']],
  ['HasAdminIssue', 'admin', 'resolve', { ...inFull, resolution: 'complete' }, 'ExchangeComplete', ['pay_out', 'complete_records']],
  ['HasAdminIssue', 'admin', 'resolve', { resolution: 'expire' }, 'Expired', ['refund_all', 'release_hold']],
  [issueCanBeRaised, 'provider', 'dispute_opened', disputed, 'HasAdminIssue', ['stop_payout', 'hear_dispute']],
  ...all.flatMap((stays): Row[] => [
    [stays, 'provider', 'dispute_won', { dispute: 'won' }, stays, ['hear_dispute', 'resume_payout']],
    [stays, 'provider', 'dispute_lost', { dispute: 'lost' }, stays, ['hear_dispute']],
  ]),
  ...(['HasAdminIssue', 'RemovedByAdmin', 'ExchangeComplete', 'ReturnComplete'] as const).map((stays): Row => [
    stays,
    'provider',
    'dispute_opened',
    disputed,
    stays,
    ['stop_payout', 'hear_dispute'],
  ]),
  [['HasAdminIssue', 'Processing', 'Active', 'Expired'], 'admin', 'remove', {}, 'RemovedByAdmin', ['close_bids', 'refund_all']],
  ['RemovedByAdmin', 'admin', 'restore', restorable, 'Processing'],
]

export const many = <T>(one: T | readonly T[]): readonly T[] => (Array.isArray(one) ? one : [one]) as readonly T[]

export const cases = rows.flatMap(([from, who, action, when, to, and = []]) =>
  many<ListingStatus | null>(from).flatMap((status) => many(who).map((actor) => ({ status, actor, action, when, to, and }))),
)
export const key = (status: ListingStatus | null, action: string, actor: Actor) => `${status} ${action} ${actor}`
export const allowed = new Set(cases.map(({ status, action, actor }) => key(status, action, actor)))
export const possible = new Set(cases.map(({ status, action }) => `${status} ${action}`))

export const dueNow = (actor: Actor, action: string) => (actor === 'time' ? { due_at: { [action]: now } } : {})
export const taken = (answer: ReturnType<typeof decide>): Decision => {
  assert.ok('to' in answer, `refused: ${JSON.stringify(answer)}`)
  return answer
}

export const people: readonly Actor[] = ['seller', 'buyer', 'admin']
/** Of every step that the product knows. */
export const names = [...new Set(steps.map(({ name }) => name))]
