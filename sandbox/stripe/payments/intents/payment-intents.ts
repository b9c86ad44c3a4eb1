import type Stripe from 'stripe'
import { releaseCash } from '#sandbox/stripe/payments/cash/bank-transfers.ts'
import { releaseUncaptured } from '#sandbox/stripe/payments/refunds/record.ts'
import { plainOptions } from '#sandbox/stripe/payments/intents/method-options.ts'
import { invalid } from '#sandbox/stripe/http/errors.ts'
import type { Duty, Work } from '#sandbox/stripe/engine/route.ts'
import { letters, newId } from '#sandbox/stripe/engine/store.ts'

type Wanted = { amount: number; currency: string } & Partial<Stripe.PaymentIntent>

/** An intent to pay, written and told but not yet confirmed. */
export async function createPaymentIntent({ store, now, emit }: Work, wanted: Wanted): Promise<Stripe.PaymentIntent> {
  checkAmount(wanted.amount, wanted.currency)
  const id = newId('pi')
  const intent = await store.put('payment_intent', {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: { allow_redirects: 'always', enabled: true },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${letters(25)}`,
    confirmation_method: 'automatic',
    created: now,
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: plainOptions,
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: wanted.payment_method ? 'requires_confirmation' : 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
    ...wanted,
  })
  await emit('payment_intent.created', intent)
  return intent
}

export function checkAmount(amount: number | undefined, currency: string): asserts amount is number {
  if (amount === undefined) throw invalid('Missing required param: amount.', { code: 'parameter_missing', param: 'amount' })
  if (amount < 1) {
    throw invalid('This value must be greater than or equal to 1.', { code: 'parameter_invalid_integer', param: 'amount' })
  }
  if (currency === 'gbp' && amount < 30) {
    throw invalid('Amount must be at least £0.30 gbp', { code: 'amount_too_small', param: 'amount' })
  }
  if (amount > 99_999_999) throw invalid('Amount must be no more than £999,999.99', { code: 'amount_too_large', param: 'amount' })
}

const CANCELABLE: Stripe.PaymentIntent.Status[] = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
  'requires_capture',
  'processing',
]

export function needStatus(intent: Stripe.PaymentIntent, wanted: Stripe.PaymentIntent.Status[], doing: string): void {
  if (wanted.includes(intent.status)) return
  throw invalid(`You cannot ${doing} this PaymentIntent because it has a status of ${intent.status}.`, {
    code: 'payment_intent_unexpected_state',
    payment_intent: intent,
  })
}

/** Nothing will be paid: an authorisation is released, and cash that was already taken goes back. */
export async function cancelPaymentIntent(
  work: Work,
  intent: Stripe.PaymentIntent,
  reason: Stripe.PaymentIntent.CancellationReason | null = null,
): Promise<Stripe.PaymentIntent> {
  needStatus(intent, CANCELABLE, 'cancel')
  await releaseCash(work, intent)
  if (intent.status === 'requires_capture' && typeof intent.latest_charge === 'string') {
    const charge = await work.store.need('charge', intent.latest_charge)
    const isExpiry = reason === 'automatic'
    const why = isExpiry ? 'expired_uncaptured_charge' : null
    const released = await releaseUncaptured(work, charge, { amount: charge.amount, reason: why })
    await work.emit(isExpiry ? 'charge.expired' : 'charge.refunded', released)
  }
  const canceled = await work.store.put('payment_intent', {
    ...intent,
    status: 'canceled',
    amount_capturable: 0,
    canceled_at: work.now,
    cancellation_reason: reason,
    next_action: null,
  })
  await work.emit('payment_intent.canceled', canceled)
  await work.follow(canceled)
  return canceled
}

/** The bank no longer holds the amount: it is released, or soon will be. */
export const isExpired = ({ payment_method_details }: Stripe.Charge, now: number) =>
  (payment_method_details?.card?.capture_before ?? 0) <= now

/** Releases what was not captured in time. Found in one query: many are held, and few are over. */
export const releaseAuthorisations: Duty = async (work) => {
  const { rows } = await work.client.query<{ doc: Stripe.PaymentIntent }>(
    `select held.doc
     from stripe_sandbox.objects held
     join stripe_sandbox.objects charge on charge.kind = 'charge' and charge.id = held.doc ->> 'latest_charge'
     where held.kind = 'payment_intent' and held.account = $1 and held.doc @> '{"status":"requires_capture"}'
       and coalesce((charge.doc #>> '{payment_method_details,card,capture_before}')::bigint, 0) <= $2
     order by held.seq`,
    [work.store.account, work.now],
  )
  for (const { doc } of rows) await cancelPaymentIntent(work, doc, 'automatic')
}
