import type Stripe from 'stripe'
import { z } from 'zod'
import { closeDispute, escalate, openDispute, REASONS, takeCounteredFee } from '#sandbox/stripe/payments/disputes/disputes.ts'
import { readEvidence, verdictOf } from '#sandbox/stripe/payments/disputes/evidence.ts'
import { invalid } from '#sandbox/stripe/http/errors.ts'
import { mergeMetadata, parseJson } from '#sandbox/stripe/http/form.ts'
import { listOf } from '#sandbox/stripe/engine/lists.ts'
import type { Context, Route } from '#sandbox/stripe/engine/route.ts'
import { idOf } from '#sandbox/stripe/engine/store.ts'

const needDispute = ({ store, params }: Context) => store.need('dispute', params['id'] ?? '')

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
  { method: 'GET', path: '/v1/disputes/:id', handle: needDispute },
  { method: 'POST', path: '/v1/disputes/:id', handle: answer },
  {
    method: 'POST',
    path: '/v1/disputes/:id/close',
    handle: async (context) => closeDispute(context, await needDispute(context), 'lost'),
  },
  { method: 'POST', path: '/sandbox/disputes', access: 'open', handle: openByHand },
  {
    method: 'POST',
    path: '/sandbox/disputes/:id/escalate',
    access: 'open',
    handle: async (context) => escalate(context, await needDispute(context)),
  },
  {
    method: 'POST',
    path: '/sandbox/disputes/:id/close',
    access: 'open',
    handle: async (context) => {
      const dispute = await needDispute(context)
      const { status }: { status?: unknown } = parseJson(context.rawBody)
      if (status !== 'won' && status !== 'lost') throw invalid("Say { status: 'won' } or { status: 'lost' }.", { param: 'status' })
      return closeDispute(context, dispute, status)
    },
  },
]

/** Evidence may be drafted often, and is sent once. */
async function answer(context: Context): Promise<Stripe.Dispute> {
  const { store, form, emit } = context
  const old = await needDispute(context)
  const evidence = readEvidence(form)
  const isSent = form.flag('submit') ?? evidence !== undefined
  const isOpen = old.status === 'needs_response' || old.status === 'warning_needs_response'
  if (!isOpen && (evidence || isSent)) throw invalid('Evidence for this dispute has already been submitted, or it is closed.')
  const { evidence_details } = old
  const changed: Stripe.Dispute = await store.put('dispute', {
    ...old,
    metadata: mergeMetadata(old.metadata, form.map('metadata')),
    evidence: { ...old.evidence, ...evidence },
    evidence_details: {
      ...evidence_details,
      has_evidence: evidence_details.has_evidence || evidence !== undefined,
      submission_count: evidence_details.submission_count + (isSent ? 1 : 0),
      submission_method: isSent ? 'manual' : evidence_details.submission_method,
    },
    status: isSent ? (old.status === 'needs_response' ? 'under_review' : 'warning_under_review') : old.status,
  })
  await emit('charge.dispute.updated', changed)
  if (changed.status !== 'under_review' || !isSent) return changed
  await takeCounteredFee(context, changed, -1)
  const verdict = verdictOf(changed.evidence)
  return verdict ? closeDispute(context, changed, verdict) : changed
}

const openingShape = z.strictObject({
  charge: z.string().optional(),
  payment_intent: z.string().optional(),
  /** The captured amount when absent. */
  amount: z.int().optional(),
  reason: z.enum(REASONS).default('fraudulent'),
  is_inquiry: z.boolean().default(false),
})

/** The cardholder of any payment disputes it: `{ charge | payment_intent, amount?, reason?, is_inquiry? }`. */
async function openByHand(context: Context): Promise<Stripe.Dispute> {
  const parsed = openingShape.safeParse(parseJson(context.rawBody))
  if (!parsed.success) throw invalid(z.prettifyError(parsed.error))
  const { payment_intent, amount, reason, is_inquiry } = parsed.data
  const intent = payment_intent ? await context.store.need('payment_intent', payment_intent, 'payment_intent') : undefined
  const charge = await context.store.need('charge', parsed.data.charge ?? idOf(intent?.latest_charge), 'charge')
  return openDispute(context, charge, { reason, isInquiry: is_inquiry, ...(amount !== undefined && { amount }) })
}
