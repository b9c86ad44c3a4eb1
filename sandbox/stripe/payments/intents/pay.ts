import type Stripe from 'stripe'
import { askCardholder, rememberedDecline } from '#sandbox/stripe/payments/intents/cardholder.ts'
import { payByBankTransfer } from '#sandbox/stripe/payments/cash/bank-transfers.ts'
import type { Decline } from '#sandbox/stripe/payments/cards.ts'
import { makeCharge } from '#sandbox/stripe/payments/charges.ts'
import { disputeByCard } from '#sandbox/stripe/payments/disputes/disputes.ts'
import { cardError, invalid, SandboxError } from '#sandbox/stripe/http/errors.ts'
import { behaviourOf, findPaymentMethod } from '#sandbox/stripe/payments/payment-method-make.ts'
import { isCapturedByHand, savesCard } from '#sandbox/stripe/payments/intents/method-options.ts'
import { attach } from '#sandbox/stripe/payments/payment-methods.ts'
import type { Work } from '#sandbox/stripe/engine/route.ts'

export type Paying = {
  paymentMethod: string
  offSession: boolean
  /** Refuse instead of waiting for the cardholder (`error_on_requires_action`). */
  mayNotWait?: boolean
  returnUrl?: string | null
  isAuthenticated?: boolean
}
export type Paid = { intent: Stripe.PaymentIntent; error?: SandboxError }

const AUTHENTICATION_REQUIRED: Decline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
}

/** Tries to pay. A declined card is an outcome that the intent remembers, not a fault. */
export async function payIntent(work: Work, intent: Stripe.PaymentIntent, paying: Paying): Promise<Paid> {
  const { offSession, mayNotWait = offSession, returnUrl = null, isAuthenticated = false } = paying
  const method = await findPaymentMethod(work, paying.paymentMethod)
  checkMethod(intent, method)
  if (method.type === 'customer_balance') return payFromCash(work, intent, method)

  const behaviour = await behaviourOf(work, method)
  const taking = { intent, method, behaviour, isAuthenticated, isOffSession: offSession, isHeld: isCapturedByHand(intent) }
  if (behaviour.decline) return declined(work, taking, behaviour.decline)
  const asks = !isAuthenticated && mustAsk(intent, behaviour, offSession)
  if (asks && mayNotWait) return declined(work, taking, AUTHENTICATION_REQUIRED)
  if (asks) {
    const next_action = await askCardholder(work, intent.id, returnUrl)
    const waiting = await work.store.put('payment_intent', {
      ...intent,
      payment_method: method.id,
      status: 'requires_action',
      next_action,
      last_payment_error: null,
    })
    await work.emit('payment_intent.requires_action', waiting)
    await work.follow(waiting)
    return { intent: waiting }
  }
  if (behaviour.declineCharge) return declined(work, taking, behaviour.declineCharge)
  return succeeded(work, taking)
}

// the provider's documentation says that it fails, not with which code
const CASH_SHORT: Decline = {
  code: 'payment_intent_payment_attempt_failed',
  message: "The customer's cash balance does not have enough funds to pay this PaymentIntent.",
}

async function payFromCash(work: Work, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod): Promise<Paid> {
  const paid = await payByBankTransfer(work, intent, method)
  if (paid) return { intent: paid }
  const failed = await failPayment(work, intent, method, CASH_SHORT)
  const error = { type: 'invalid_request_error', ...CASH_SHORT, payment_intent: failed, payment_method: method } as const
  return { intent: failed, error: new SandboxError(402, error) }
}

/** The bank wants its cardholder, or the request does while somebody is at the screen. */
function mustAsk({ payment_method_options }: Stripe.PaymentIntent, { authenticate, isSetUp }: CardBehaviour, offSession: boolean): boolean {
  const demand = payment_method_options?.card?.request_three_d_secure
  if (authenticate === 'always') return true
  if (authenticate === 'unless_set_up' && !isSetUp) return true
  return !offSession && (authenticate === 'on_session' || demand === 'any' || demand === 'challenge')
}

type CardBehaviour = Awaited<ReturnType<typeof behaviourOf>>
type Taking = Parameters<typeof makeCharge>[1]

async function succeeded(work: Work, taking: Taking): Promise<Paid> {
  const { intent, method, behaviour } = taking
  const charge = await makeCharge(work, taking)
  const common = { ...intent, payment_method: method.id, latest_charge: charge.id, next_action: null, last_payment_error: null }
  if (savesCard(intent)) {
    await work.store.put('hidden.card', { ...(await work.store.need('hidden.card', method.id)), is_set_up: true })
    if (typeof intent.customer === 'string') await attach(work, method, intent.customer)
  }
  const isAuthorised = !charge.captured
  const done = await work.store.put('payment_intent', {
    ...common,
    status: isAuthorised ? 'requires_capture' : 'succeeded',
    amount_capturable: isAuthorised ? intent.amount : 0,
    amount_received: isAuthorised ? 0 : intent.amount,
  })
  await work.emit(isAuthorised ? 'payment_intent.amount_capturable_updated' : 'payment_intent.succeeded', done)
  if (!isAuthorised) await disputeByCard(work, charge, behaviour)
  await work.follow(done)
  return { intent: done }
}

async function declined(work: Work, taking: Taking, decline: Decline): Promise<Paid> {
  const { intent, method } = taking
  const charge = await makeCharge(work, taking, decline)
  const failed = await failPayment(work, { ...intent, latest_charge: charge.id }, method, decline)
  return { intent: failed, error: cardError({ ...decline, charge: charge.id, payment_intent: failed, payment_method: method }) }
}

/** The intent waits for another payment method, and remembers what was wrong with this one. */
export async function failPayment(
  work: Work,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  decline: Decline,
): Promise<Stripe.PaymentIntent> {
  const failed = await work.store.put('payment_intent', {
    ...intent,
    payment_method: null,
    next_action: null,
    status: 'requires_payment_method',
    last_payment_error: {
      ...rememberedDecline(decline, method),
      type: decline.decline_code || intent.latest_charge ? 'card_error' : 'invalid_request_error',
      ...(typeof intent.latest_charge === 'string' && { charge: intent.latest_charge }),
    },
  })
  await work.emit('payment_intent.payment_failed', failed)
  await work.follow(failed)
  return failed
}

function checkMethod(intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod): void {
  if (!intent.payment_method_types.includes(method.type)) {
    throw invalid(`The PaymentMethod provided (${method.type}) is not allowed for this PaymentIntent.`, { param: 'payment_method' })
  }
  if (method.customer && method.customer !== intent.customer) {
    throw invalid(
      `The provided PaymentMethod was attached to another Customer. Please include the Customer in the \`customer\` parameter on the PaymentIntent.`,
      { param: 'payment_method' },
    )
  }
}
