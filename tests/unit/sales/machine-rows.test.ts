import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import { decide, gate } from '#domain/sales/listing-machine.ts'
import type { Actor, ListingFacts } from '#domain/sales/listing-machine-step.ts'
import {
  now,
  later,
  facts,
  unmet,
  sold,
  delivery,
  oneMore,
  disputed,
  withTerms,
  inFull,
  restorable,
  cases,
  dueNow,
  taken,
} from '#tests/support/sales/rules-table.ts'

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
