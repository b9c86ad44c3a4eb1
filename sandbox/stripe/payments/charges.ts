import type Stripe from 'stripe'
import { bankTransferFee, book, cardFee, settledOn } from '#sandbox/stripe/payments/balance.ts'
import type { Behaviour, Decline } from '#sandbox/stripe/payments/cards.ts'
import { mergeMetadata } from '#sandbox/stripe/http/form.ts'
import { emptyList, listOf } from '#sandbox/stripe/engine/lists.ts'
import type { Expanders, Route, Work } from '#sandbox/stripe/engine/route.ts'
import { letters, newId } from '#sandbox/stripe/engine/store.ts'

export const chargeRoutes: Route[] = [
  {
    method: 'GET',
    path: '/v1/charges',
    handle: async (context) => {
      const where = ['customer', 'payment_intent', 'transfer_group'].flatMap((name) => {
        const value = context.form.text(name)
        return value ? [[name, value]] : []
      })
      return listOf(context, 'charge', Object.fromEntries(where))
    },
  },
  { method: 'GET', path: '/v1/charges/:id', handle: ({ store, params }) => store.need('charge', params['id'] ?? '') },
  {
    method: 'POST',
    path: '/v1/charges/:id',
    handle: async ({ store, params, form, emit }) => {
      const charge = await store.need('charge', params['id'] ?? '')
      const description = form.nullable('description')
      const metadata = mergeMetadata(charge.metadata, form.map('metadata'))
      const changed = await store.put('charge', { ...charge, metadata, ...(description !== undefined && { description }) })
      await emit('charge.updated', changed)
      return changed
    },
  },
]

export const chargeExpanders: Expanders = {
  'charge.refunds': async ({ store }, charge: Stripe.Charge) => {
    const data = (await store.find('refund', { charge: charge.id })).reverse()
    return { ...emptyList<Stripe.Refund>(`/v1/charges/${charge.id}/refunds`), data }
  },
  // only a refund that failed has one
  'refund.failure_balance_transaction': async (_work, refund: Stripe.Refund) => refund.failure_balance_transaction,
}

type Taking = {
  intent: Stripe.PaymentIntent
  method: Stripe.PaymentMethod
  behaviour: Behaviour
  /** The amount is only held until it is captured. */
  isHeld?: boolean
  isAuthenticated?: boolean
  isOffSession?: boolean
}

const HOUR = 60 * 60
const DAY = 24 * HOUR

/** How long a bank holds an authorised amount: Visa shorter when nobody was at the screen. */
const holdSeconds = (brand: string, isOffSession: boolean) => (brand === 'visa' && isOffSession ? 4 * DAY + 18 * HOUR : 7 * DAY)

/** A charge of the whole intent: failed, authorised only, or paid with its balance transaction. */
export async function makeCharge(work: Work, taking: Taking, decline?: Decline): Promise<Stripe.Charge> {
  const charge = await work.store.put('charge', blankCharge(work, taking))
  if (decline) {
    const failed = await work.store.put('charge', {
      ...charge,
      status: 'failed',
      paid: false,
      captured: false,
      failure_code: decline.code,
      failure_message: decline.message,
      outcome: outcomeOf(decline),
    })
    await work.emit('charge.failed', failed)
    return failed
  }
  if (taking.isHeld) {
    await work.emit('charge.succeeded', charge)
    return charge
  }
  const paid = await takeMoney(work, charge, charge.amount, taking.behaviour)
  await work.emit('charge.succeeded', paid)
  return paid
}

/** The money of a charge, or of the captured part of it, arrives. */
export async function takeMoney(work: Work, charge: Stripe.Charge, amount: number, behaviour: Behaviour): Promise<Stripe.Charge> {
  const isCard = charge.payment_method_details?.type === 'card'
  const transaction = await book(work, {
    type: isCard ? 'charge' : 'payment',
    reporting_category: 'charge',
    source: charge.id,
    amount,
    currency: charge.currency,
    fee: isCard ? cardFee(amount) : bankTransferFee(amount),
    description: charge.description,
    availableOn: behaviour.isAvailableAtOnce ? work.now : settledOn(work.now),
  })
  return work.store.put('charge', { ...charge, captured: true, amount_captured: amount, balance_transaction: transaction.id })
}

const blankCharge = ({ now, publicBase }: Work, { intent, method, ...how }: Taking): Stripe.Charge => ({
  id: newId(method.type === 'card' ? 'ch' : 'py'),
  object: 'charge',
  amount: intent.amount,
  amount_captured: 0,
  amount_refunded: 0,
  application: null,
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: null,
  billing_details: method.billing_details,
  calculated_statement_descriptor: 'YARDBID',
  captured: false,
  created: now,
  currency: intent.currency,
  customer: intent.customer,
  description: intent.description,
  disputed: false,
  failure_balance_transaction: null,
  failure_code: null,
  failure_message: null,
  fraud_details: {},
  livemode: false,
  metadata: intent.metadata,
  on_behalf_of: intent.on_behalf_of,
  outcome: outcomeOf(),
  paid: true,
  payment_intent: intent.id,
  payment_method: method.id,
  payment_method_details: detailsOf(intent, method, { now, ...how }),
  receipt_email: intent.receipt_email,
  receipt_number: null,
  receipt_url: `${publicBase}/sandbox/receipts/${letters(24)}`,
  refunded: false,
  review: null,
  shipping: intent.shipping,
  source: null,
  source_transfer: null,
  statement_descriptor: intent.statement_descriptor,
  statement_descriptor_suffix: intent.statement_descriptor_suffix,
  status: 'succeeded',
  transfer_data: null,
  transfer_group: intent.transfer_group,
})

const outcomeOf = (decline?: Decline): Stripe.Charge.Outcome => ({
  advice_code: null,
  network_advice_code: null,
  network_decline_code: null,
  network_status: decline ? 'declined_by_network' : 'approved_by_network',
  reason: decline ? (decline.decline_code ?? decline.code) : null,
  risk_level: 'normal',
  seller_message: decline ? 'The bank did not return any further details with this decline.' : 'Payment complete.',
  type: decline ? 'issuer_declined' : 'authorized',
})

function detailsOf(
  { amount }: Stripe.PaymentIntent,
  { card }: Stripe.PaymentMethod,
  { now, isHeld, isAuthenticated, isOffSession = false }: Pick<Taking, 'isHeld' | 'isAuthenticated' | 'isOffSession'> & { now: number },
): Stripe.Charge.PaymentMethodDetails {
  if (!card) return { type: 'customer_balance', customer_balance: {} }
  const { brand, country, exp_month, exp_year, fingerprint, funding, last4, regulated_status } = card
  return {
    type: 'card',
    card: {
      amount_authorized: amount,
      authorization_code: letters(6).toUpperCase(),
      brand,
      ...(isHeld && { capture_before: now + holdSeconds(brand, isOffSession) }),
      checks: card.checks && { ...card.checks, cvc_check: card.checks.cvc_check === null ? null : 'pass' },
      country,
      electronic_commerce_indicator: isAuthenticated ? '05' : null,
      exp_month,
      exp_year,
      extended_authorization: { status: 'disabled' },
      fingerprint,
      funding,
      incremental_authorization: { status: 'unavailable' },
      installments: null,
      last4,
      mandate: null,
      multicapture: { status: 'unavailable' },
      network: brand,
      network_token: { used: false },
      network_transaction_id: letters(15).toUpperCase(),
      overcapture: { maximum_amount_capturable: amount, status: 'unavailable' },
      regulated_status,
      three_d_secure: isAuthenticated ? authenticated : null,
      transaction_link_id: null,
      wallet: null,
    },
  }
}

const authenticated: Stripe.Charge.PaymentMethodDetails.Card.ThreeDSecure = {
  authentication_flow: 'challenge',
  electronic_commerce_indicator: '05',
  exemption_indicator: null,
  result: 'authenticated',
  result_reason: null,
  transaction_id: null,
  version: '2.2.0',
}
