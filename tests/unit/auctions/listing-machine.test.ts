import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import fc from '#tests/support/properties.ts'
import { listingStatuses, type ListingStatus } from '#contract/values/listing-status.ts'
import { settings, type SettingKey } from '#contract/settings.ts'
import { storageObjectKinds } from '#contract/values/storage-kinds.ts'
import { transferMethods } from '#contract/values/transfer-method.ts'
import {
  availableActions,
  branchesOf,
  decide,
  findStep,
  gate,
  stepsFrom,
  timeStepsFrom,
  type Decision,
} from '#domain/sales/listing-machine.ts'
import { actors, effects, type Actor, type Effect, type ListingFacts, type Resolution } from '#domain/sales/listing-machine-step.ts'
import { lifeDiagram } from '#domain/sales/listing-life-diagram.ts'
import { finalStatuses, steps } from '#domain/sales/listing-machine-table.ts'

const now = new Date('2026-03-02T12:00:00Z')
const later = new Date('2026-03-02T12:00:01Z')
const earlier = new Date('2026-03-02T11:59:59Z')

/** A listing about which nothing is special: every condition that RULES §4 names is set by the row that needs it. */
const plain: ListingFacts = {
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
const facts = (changes: Partial<ListingFacts> = {}): ListingFacts => ({ ...plain, ...changes })

const all = Object.keys(listingStatuses) as ListingStatus[]
const issueCanBeRaised = all.filter((status) => !['HasAdminIssue', 'RemovedByAdmin', 'ExchangeComplete', 'ReturnComplete'].includes(status))

type To = ListingStatus | 'GATE'
/** from, who, action, when, to, and; a time row is due at this very instant. */
type Row = [
  from: ListingStatus | null | readonly ListingStatus[],
  who: Actor | readonly Actor[],
  action: string,
  when: Partial<ListingFacts>,
  to: To,
  and?: Effect[],
]

const unmet = { bid_count: 1, reservation_price: 5_000 }
const sold = { bid_count: 3, reservation_met: true }
const delivery = { transfer_method_id: transferMethods.Delivery }
const oneMore = { next_bidder: 'meets_reservation' } as const
const smallAmend = { amend_weight_only: true, amend_weight_off: 2.5, amend_has_ticket: true }
const disputed = { dispute: 'opened' } as const
const withTerms = { deferred_granted: true, deferred_limit_free: true, accepts_deferred_payment: true }
const inFull = { paid: 12_000, due: 0 }
const restorable = { due_at: { restore: later } }

// RULES §4, typed again from the customer's table
const rows: Row[] = [
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

const many = <T>(one: T | readonly T[]): readonly T[] => (Array.isArray(one) ? one : [one]) as readonly T[]

const cases = rows.flatMap(([from, who, action, when, to, and = []]) =>
  many<ListingStatus | null>(from).flatMap((status) => many(who).map((actor) => ({ status, actor, action, when, to, and }))),
)
const key = (status: ListingStatus | null, action: string, actor: Actor) => `${status} ${action} ${actor}`
const allowed = new Set(cases.map(({ status, action, actor }) => key(status, action, actor)))
const possible = new Set(cases.map(({ status, action }) => `${status} ${action}`))

const dueNow = (actor: Actor, action: string) => (actor === 'time' ? { due_at: { [action]: now } } : {})
const taken = (answer: ReturnType<typeof decide>): Decision => {
  assert.ok('to' in answer, `refused: ${JSON.stringify(answer)}`)
  return answer
}

const gates: [string, Partial<ListingFacts>, ListingStatus][] = [
  ["the buyer's account is not verified", { buyer_verified: false, vat: 'failed', seller_invoices: true }, 'AwaitingKYC'],
  ["the seller's account is not verified", { seller_verified: false, vat: 'failed', seller_invoices: true }, 'AwaitingKYC'],
  ["the seller's VAT number failed its check", { vat: 'failed', seller_invoices: true }, 'AwaitingVatNumberVerification'],
  ['the seller invoices himself', { seller_invoices: true }, 'InvoiceRequired'],
  ['nothing is in the way', {}, 'PendingPayment'],
]

for (const [says, when, to] of gates) test(`GATE: ${says} → ${to}`, () => assert.equal(gate(facts(when)), to))

for (const { status, actor, action, when, to, and } of cases) {
  const condition = Object.keys(when).length === 0 ? '' : ` with ${JSON.stringify(when)}`
  test(`${status ?? '–'}: ${actor} may ${action}${condition} → ${to}`, () => {
    const known = { ...dueNow(actor, action), ...when }
    const answer = taken(decide({ status, name: action, actor, facts: facts(known) }))
    if (to !== 'GATE') assert.equal(answer.to, to)
    for (const effect of and) assert.ok(answer.effects.includes(effect), `${effect} is missing from ${answer.effects.join(', ')}`)
  })
}

// who can come out of GATE elsewhere: the step's own guard rules the other branches out
const notThroughGate: Record<string, ListingStatus[]> = {
  kyc_verified: ['AwaitingKYC'],
  recheck_vat_number: ['AwaitingVatNumberVerification'],
}

for (const { status, actor, action, when } of cases.filter(({ to }) => to === 'GATE')) {
  for (const [says, gateFacts, to] of gates.filter(([, , to]) => !notThroughGate[action]?.includes(to))) {
    if (action === 'recheck_vat_number' && gateFacts.vat === 'failed') continue
    test(`${status}: ${action} goes through GATE: ${says} → ${to}`, () => {
      const answer = taken(decide({ status, name: action, actor, facts: facts({ ...dueNow(actor, action), ...when, ...gateFacts }) }))
      assert.equal(answer.to, to)
      assert.equal(answer.effects.includes('authorise_holding_fee'), to === 'PendingPayment')
    })
  }
}

// every condition of RULES §4, missed
const refusals: [ListingStatus | null, Actor, string, Partial<ListingFacts>][] = [
  [null, 'seller', 'submit', { may_create: false }],
  [null, 'seller', 'submit', { email_confirmed: false }],
  [null, 'seller', 'submit', { account_completed: false }],
  [null, 'seller', 'submit', { form_complete: false }],
  ['Processing', 'time', 'ready', { media: 'checking' }],
  ['Processing', 'time', 'ready', { media: 'flagged' }],
  ['Processing', 'time', 'flag', { media: 'fine' }],
  ['Active', 'seller', 'withdraw', { bid_count: 1, withdraw_until: now }],
  ['Active', 'seller', 'withdraw', { bid_count: 1, withdraw_until: later, reservation_met: true }],
  ['Active', 'seller', 'add_note', {}],
  ['Active', 'seller', 'lower_reservation_price', { ...unmet, bid_count: 0 }],
  ['Active', 'seller', 'lower_reservation_price', { ...unmet, reservation_price: null }],
  ['Active', 'seller', 'lower_reservation_price', { ...unmet, reservation_met: true }],
  ...(['Expired', 'ReturnComplete', 'MissedPayment'] as const).flatMap(
    (status): [ListingStatus, Actor, string, Partial<ListingFacts>][] => [
      [status, 'seller', 'relist', { relisted: true }],
      [status, 'seller', 'relist', { may_create: false }],
      [status, 'seller', 'relist', { email_confirmed: false }],
      [status, 'seller', 'relist', { account_completed: false }],
    ],
  ),
  ['Active', 'time', 'end_without_bid', { ...sold, due_at: { end_without_bid: now } }],
  ['Active', 'time', 'end_below_reservation', { ...sold, due_at: { end_below_reservation: now } }],
  ['Active', 'time', 'end_below_reservation', { due_at: { end_below_reservation: now } }],
  ['Active', 'time', 'end_sold', { bid_count: 1, due_at: { end_sold: now } }],
  ['Active', 'time', 'end_sold', { reservation_met: true, due_at: { end_sold: now } }],
  ['Expired', 'seller', 'offer_to_highest_bidder', { due_at: { offer_to_highest_bidder: later } }],
  ['Expired', 'seller', 'offer_to_highest_bidder', { can_offer_at_reservation_price: true, due_at: { offer_to_highest_bidder: now } }],
  ['AwaitingKYC', 'provider', 'kyc_verified', { buyer_verified: false }],
  ['AwaitingKYC', 'provider', 'kyc_verified', { seller_verified: false }],
  ['AwaitingVatNumberVerification', 'vat_check', 'recheck_vat_number', { vat: 'failed' }],
  ['AwaitingVatNumberVerification', 'vat_check', 'recheck_vat_number', { vat: 'unchecked' }],
  ['PendingPayment', 'provider', 'paid', { paid: 11_999, due: 1 }],
  ['PendingPayment', 'provider', 'paid_short', inFull],
  ['PendingPayment', 'provider', 'paid_short', {}],
  ['PendingPayment', 'buyer', 'use_deferred_terms', { ...withTerms, deferred_granted: false }],
  ['PendingPayment', 'buyer', 'use_deferred_terms', { ...withTerms, deferred_limit_free: false }],
  ['PendingPayment', 'buyer', 'use_deferred_terms', { ...withTerms, accepts_deferred_payment: false }],
  ['PendingPayment', 'buyer', 'cancel_by_agreement', { cancel_agreed_by: 'buyer' }],
  ['PendingPayment', 'seller', 'cancel_by_agreement', { cancel_agreed_by: 'seller' }],
  ['MissedPayment', 'seller', 'offer_to_next_bidder', {}],
  ['MissedPayment', 'seller', 'offer_to_next_bidder', { ...oneMore, offers_made: 3 }],
  ['MissedPayment', 'seller', 'reinstate_buyer', { reinstated: true }],
  ['MissedPayment', 'seller', 'reinstate_buyer', { has_missed_buyer: false }],
  ['DocumentsRequired', 'seller', 'submit_documents', delivery],
  ['DocumentsRequired', 'seller', 'dispatch', {}],
  ['PendingCollection', 'buyer', 'reschedule', { reschedules: 2 }],
  ['PendingCollection', 'seller', 'report_no_show', { slot: now }],
  ['Dispatched', 'buyer', 'report_not_arrived', { eta: now }],
  ['ReceivedGoods', 'buyer', 'request_amend', { amends_requested: 2 }],
  ['ReceivedGoods', 'buyer', 'start_return', { returns_started: 1 }],
  ['ReceivedGoods', 'buyer', 'escalate', {}],
  ['ApprovedAmendsDocumentsRequired', 'seller', 'upload_credit_note', { amend_difference: 1 }],
  ['ApprovedAmendsDocumentsRequired', 'seller', 'upload_supplementary_invoice', { amend_difference: -1 }],
  ['ApprovedAmendsDocumentsRequired', 'seller', 'upload_credit_note', { amend_difference: 0 }],
  ['ApprovedAmendsDocumentsRequired', 'seller', 'upload_supplementary_invoice', { amend_difference: 0 }],
  ['BalanceDue', 'provider', 'paid', { paid: 11_999, due: 1 }],
  ['DeferredPayment', 'provider', 'paid', { paid: 11_999, due: 1 }],
  ['DeferredPayment', 'time', 'become_overdue', { overdue: true, due_at: { become_overdue: now } }],
  ['HasAdminIssue', 'admin', 'release', { former_status: null }],
  ['HasAdminIssue', 'admin', 'resolve', { resolution: 'complete' }],
  ['HasAdminIssue', 'admin', 'resolve', { resolution: 'refund_all' }],
  ['DocumentsRequired', 'provider', 'dispute_opened', {}],
  ['ExchangeComplete', 'provider', 'dispute_opened', {}],
  ['HasAdminIssue', 'provider', 'dispute_won', disputed],
  ['HasAdminIssue', 'provider', 'dispute_lost', { dispute: 'won' }],
  ['HasAdminIssue', 'admin', 'resolve', { ...inFull, resolution: 'refund_all', dispute_open: true }],
  ['HasAdminIssue', 'admin', 'resolve', { ...inFull, resolution: 'refund_amount', dispute_open: true }],
  ['HasAdminIssue', 'admin', 'resolve', { paid: 11_999, due: 1, resolution: 'complete' }],
  ['PendingPayment', 'time', 'miss_payment', { payment_under_way: true, due_at: { miss_payment: now } }],
  ['BalanceDue', 'time', 'miss_balance', { payment_under_way: true, due_at: { miss_balance: now } }],
  ['DocumentsRequired', 'seller', 'submit_documents', { buyer_licensed: false }],
  ['DocumentsRequired', 'seller', 'dispatch', { ...delivery, buyer_licensed: false }],
  ['PendingCollection', 'seller', 'confirm_handover', { buyer_licensed: false }],
  ['RemovedByAdmin', 'admin', 'restore', { ...restorable, bid_count: 1 }],
  ['RemovedByAdmin', 'admin', 'restore', { due_at: { restore: now } }],
]

for (const [status, actor, action, when] of refusals) {
  test(`${status ?? '–'}: ${action} is refused with ${JSON.stringify(when)}, and says why`, () => {
    const answer = decide({ status, name: action, actor, facts: facts(when) })
    assert.ok('refused' in answer)
    assert.equal(answer.refused, 'conflict')
    assert.match(answer.reason, /^[A-Z].+\.$/)
  })
}

const people: readonly Actor[] = ['seller', 'buyer', 'admin']
const names = [...new Set(steps.map(({ name }) => name))]

test('the table has every row of RULES §4 and no other', () => {
  const inTable = steps.flatMap(({ name, from, by }) => from.flatMap((status) => by.map((actor) => key(status, name, actor))))
  assert.deepEqual([...new Set(inTable)].sort(), [...allowed].sort())
  assert.equal(new Set(inTable).size, inTable.length, 'two rows for the same status, action and actor')
})

test('every status × action × actor that is not in RULES §4 is refused, whatever the facts', () => {
  const generous = facts({ ...sold, ...inFull, ...withTerms, ...oneMore, ...disputed, slot: earlier, eta: earlier, amend_rejected: true })
  const whenever = { ...generous, due_at: Object.fromEntries(names.map((name) => [name, now])) }
  const sooner = { ...generous, due_at: Object.fromEntries(names.map((name) => [name, later])) }
  let refused = 0
  for (const status of [null, ...all]) {
    for (const name of [...names, 'sell_twice', '__proto__', '']) {
      for (const actor of actors.filter((one) => !allowed.has(key(status, name, one)))) {
        const expected = possible.has(`${status} ${name}`) ? 'not_yours' : 'conflict'
        for (const known of [plain, generous, whenever, sooner]) {
          const answer = decide({ status, name, actor, facts: known })
          assert.ok('refused' in answer, `${actor} may ${name} in ${status}`)
          assert.equal(answer.refused, expected, `${actor}, ${name}, ${status}`)
          refused += 1
        }
      }
    }
  }
  assert.equal(refused, 4 * (25 * (names.length + 3) * actors.length - allowed.size))
})

const destinations = (status: ListingStatus) =>
  stepsFrom(status).flatMap((step) => branchesOf(step).map(({ to }) => (to === 'unchanged' ? status : to)))

test('every one of the 24 statuses is reached from Processing', () => {
  const reached = new Set<ListingStatus>(['Processing'])
  for (const status of reached) for (const to of destinations(status)) reached.add(to)
  assert.equal(all.length, 24)
  assert.deepEqual([...reached].sort(), [...all].sort())
})

test('every status that is not final can be left', () => {
  for (const status of all.filter((one) => !finalStatuses.includes(one)))
    assert.ok(
      destinations(status).some((to) => to !== status),
      status,
    )
})

test('every status that somebody is waited for in is left by time, by the payment provider or by an admin in the end', () => {
  const unwatched = all.filter((status) => !finalStatuses.includes(status) && !timeStepsFrom(status).length)
  assert.deepEqual(unwatched.sort(), ['Expired', 'HasAdminIssue'])
})

test('no step names an unknown status or effect, and each branch list ends in one that always holds', () => {
  for (const step of steps) {
    for (const status of step.from) assert.ok(status === null || all.includes(status), `${step.name} from ${status}`)
    for (const { to, effects: own = [] } of branchesOf(step)) {
      assert.ok(to === 'unchanged' || all.includes(to), `${step.name} to ${to}`)
      for (const effect of [...own, ...(step.effects ?? [])]) assert.ok(effects.includes(effect))
    }
    // an admin's choice may be none of those that are open
    if (!['release', 'resolve'].includes(step.name)) assert.equal(branchesOf(step).at(-1)?.when, undefined, step.name)
  }
})

test('every effect of the list belongs to a step', () => {
  const used = new Set(steps.flatMap((step) => [...(step.effects ?? []), ...branchesOf(step).flatMap((branch) => branch.effects ?? [])]))
  assert.deepEqual(
    effects.filter((effect) => !used.has(effect)),
    [],
  )
})

test('whatever leads to HasAdminIssue keeps the former status and stops the clocks', () => {
  for (const { status, actor, action, when, to } of cases.filter((row) => row.to === 'HasAdminIssue' && row.status !== 'HasAdminIssue')) {
    const answer = taken(decide({ status, name: action, actor, facts: facts({ ...dueNow(actor, action), ...when }) }))
    assert.deepEqual(answer.effects.slice(0, 2), ['keep_former_status', 'stop_clocks'], `${status} ${action} ${to}`)
    assert.ok(answer.tells.includes('admin'))
  }
})

test('whatever leads to PendingPayment authorises the holding fee, but for a release, which finds it as it was', () => {
  for (const { status, actor, action, when } of cases) {
    const answer = taken(decide({ status, name: action, actor, facts: facts({ ...dueNow(actor, action), ...when }) }))
    const enters = answer.to === 'PendingPayment' && status !== 'PendingPayment' && action !== 'release'
    assert.equal(answer.effects.includes('authorise_holding_fee'), enters, `${status} ${action}`)
  }
})

const disputes = ['dispute_opened', 'dispute_won', 'dispute_lost']
const ways: [ListingStatus, string[]][] = [
  ['RemovedByAdmin', ['restore', ...disputes]],
  ['ExchangeComplete', disputes],
  ['ReturnComplete', ['relist', ...disputes]],
  ['Expired', ['offer_to_highest_bidder', 'relist', 'raise_issue', ...disputes, 'remove']],
]
for (const [status, open] of ways)
  test(`${status} knows only ${open.join(', ')}`, () => {
    assert.deepEqual(
      stepsFrom(status)
        .map(({ name }) => name)
        .sort(),
      open.toSorted(),
    )
  })

test('what is complete stays so, and only a restore brings back what was removed', () => {
  for (const status of ['ExchangeComplete', 'ReturnComplete'] as const) assert.deepEqual(new Set(destinations(status)), new Set([status]))
  assert.deepEqual(new Set(destinations('RemovedByAdmin')), new Set(['RemovedByAdmin', 'Processing']))
})

// RULES §4 and §8: what time does, and the setting that says when ('–': at the moment itself, or as soon as it can be)
const clocks: [ListingStatus, string, SettingKey | '–', SettingKey?][] = [
  ['Processing', 'ready', '–'],
  ['Processing', 'flag', '–'],
  ['Processing', 'get_stuck', 'processing_window'],
  ['Active', 'end_without_bid', '–'],
  ['Active', 'end_below_reservation', '–'],
  ['Active', 'end_sold', '–'],
  ['ReservationPrice', 'lapse_offer', 'offer_window'],
  ['AwaitingKYC', 'kyc_lapsed', 'kyc_window'],
  ['AwaitingVatNumberVerification', 'vat_lapsed', 'vat_window'],
  ['InvoiceRequired', 'issue_invoice', 'invoice_window'],
  ['PendingPayment', 'miss_payment', 'reinstate_window', 'payment_window'],
  ['MissedPayment', 'lapse_missed_payment', 'missed_payment_window'],
  ['NextBidder', 'lapse_offer', 'offer_window'],
  ['DocumentsRequired', 'documents_late', 'documents_window'],
  ['PendingCollection', 'collection_late', 'collection_window'],
  ['Dispatched', 'presume_received', 'delivery_window'],
  ['ReceivedGoods', 'presume_accepted', 'amend_answer_window', 'inspection_window'],
  ['ReviewAmend', 'amend_unanswered', 'amend_answer_window'],
  ['ApprovedAmendsDocumentsRequired', 'issue_amend_papers', 'amend_papers_window'],
  ['BalanceDue', 'miss_balance', 'balance_window'],
  ['DeferredPayment', 'become_overdue', '–'],
  ['DeferredPayment', 'stay_overdue', 'deferred_grace'],
  ['ReturnStarted', 'lapse_return', 'return_window'],
  ['ReturnDispatched', 'presume_returned', 'return_confirm_window'],
]

test('time does what RULES §4 says, after the settings of RULES §8', () => {
  const inTable = all.flatMap((status) =>
    timeStepsFrom(status).map(({ name, clocks }) =>
      [status, name, ...clocks.map(({ setting }) => setting ?? '–')].concat(clocks.length ? [] : ['–']),
    ),
  )
  assert.deepEqual(inTable.map(String).sort(), clocks.map(String).sort())
  const used = clocks.flatMap(([, , ...keys]) => keys).filter((one) => one !== undefined && one !== '–')
  for (const name of used) assert.match(JSON.stringify(settings[name].default), /^"\d+(m|h|d|bd)"$/)
})

test('a reinstated buyer has the shorter time, and so has one whose amend was rejected', () => {
  const settingOf = (status: ListingStatus, known: Partial<ListingFacts>) =>
    timeStepsFrom(status)[0]?.clocks.find(({ when }) => when?.(facts(known)) ?? true)?.setting
  assert.equal(settingOf('PendingPayment', {}), 'payment_window')
  assert.equal(settingOf('PendingPayment', { reinstated: true }), 'reinstate_window')
  assert.equal(settingOf('ReceivedGoods', {}), 'inspection_window')
  assert.equal(settingOf('ReceivedGoods', { amend_rejected: true }), 'amend_answer_window')
})

const timed = cases.filter(({ status, action, actor }) => actor === 'time' && findStep(status, action, actor)?.after)

for (const { status, action, when } of timed) {
  test(`${status}: ${action} waits for its time`, () => {
    for (const due_at of [{}, { [action]: later }]) {
      const answer = decide({ status, name: action, actor: 'time', facts: facts({ ...when, due_at }) })
      assert.deepEqual(answer, { refused: 'conflict', reason: 'It is not time for this yet.' })
    }
  })
}

test('what the clock has ended is closed to the parties at that very instant, and not a moment earlier', () => {
  const overtaking = timed.filter(({ status, to }) => status !== to || status === 'NextBidder')
  for (const { status, action, when } of overtaking) {
    for (const actor of ['seller', 'buyer'] as const) {
      assert.deepEqual(availableActions(status, actor, facts({ ...when, due_at: { [action]: now } })), [], `${actor} in ${status}`)
      const before = availableActions(status, actor, facts({ ...when, due_at: { [action]: later } }))
      assert.deepEqual(before, availableActions(status, actor, facts(when)))
    }
  }
})

test('an overdue payment can still be paid, and money that has arrived counts after the time is over', () => {
  const overdue = facts({ overdue: true, due_at: { become_overdue: earlier, stay_overdue: later } })
  taken(decide({ status: 'DeferredPayment', name: 'pay', actor: 'buyer', facts: overdue }))
  const late = facts({ ...inFull, due_at: { miss_payment: earlier } })
  assert.equal(taken(decide({ status: 'PendingPayment', name: 'paid', actor: 'provider', facts: late })).to, 'DocumentsRequired')
})

const { WeighbridgeTicket, WeighbridgeMonitor, LoadImage, DeliveryNote, ListingAmendSupportingDocument, Invoice } = storageObjectKinds
const { ListingReturnDeliveryNote, ListingAmendsCreditNote, ListingReturnCreditNote } = storageObjectKinds
const sent = (name: string, type: string, kind?: number) => ({ name, type, required: true, kind })
const maybe = (name: string, type: string, kind?: number) => ({ name, type, required: false, kind })

// what RULES §4 asks for with each action
const forms: [ListingStatus, Actor, string, Partial<ListingFacts>, ReturnType<typeof sent>[]][] = [
  ['Active', 'seller', 'withdraw', {}, [maybe('reason', 'text')]],
  ['Active', 'seller', 'withdraw', { bid_count: 1, withdraw_until: later }, [sent('reason', 'text')]],
  ['Active', 'seller', 'add_note', { bid_count: 1 }, [sent('text', 'text')]],
  ['Active', 'seller', 'lower_reservation_price', unmet, [sent('reservation_price', 'money')]],
  ['Expired', 'seller', 'relist', {}, [maybe('duration_days', 'number')]],
  [
    'AwaitingVatNumberVerification',
    'seller',
    'correct_vat_number',
    {},
    [maybe('vat_number', 'text'), maybe('not_vat_registered', 'boolean')],
  ],
  ['InvoiceRequired', 'seller', 'upload_invoice', {}, [sent('invoice', 'document', Invoice), maybe('total', 'money')]],
  ['PendingPayment', 'buyer', 'pay', {}, [maybe('method', 'choice')]],
  ['MissedPayment', 'seller', 'offer_to_next_bidder', oneMore, []],
  ['MissedPayment', 'seller', 'offer_to_next_bidder', { next_bidder: 'below_reservation' }, [sent('waive_reservation', 'boolean')]],
  ['MissedPayment', 'seller', 'offer_to_next_bidder', { next_bidder: 'below_reservation', reservation_waived: true }, []],
  [
    'DocumentsRequired',
    'seller',
    'submit_documents',
    {},
    [
      sent('load_images', 'documents', LoadImage),
      maybe('weighbridge_ticket', 'document', WeighbridgeTicket),
      maybe('ticket_weight_kg', 'number'),
      maybe('weigh_at_buyer', 'boolean'),
      maybe('weighbridge_monitor', 'document', WeighbridgeMonitor),
      sent('slot', 'datetime'),
    ],
  ],
  [
    'DocumentsRequired',
    'seller',
    'dispatch',
    delivery,
    [
      sent('weighbridge_ticket', 'document', WeighbridgeTicket),
      sent('ticket_weight_kg', 'number'),
      sent('load_images', 'documents', LoadImage),
      sent('delivery_note', 'document', DeliveryNote),
      maybe('weighbridge_monitor', 'document', WeighbridgeMonitor),
      sent('vehicle', 'text'),
      sent('eta', 'datetime'),
    ],
  ],
  ['DocumentsRequired', 'seller', 'cancel_sale', {}, [sent('reason', 'text')]],
  ['PendingCollection', 'seller', 'confirm_handover', {}, [sent('code', 'code'), sent('vehicle', 'text')]],
  ['PendingCollection', 'buyer', 'reschedule', {}, [sent('slot', 'datetime')]],
  [
    'ReceivedGoods',
    'buyer',
    'request_amend',
    {},
    [
      sent('lines', 'amend_lines'),
      sent('evidence', 'documents', ListingAmendSupportingDocument),
      maybe('weighbridge_ticket', 'document', WeighbridgeTicket),
      maybe('ticket_weight_kg', 'number'),
    ],
  ],
  [
    'ReceivedGoods',
    'buyer',
    'accept_goods',
    {},
    [maybe('weighbridge_ticket', 'document', WeighbridgeTicket), maybe('ticket_weight_kg', 'number')],
  ],
  ['ReceivedGoods', 'buyer', 'start_return', {}, [sent('reason', 'text'), sent('photos', 'documents', LoadImage)]],
  ['ReceivedGoods', 'buyer', 'escalate', { amend_rejected: true }, [sent('reason', 'text')]],
  [
    'ApprovedAmendsDocumentsRequired',
    'seller',
    'upload_credit_note',
    { amend_difference: -1 },
    [sent('credit_note', 'document', ListingAmendsCreditNote), maybe('total', 'money')],
  ],
  [
    'ApprovedAmendsDocumentsRequired',
    'seller',
    'upload_supplementary_invoice',
    { amend_difference: 1 },
    [sent('invoice', 'document', Invoice), maybe('total', 'money')],
  ],
  [
    'ReturnStarted',
    'buyer',
    'dispatch_return',
    {},
    [sent('return_delivery_note', 'document', ListingReturnDeliveryNote), sent('eta', 'datetime')],
  ],
  ['ReturnDispatched', 'seller', 'confirm_return', {}, [sent('return_credit_note', 'document', ListingReturnCreditNote)]],
  ['Active', 'admin', 'raise_issue', {}, [sent('reason', 'text')]],
  ['Active', 'admin', 'remove', {}, [sent('reason', 'text')]],
  ['HasAdminIssue', 'admin', 'resolve', {}, [sent('resolution', 'choice'), maybe('amount', 'money'), maybe('reason', 'text')]],
]

for (const [status, actor, action, when, form] of forms) {
  test(`${status}: ${action} asks ${actor} for ${form.map(({ name }) => name).join(', ') || 'nothing'} (${JSON.stringify(when)})`, () => {
    const offered = availableActions(status, actor, facts(when)).find((one) => one.action === action)
    assert.deepEqual(
      offered?.fields.map(({ name, type, required, kind }) => ({ name, type, required, kind })),
      form,
    )
  })
}

test('an admin can refund or complete only where there is a sale', () => {
  const optionsOf = (known: Partial<ListingFacts>) =>
    availableActions('HasAdminIssue', 'admin', facts(known))
      .find(({ action }) => action === 'resolve')
      ?.fields.find(({ name }) => name === 'resolution')?.options
  assert.deepEqual(optionsOf({}), ['expire'])
  assert.deepEqual(optionsOf(inFull), ['refund_all', 'refund_amount', 'complete', 'expire'])
})

test('every step that people take has a label, and no other has one', () => {
  for (const { name, by, label } of steps) {
    assert.equal(
      label !== undefined,
      by.some((actor) => people.includes(actor)),
      name,
    )
    assert.equal(
      by.every((actor) => people.includes(actor)),
      by.some((actor) => people.includes(actor)),
      name,
    )
  }
})

/** What RULES §4 has for a person in a status; any other name is refused, as shown above. */
const actionsOf = (status: ListingStatus | null, actor: Actor) =>
  names.filter((name) => people.includes(actor) && allowed.has(key(status, name, actor)))
const granted = (actions: readonly string[], status: ListingStatus | null, actor: Actor, known: ListingFacts) =>
  actions.filter((name) => 'to' in decide({ status, name, actor, facts: known }))
const offered = (status: ListingStatus | null, actor: Actor, known: ListingFacts) =>
  availableActions(status, actor, known).map(({ action }) => action)
const sorted = (actions: string[]) => actions.sort().join()

const booleans = [true, false]
/** Each fact at each of its sides, alone and in pairs. */
const sides: { [K in keyof ListingFacts]?: readonly ListingFacts[K][] } = {
  may_create: booleans,
  email_confirmed: booleans,
  account_completed: booleans,
  form_complete: booleans,
  media: ['checking', 'fine', 'flagged'],
  bid_count: [0, 1],
  reservation_price: [null, 5_000],
  reservation_met: booleans,
  withdraw_until: [null, earlier, now, later],
  can_offer_at_reservation_price: booleans,
  relisted: booleans,
  buyer_verified: booleans,
  seller_verified: booleans,
  vat: ['settled', 'unchecked', 'failed'],
  seller_invoices: booleans,
  next_bidder: ['none', 'meets_reservation', 'below_reservation'],
  reservation_waived: booleans,
  offers_made: [0, 2, 3, 4],
  has_missed_buyer: booleans,
  reinstated: booleans,
  cancel_agreed_by: [null, 'seller', 'buyer'],
  paid: [0, 12_000],
  due: [0, 1],
  payment_under_way: booleans,
  dispute: [null, 'opened', 'won', 'lost'],
  dispute_open: booleans,
  leader_suspended: booleans,
  buyer_licensed: booleans,
  balance_of: ['first_payment', 'amend'],
  deferred: booleans,
  deferred_granted: booleans,
  deferred_limit_free: booleans,
  accepts_deferred_payment: booleans,
  is_hazardous: booleans,
  overdue: booleans,
  transfer_method_id: [1, 2],
  slot: [null, earlier, now, later],
  eta: [null, earlier, now, later],
  reschedules: [0, 1, 2],
  amends_requested: [0, 1, 2],
  amend_rejected: booleans,
  amend_weight_only: booleans,
  amend_weight_off: [0, 2.5, 2.6],
  amend_has_ticket: booleans,
  amend_difference: [-1, 0, 1],
  returns_started: [0, 1],
  former_status: [null, ...issueCanBeRaised],
  due_at: [earlier, now, later].map((due) => Object.fromEntries(names.map((name) => [name, due]))),
}
const singles = Object.entries(sides).flatMap(([name, values]) => values.map((value): Partial<ListingFacts> => ({ [name]: value })))

test('available_actions offers exactly what decide() grants: every status × person × pair of facts', () => {
  const pairs = singles.flatMap((one, at) => singles.slice(at).map((other) => facts({ ...one, ...other })))
  for (const status of [null, ...all])
    for (const actor of people) {
      const actions = actionsOf(status, actor)
      for (const known of pairs) assert.equal(sorted(offered(status, actor, known)), sorted(granted(actions, status, actor, known)))
    }
})

test('available_actions offers nothing to time, provider or VAT check', () => {
  for (const status of [null, ...all])
    for (const actor of ['time', 'provider', 'vat_check'] as const)
      for (const known of singles) assert.deepEqual(availableActions(status, actor, facts(known)), [])
})

/** Any facts at all; what an admin chose is one of the choices that he was given. */
const anyFacts: fc.Arbitrary<ListingFacts> = fc
  .record({
    ...(Object.fromEntries(Object.entries(sides).map(([name, values]) => [name, fc.constantFrom(...(values as unknown[]))])) as Record<
      string,
      fc.Arbitrary<unknown>
    >),
    due_at: fc.dictionary(fc.constantFrom(...names), fc.constantFrom(earlier, now, later)),
    resolution: fc.constantFrom<Resolution>('refund_all', 'refund_amount', 'complete', 'expire'),
  })
  .map((changes) => facts(changes as Partial<ListingFacts>))
  .map((known) => (known.paid > 0 || known.deferred ? known : { ...known, resolution: 'expire' }))

test('random walks from nowhere never leave the 24 statuses, take only steps of RULES §4, and are offered what they may do', () => {
  const visited = new Set<ListingStatus | null>()
  const move = fc.record({ known: anyFacts, pick: fc.nat() })
  fc.assert(
    fc.property(fc.array(move, { minLength: 1, maxLength: 60 }), (moves) => {
      let status: ListingStatus | null = null
      for (const { known, pick } of moves) {
        const open: { name: string; actor: Actor }[] = stepsFrom(status).flatMap(({ name, by }) => by.map((actor) => ({ name, actor })))
        const chosen = open[pick % open.length]
        if (!chosen) return
        const answer: ReturnType<typeof decide> = decide({ status, ...chosen, facts: known })
        const { actor } = chosen
        assert.equal(sorted(offered(status, actor, known)), sorted(granted(actionsOf(status, actor), status, actor, known)))
        if ('refused' in answer) continue
        assert.ok(all.includes(answer.to))
        assert.ok(allowed.has(key(status, chosen.name, chosen.actor)))
        for (const effect of answer.effects) assert.ok(effects.includes(effect))
        status = answer.to
        visited.add(status)
      }
    }),
    { numRuns: 2_000 },
  )
  assert.ok(visited.size > 12, `only ${[...visited].join(', ')}`)
})

test('the diagram in the docs is drawn from the table', async () => {
  const drawn = await readFile('docs/listing-life.md', 'utf8')
  assert.ok(drawn.includes(`\`\`\`mermaid\n${lifeDiagram()}\n\`\`\``), `Put this into docs/listing-life.md:\n${lifeDiagram()}`)
})
