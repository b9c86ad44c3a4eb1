import type Stripe from 'stripe'
import { askCardholder, rememberedDecline } from '#sandbox/stripe/payments/intents/cardholder.ts'
import type { Decline } from '#sandbox/stripe/payments/cards.ts'
import { cardError, invalid, type SandboxError } from '#sandbox/stripe/http/errors.ts'
import { behaviourOf, findPaymentMethod } from '#sandbox/stripe/payments/payment-method-make.ts'
import { attach } from '#sandbox/stripe/payments/payment-methods.ts'
import type { Work } from '#sandbox/stripe/engine/route.ts'
import { letters, newId } from '#sandbox/stripe/engine/store.ts'

/** An intent to save a card for later, written and told but not yet confirmed. */
export async function createSetupIntent({ store, now, emit }: Work, wanted: Partial<Stripe.SetupIntent>): Promise<Stripe.SetupIntent> {
  const id = newId('seti')
  const intent = await store.put('setup_intent', {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: null,
    application: null,
    automatic_payment_methods: { allow_redirects: 'always', enabled: true },
    cancellation_reason: null,
    client_secret: `${id}_secret_${letters(31)}`,
    created: now,
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    managed_payments: null,
    mandate: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: { card: { mandate_options: null, network: null, request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: wanted.payment_method ? 'requires_confirmation' : 'requires_payment_method',
    usage: 'off_session',
    ...wanted,
  })
  await emit('setup_intent.created', intent)
  return intent
}

type Setting = { paymentMethod: string; returnUrl?: string | null; isAuthenticated?: boolean }

/** Tries to save the card. A refused card is an outcome that the intent remembers. */
export async function setUp(
  work: Work,
  intent: Stripe.SetupIntent,
  { paymentMethod, returnUrl = null, isAuthenticated = false }: Setting,
): Promise<{ intent: Stripe.SetupIntent; error?: SandboxError }> {
  const { store, emit, follow } = work
  const method = await findPaymentMethod(work, paymentMethod)
  if (method.customer && method.customer !== intent.customer) {
    throw invalid('The provided PaymentMethod is attached to another customer.', { param: 'payment_method' })
  }
  const behaviour = await behaviourOf(work, method)
  if (behaviour.decline) return refuseSetUp(work, intent, method, behaviour.decline)
  const demand = intent.payment_method_options?.card?.request_three_d_secure
  if (!isAuthenticated && (behaviour.authenticate || demand === 'any' || demand === 'challenge')) {
    const next_action = await askCardholder(work, intent.id, returnUrl)
    const waiting = await store.put('setup_intent', {
      ...intent,
      payment_method: method.id,
      status: 'requires_action',
      next_action,
      last_setup_error: null,
    })
    await emit('setup_intent.requires_action', waiting)
    await follow(waiting)
    return { intent: waiting }
  }
  const card = await store.get('hidden.card', method.id)
  if (card) await store.put('hidden.card', { ...card, is_set_up: true })
  if (typeof intent.customer === 'string') await attach(work, method, intent.customer)
  const done = await store.put('setup_intent', {
    ...intent,
    payment_method: method.id,
    status: 'succeeded',
    next_action: null,
    last_setup_error: null,
  })
  await emit('setup_intent.succeeded', done)
  await follow(done)
  return { intent: done }
}

export async function refuseSetUp(
  work: Work,
  intent: Stripe.SetupIntent,
  method: Stripe.PaymentMethod,
  decline: Decline,
): Promise<{ intent: Stripe.SetupIntent; error: SandboxError }> {
  const failed = await work.store.put('setup_intent', {
    ...intent,
    payment_method: null,
    next_action: null,
    status: 'requires_payment_method',
    last_setup_error: { ...rememberedDecline(decline, method), type: 'card_error' },
  })
  await work.emit('setup_intent.setup_failed', failed)
  await work.follow(failed)
  return { intent: failed, error: cardError({ ...decline, setup_intent: failed, payment_method: method }) }
}

export async function cancelSetupIntent(
  work: Work,
  intent: Stripe.SetupIntent,
  reason: Stripe.SetupIntent.CancellationReason | null = null,
): Promise<Stripe.SetupIntent> {
  if (intent.status === 'succeeded' || intent.status === 'canceled') {
    const message = `You cannot cancel this SetupIntent because it has a status of ${intent.status}.`
    throw invalid(message, { code: 'setup_intent_unexpected_state', setup_intent: intent })
  }
  const canceled = await work.store.put('setup_intent', { ...intent, status: 'canceled', cancellation_reason: reason, next_action: null })
  await work.emit('setup_intent.canceled', canceled)
  await work.follow(canceled)
  return canceled
}
