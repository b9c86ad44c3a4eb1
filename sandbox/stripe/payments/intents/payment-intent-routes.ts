import type Stripe from 'stripe'
import { changeAmount, releaseCash } from '#sandbox/stripe/payments/cash/bank-transfers.ts'
import { takeMoney } from '#sandbox/stripe/payments/charges.ts'
import { disputeByCard } from '#sandbox/stripe/payments/disputes/disputes.ts'
import { invalid } from '#sandbox/stripe/http/errors.ts'
import { mergeMetadata } from '#sandbox/stripe/http/form.ts'
import { commonFields, intentRoutes, needIntent } from '#sandbox/stripe/payments/intents/intent-routes.ts'
import { payIntent } from '#sandbox/stripe/payments/intents/pay.ts'
import { readMethodOptions } from '#sandbox/stripe/payments/intents/method-options.ts'
import {
  cancelPaymentIntent,
  checkAmount,
  createPaymentIntent,
  isExpired,
  needStatus,
} from '#sandbox/stripe/payments/intents/payment-intents.ts'
import { releaseUncaptured } from '#sandbox/stripe/payments/refunds/record.ts'
import { behaviourOf } from '#sandbox/stripe/payments/payment-method-make.ts'
import type { Context, Route } from '#sandbox/stripe/engine/route.ts'
import { idOf } from '#sandbox/stripe/engine/store.ts'

const OPEN: Stripe.PaymentIntent.Status[] = ['requires_payment_method', 'requires_confirmation', 'requires_action']

export const paymentIntentRoutes: Route[] = [
  ...intentRoutes('payment_intent', {
    accepts: {
      create: ['use_stripe_sdk', 'off_session', 'return_url', 'error_on_requires_action', 'mandate_data'],
      confirm: ['use_stripe_sdk', 'mandate_data'],
    },
    create: async (context) => {
      const amount = context.form.integer('amount')
      const currency = context.form.required('currency').toLowerCase()
      checkAmount(amount, currency)
      return createPaymentIntent(context, {
        amount,
        currency,
        ...(await readFields(context, { metadata: {}, payment_method_options: null })),
      })
    },
    update: async (context, intent) => {
      const amount = context.form.integer('amount')
      const fields = await readFields(context, intent)
      const paying = amount !== undefined || fields.payment_method !== undefined
      if (paying) needStatus(intent, OPEN, 'update')
      if (amount !== undefined) checkAmount(amount, intent.currency)
      const changed = { ...(amount === undefined ? intent : await changeAmount(context, intent, amount)), ...fields }
      if (fields.payment_method === undefined) return context.store.put('payment_intent', changed)
      // another payment method starts again
      await releaseCash(context, changed)
      return context.store.put('payment_intent', { ...changed, status: 'requires_confirmation', next_action: null })
    },
    needUnconfirmed: (intent) => needStatus(intent, OPEN, 'confirm'),
    readFields,
    confirm,
    cancel: (context, intent) => {
      const reasons = ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'] as const
      return cancelPaymentIntent(context, intent, context.form.oneOf('cancellation_reason', reasons) ?? null)
    },
  }),
  { method: 'POST', path: '/v1/payment_intents/:id/capture', handle: capture },
]

async function confirm(context: Context, given: Stripe.PaymentIntent): Promise<Stripe.PaymentIntent> {
  const { form, isPublishable } = context
  const returnUrl = form.text('return_url')
  const offSession = form.text('off_session')
  const automatic = given.automatic_payment_methods
  if (!isPublishable && automatic?.enabled && automatic.allow_redirects !== 'never' && !given.allowed_payment_method_types && !returnUrl) {
    throw invalid(
      "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`. If you don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment Intents.",
    )
  }
  if (typeof given.payment_method !== 'string') {
    throw invalid(
      `You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.`,
      { code: 'payment_intent_unexpected_state', payment_intent: given },
    )
  }
  const isOffSession = offSession !== undefined && offSession !== 'false'
  const { intent, error } = await payIntent(context, given, {
    paymentMethod: given.payment_method,
    offSession: isOffSession,
    mayNotWait: isOffSession || form.flag('error_on_requires_action'),
    returnUrl,
  })
  if (error) throw error
  return intent
}

async function capture(context: Context): Promise<Stripe.PaymentIntent> {
  const { store, form, emit } = context
  const intent = await needIntent(context, 'payment_intent')
  const authorised = intent.latest_charge ? await store.need('charge', idOf(intent.latest_charge)) : undefined
  if (authorised && isTooLate(intent, authorised, context.now)) {
    throw invalid(`The charge ${authorised.id} can no longer be captured: its authorization has expired.`, {
      code: 'charge_expired_for_capture',
      payment_intent: intent,
    })
  }
  needStatus(intent, ['requires_capture'], 'capture')
  const amount = form.integer('amount_to_capture') ?? intent.amount_capturable
  if (amount < 1 || amount > intent.amount_capturable) {
    throw invalid('The amount to capture must be between 1 and the amount capturable.', {
      code: 'amount_too_large',
      param: 'amount_to_capture',
    })
  }
  const behaviour = await behaviourOf(context, await store.need('payment_method', idOf(intent.payment_method)))
  const held = await store.need('charge', idOf(intent.latest_charge))
  const rest = intent.amount_capturable - amount
  const charge = await releaseUncaptured(context, await takeMoney(context, held, amount, behaviour), { amount: rest })
  await emit('charge.captured', charge)
  const captured = await store.put('payment_intent', {
    ...intent,
    metadata: mergeMetadata(intent.metadata, form.map('metadata')),
    status: 'succeeded',
    amount_capturable: 0,
    amount_received: amount,
  })
  form.allow('final_capture')
  await emit('payment_intent.succeeded', captured)
  await disputeByCard(context, charge, behaviour)
  await context.follow(captured)
  return captured
}

const isTooLate = ({ status, cancellation_reason }: Stripe.PaymentIntent, charge: Stripe.Charge, now: number) =>
  status === 'requires_capture' ? isExpired(charge, now) : status === 'canceled' && cancellation_reason === 'automatic'

type Fields = Partial<Stripe.PaymentIntent>

/** The parameters that create, update and confirm have in common. */
async function readFields(context: Context, old: Pick<Stripe.PaymentIntent, 'metadata' | 'payment_method_options'>): Promise<Fields> {
  const { form } = context
  const fields: Fields = await commonFields(context, old)
  const texts = ['receipt_email', 'statement_descriptor', 'statement_descriptor_suffix', 'transfer_group', 'on_behalf_of'] as const
  for (const name of texts) {
    const value = form.nullable(name)
    if (value !== undefined) fields[name] = value
  }
  const usage = form.oneOf('setup_future_usage', ['off_session', 'on_session'] as const)
  if (usage) fields.setup_future_usage = usage
  const capture_method = form.oneOf('capture_method', ['automatic', 'automatic_async', 'manual'] as const)
  if (capture_method) fields.capture_method = capture_method
  const confirmation_method = form.oneOf('confirmation_method', ['automatic', 'manual'] as const)
  if (confirmation_method) fields.confirmation_method = confirmation_method
  const options = readMethodOptions(form, old.payment_method_options)
  if (options) fields.payment_method_options = options
  return fields
}
