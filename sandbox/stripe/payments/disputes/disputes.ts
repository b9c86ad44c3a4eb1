import type Stripe from 'stripe'
import { book } from '#sandbox/stripe/payments/balance.ts'
import type { Behaviour } from '#sandbox/stripe/payments/cards.ts'
import { noEvidence } from '#sandbox/stripe/payments/disputes/evidence.ts'
import { undo } from '#sandbox/stripe/payments/refunds/steps.ts'
import { invalid } from '#sandbox/stripe/http/errors.ts'
import type { Duty, Work } from '#sandbox/stripe/engine/route.ts'
import { idOf, newId } from '#sandbox/stripe/engine/store.ts'

// the received fee is kept, the countered fee returned if the dispute is won; both amounts are from memory
const RECEIVED_FEE = 2000
const COUNTERED_FEE = 2000
// 7 to 21 at the provider, by card network
const DAYS_TO_ANSWER = 9
const DAYS_OF_AN_INQUIRY = 120
const DAY = 24 * 60 * 60

/** Visa's codes; those of other networks are left out. */
const VISA_CODES = {
  credit_not_processed: '13.6',
  duplicate: '12.6.1',
  fraudulent: '10.4',
  general: null,
  product_not_received: '13.1',
  product_unacceptable: '13.3',
  subscription_canceled: '13.2',
  unrecognized: null,
} as const

export type DisputeReason = keyof typeof VISA_CODES
export const REASONS = Object.keys(VISA_CODES) as DisputeReason[]

type Opening = { reason: DisputeReason; amount?: number; isInquiry?: boolean }

/** The cardholder's bank takes money back until the dispute is decided, or only inquires. Refunds that are under way fail. */
export async function openDispute(work: Work, given: Stripe.Charge, opening: Opening): Promise<Stripe.Dispute> {
  const { store, now, emit } = work
  const { reason, amount = given.amount_captured, isInquiry = false } = opening
  if (given.payment_method_details?.type !== 'card' || !given.captured) throw invalid('Only a captured card payment can be disputed.')
  if (amount < 1 || amount > given.amount_captured)
    throw invalid('The amount must be between 1 and the captured amount.', { param: 'amount' })
  for (const status of ['pending', 'requires_action']) {
    for (const refund of await store.find('refund', { charge: given.id, status })) {
      await undo(work, refund, 'failed', 'charge_for_pending_refund_disputed')
    }
  }
  const charge = await store.need('charge', given.id)
  await store.put('charge', { ...charge, disputed: true })
  const brand = charge.payment_method_details?.card?.brand ?? 'visa'
  const network_reason_code = brand === 'visa' ? VISA_CODES[reason] : null
  const dispute: Stripe.Dispute = await store.put('dispute', {
    id: newId('dp'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created: now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: now + DAYS_TO_ANSWER * DAY,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: isInquiry,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      type: 'card',
      card: { brand, case_type: isInquiry ? 'inquiry' : 'chargeback', network: brand, network_reason_code },
    },
    reason,
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
  })
  const taken = isInquiry ? dispute : await withdraw(work, dispute)
  await emit('charge.dispute.created', taken)
  if (!isInquiry) await emit('charge.dispute.funds_withdrawn', taken)
  return taken
}

/** What the holder of a test card does once it is charged. */
export async function disputeByCard(work: Work, charge: Stripe.Charge, { dispute }: Behaviour): Promise<void> {
  if (dispute === 'inquiry') await openDispute(work, charge, { reason: 'fraudulent', isInquiry: true })
  else if (dispute) await openDispute(work, charge, { reason: dispute })
}

/** An inquiry becomes a chargeback. */
export async function escalate(work: Work, inquiry: Stripe.Dispute): Promise<Stripe.Dispute> {
  if (!inquiry.status.startsWith('warning_') || inquiry.status === 'warning_closed') throw invalid('This dispute is not an open inquiry.')
  const { card } = inquiry.payment_method_details ?? {}
  const taken = await withdraw(work, {
    ...inquiry,
    is_charge_refundable: false,
    status: 'needs_response',
    evidence_details: { ...inquiry.evidence_details, due_by: work.now + DAYS_TO_ANSWER * DAY, submission_count: 0 },
    ...(card && { payment_method_details: { type: 'card', card: { ...card, case_type: 'chargeback' } } }),
  })
  await work.emit('charge.dispute.updated', taken)
  await work.emit('charge.dispute.funds_withdrawn', taken)
  return taken
}

async function withdraw(work: Work, dispute: Stripe.Dispute): Promise<Stripe.Dispute> {
  const { id, amount, currency, charge } = dispute
  const withdrawn = await book(work, {
    type: 'adjustment',
    reporting_category: 'dispute',
    source: id,
    amount: -amount,
    fee: RECEIVED_FEE,
    currency,
    description: `Chargeback withdrawal for ${idOf(charge)}`,
  })
  return work.store.put('dispute', { ...dispute, balance_transactions: [withdrawn] })
}

/** Evidence was sent: that costs a fee of its own, which is no part of the dispute's two balance transactions. */
export const takeCounteredFee = (work: Work, { currency, charge }: Stripe.Dispute, sign: 1 | -1) =>
  book(work, {
    type: 'stripe_fee',
    reporting_category: 'fee',
    source: idOf(charge),
    amount: sign * COUNTERED_FEE,
    currency,
    description: sign < 0 ? 'Dispute countered fee' : 'Dispute countered fee returned',
  })

const CLOSED = ['won', 'lost', 'warning_closed']

export async function closeDispute(work: Work, dispute: Stripe.Dispute, outcome: 'won' | 'lost'): Promise<Stripe.Dispute> {
  if (CLOSED.includes(dispute.status)) throw invalid('This dispute is already closed')
  const isInquiry = dispute.status.startsWith('warning_')
  const closed: Stripe.Dispute = { ...dispute, is_charge_refundable: isInquiry, status: isInquiry ? 'warning_closed' : outcome }
  const isReturned = closed.status === 'won'
  if (isReturned) {
    const { amount, currency, id, charge } = dispute
    const back = { type: 'adjustment', reporting_category: 'dispute_reversal', source: id, amount, currency } as const
    const returned = await book(work, { ...back, description: `Chargeback reversal for ${idOf(charge)}` })
    closed.balance_transactions = [...dispute.balance_transactions, returned]
    if (dispute.evidence_details.submission_count > 0) await takeCounteredFee(work, dispute, 1)
  }
  await work.store.put('dispute', closed)
  await work.emit('charge.dispute.closed', closed)
  if (isReturned) await work.emit('charge.dispute.funds_reinstated', closed)
  return closed
}

/** A chargeback that nobody answers is lost; an inquiry closes by itself after a while. */
export const settleDisputes: Duty = async (work) => {
  for (const dispute of await work.store.find('dispute', { status: 'needs_response' })) {
    if ((dispute.evidence_details.due_by ?? work.now) > work.now) continue
    await closeDispute(work, { ...dispute, evidence_details: { ...dispute.evidence_details, past_due: true } }, 'lost')
  }
  for (const status of ['warning_needs_response', 'warning_under_review']) {
    for (const inquiry of await work.store.find('dispute', { status })) {
      if (inquiry.created + DAYS_OF_AN_INQUIRY * DAY <= work.now) await closeDispute(work, inquiry, 'lost')
    }
  }
}
