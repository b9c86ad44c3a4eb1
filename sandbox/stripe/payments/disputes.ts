import type Stripe from 'stripe'
import { book } from '#sandbox/stripe/payments/balance.ts'
import { invalid } from '#sandbox/stripe/http/errors.ts'
import { mergeMetadata, parseJson } from '#sandbox/stripe/http/form.ts'
import { listOf } from '#sandbox/stripe/engine/lists.ts'
import type { Route, Work } from '#sandbox/stripe/engine/route.ts'
import { idOf, newId } from '#sandbox/stripe/engine/store.ts'

const DISPUTE_FEE = 2000
const DAYS_TO_ANSWER = 9
const DAY = 24 * 60 * 60

const EVIDENCE = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_communication',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'customer_signature',
  'duplicate_charge_documentation',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'receipt',
  'refund_policy',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'service_documentation',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_documentation',
  'shipping_tracking_number',
  'uncategorized_file',
  'uncategorized_text',
] as const

/** The cardholder's bank takes the money back until the dispute is decided. */
export async function openDispute(work: Work, charge: Stripe.Charge, reason: string): Promise<Stripe.Dispute> {
  const { store, now, emit } = work
  const id = newId('dp')
  const { currency, amount_captured: amount } = charge
  const withdrawn = await book(work, {
    type: 'adjustment',
    reporting_category: 'dispute',
    source: id,
    amount: -amount,
    fee: DISPUTE_FEE,
    currency,
    description: `Chargeback withdrawal for ${charge.id}`,
  })
  const brand = charge.payment_method_details?.card?.brand ?? 'visa'
  const dispute: Stripe.Dispute = await store.put('dispute', {
    id,
    object: 'dispute',
    amount,
    balance_transactions: [withdrawn],
    charge: charge.id,
    created: now,
    currency,
    enhanced_eligibility_types: [],
    evidence: {
      ...(Object.fromEntries(EVIDENCE.map((name) => [name, null])) as Record<(typeof EVIDENCE)[number], null>),
      enhanced_evidence: {},
    },
    evidence_details: {
      due_by: now + DAYS_TO_ANSWER * DAY,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: { type: 'card', card: { brand, case_type: 'chargeback', network: brand, network_reason_code: '10.4' } },
    reason,
    status: 'needs_response',
  })
  await store.put('charge', { ...charge, disputed: true })
  await emit('charge.dispute.created', dispute)
  await emit('charge.dispute.funds_withdrawn', dispute)
  return dispute
}

async function closeDispute(work: Work, dispute: Stripe.Dispute, status: 'won' | 'lost'): Promise<Stripe.Dispute> {
  if (dispute.status === 'won' || dispute.status === 'lost') throw invalid('This dispute is already closed')
  const closed: Stripe.Dispute = { ...dispute, status }
  if (status === 'won') {
    const { amount, currency, id, charge } = dispute
    const back = { type: 'adjustment', reporting_category: 'dispute_reversal', source: id, amount, currency } as const
    const returned = await book(work, { ...back, description: `Chargeback reversal for ${idOf(charge)}` })
    closed.balance_transactions = [...dispute.balance_transactions, returned]
  }
  await work.store.put('dispute', closed)
  if (status === 'won') await work.emit('charge.dispute.funds_reinstated', closed)
  await work.emit('charge.dispute.closed', closed)
  return closed
}

export const disputeRoutes: Route[] = [
  {
    method: 'GET',
    path: '/v1/disputes',
    handle: async (context) => {
      const charge = context.form.text('charge')
      const payment_intent = context.form.text('payment_intent')
      return listOf(context, 'dispute', { ...(charge && { charge }), ...(payment_intent && { payment_intent }) })
    },
  },
  { method: 'GET', path: '/v1/disputes/:id', handle: ({ store, params }) => store.need('dispute', params['id'] ?? '') },
  {
    method: 'POST',
    path: '/v1/disputes/:id',
    handle: async ({ store, params, form, emit }) => {
      const dispute = await store.need('dispute', params['id'] ?? '')
      const evidence = form.map('evidence')
      const isSent = form.flag('submit') ?? evidence !== undefined
      const changed = await store.put('dispute', {
        ...dispute,
        metadata: mergeMetadata(dispute.metadata, form.map('metadata')),
        evidence: { ...dispute.evidence, ...evidence },
        evidence_details: {
          ...dispute.evidence_details,
          has_evidence: dispute.evidence_details.has_evidence || evidence !== undefined,
          submission_count: dispute.evidence_details.submission_count + (isSent ? 1 : 0),
        },
        status: isSent && dispute.status === 'needs_response' ? 'under_review' : dispute.status,
      })
      await emit('charge.dispute.updated', changed)
      return changed
    },
  },
  {
    method: 'POST',
    path: '/v1/disputes/:id/close',
    handle: async (context) => closeDispute(context, await context.store.need('dispute', context.params['id'] ?? ''), 'lost'),
  },
  {
    method: 'POST',
    path: '/sandbox/disputes/:id/close',
    access: 'open',
    handle: async (context) => {
      const dispute = await context.store.need('dispute', context.params['id'] ?? '')
      const { status }: { status?: unknown } = parseJson(context.rawBody)
      if (status !== 'won' && status !== 'lost') throw invalid("Say { status: 'won' } or { status: 'lost' }.", { param: 'status' })
      return closeDispute(context, dispute, status)
    },
  },
]
