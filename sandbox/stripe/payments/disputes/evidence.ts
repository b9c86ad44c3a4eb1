import type Stripe from 'stripe'
import type { Form } from '#sandbox/stripe/http/form.ts'

const NAMES = [
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

export const noEvidence: Stripe.Dispute.Evidence = {
  ...(Object.fromEntries(NAMES.map((name) => [name, null])) as Record<(typeof NAMES)[number], null>),
  enhanced_evidence: {},
}

/** What was given, by name; undefined when there was nothing. */
export function readEvidence(form: Form): Partial<Stripe.Dispute.Evidence> | undefined {
  const given = form.child('evidence')
  return given && Object.fromEntries(NAMES.flatMap((name) => (given.has(name) ? [[name, given.nullable(name)]] : [])))
}

/** The provider's test words: evidence that decides the dispute at once. */
export const verdictOf = ({ uncategorized_text }: Partial<Stripe.Dispute.Evidence>) =>
  uncategorized_text === 'winning_evidence' ? 'won' : uncategorized_text === 'losing_evidence' ? 'lost' : undefined
