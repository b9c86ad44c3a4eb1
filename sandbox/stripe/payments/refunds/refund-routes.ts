import type Stripe from 'stripe'
import { invalid, missingParam } from '#sandbox/stripe/http/errors.ts'
import { mergeMetadata } from '#sandbox/stripe/http/form.ts'
import { listOf } from '#sandbox/stripe/engine/lists.ts'
import { availableCash, moveCash } from '#sandbox/stripe/payments/cash/cash.ts'
import { blankRefund, countRefund, refundable } from '#sandbox/stripe/payments/refunds/record.ts'
import { isToBank, send, undo } from '#sandbox/stripe/payments/refunds/steps.ts'
import type { Context, Route } from '#sandbox/stripe/engine/route.ts'
import { idOf } from '#sandbox/stripe/engine/store.ts'

const DAY = 24 * 60 * 60
const MOST_DAYS_TO_BANK = 180

export const refundRoutes: Route[] = [
  {
    method: 'POST',
    path: '/v1/refunds',
    handle: (context) => (context.form.oneOf('origin', ['customer_balance']) ? refundCash(context) : refundCharge(context)),
  },
  {
    method: 'GET',
    path: '/v1/refunds',
    handle: async (context) => {
      const charge = context.form.text('charge')
      const payment_intent = context.form.text('payment_intent')
      return listOf(context, 'refund', { ...(charge && { charge }), ...(payment_intent && { payment_intent }) })
    },
  },
  { method: 'GET', path: '/v1/refunds/:id', handle: ({ store, params }) => store.need('refund', params['id'] ?? '') },
  {
    method: 'POST',
    path: '/v1/refunds/:id',
    handle: async ({ store, params, form, emit }) => {
      const old = await store.need('refund', params['id'] ?? '')
      const changed = await store.put('refund', { ...old, metadata: mergeMetadata(old.metadata, form.map('metadata')) })
      await emit('refund.updated', changed)
      return changed
    },
  },
  {
    method: 'POST',
    path: '/v1/refunds/:id/cancel',
    handle: async (context) => undo(context, await needUnanswered(context), 'canceled', 'merchant_request'),
  },
  {
    method: 'POST',
    path: '/v1/test_helpers/refunds/:id/expire',
    handle: async (context) => undo(context, await needUnanswered(context), 'failed', 'unknown'),
  },
]

async function needUnanswered({ store, params }: Context): Promise<Stripe.Refund> {
  const refund = await store.need('refund', params['id'] ?? '')
  if (refund.status === 'requires_action') return refund
  throw invalid(`Only a refund with a status of requires_action can be ended; this one is ${refund.status}.`)
}

/** Money goes back to the payer: never more than was captured. Its fee at the provider is not known, and none is taken. */
async function refundCharge(context: Context): Promise<Stripe.Refund> {
  const { store, form, emit } = context
  const charge = await chargeToRefund(context)
  const left = await leftToRefund(context, charge)
  const amount = form.integer('amount') ?? left
  if (left === 0) throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  if (amount < 1) throw invalid('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' })
  if (amount > left) {
    const shown = (pence: number) => `£${(pence / 100).toFixed(2)}`
    throw invalid(`Refund amount (${shown(amount)}) is greater than unrefunded amount on charge (${shown(left)})`, { param: 'amount' })
  }
  const blank = blankRefund(context, charge, amount)
  if (isToBank(blank) && charge.created + MOST_DAYS_TO_BANK * DAY <= context.now) {
    throw invalid(`Bank transfers can be refunded for ${MOST_DAYS_TO_BANK} days.`, { code: 'charge_not_refundable' })
  }
  const reason = form.oneOf('reason', ['duplicate', 'fraudulent', 'requested_by_customer'] as const) ?? null
  const to = isToBank(blank) ? await emailOf(context, idOf(charge.customer)) : {}
  await store.put('refund', { ...blank, ...to, metadata: mergeMetadata({}, form.map('metadata')), reason })
  const made = await send(context, await store.need('refund', blank.id))
  const changed = await countRefund(context, charge, amount)
  await emit('refund.created', made)
  await emit('charge.refunded', changed, { previous: { amount_refunded: charge.amount_refunded, refunded: charge.refunded } })
  if (changed.refunded) await closeInquiries(context, charge.id)
  return made
}

/** An inquiry ends when its payment is refunded in full. */
async function closeInquiries({ store, emit }: Context, charge: string): Promise<void> {
  for (const dispute of await store.find('dispute', { charge })) {
    if (dispute.status !== 'warning_needs_response' && dispute.status !== 'warning_under_review') continue
    await emit('charge.dispute.closed', await store.put('dispute', { ...dispute, status: 'warning_closed' }))
  }
}

/** A customer's cash goes back to the customer's bank. */
async function refundCash(context: Context): Promise<Stripe.Refund> {
  const { store, form, emit } = context
  const customer = await store.need('customer', form.required('customer'), 'customer')
  const currency = form.required('currency').toLowerCase()
  const amount = form.integer('amount')
  if (amount === undefined) throw missingParam('amount')
  if (amount < 1) throw invalid('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' })
  if (amount > (await availableCash(context, customer.id, currency))) {
    throw invalid("The customer's cash balance does not have enough funds.", { param: 'amount' })
  }
  const source = { id: null, currency, customer: customer.id, payment_intent: null, payment_method: null, payment_method_details: null }
  const blank = { ...blankRefund(context, source, amount), ...(await emailOf(context, customer.id)) }
  await moveCash(context, customer.id, { type: 'return_initiated', net_amount: -amount, currency })
  const made = await send(context, { ...blank, metadata: mergeMetadata({}, form.map('metadata')) })
  await emit('refund.created', made)
  return made
}

/** Where the buyer is asked for a bank account; nobody is asked when it is known. */
async function emailOf({ store, form }: Context, customer: string): Promise<{ instructions_email?: string }> {
  const email = form.text('instructions_email') ?? (await store.get('customer', customer))?.email
  if (email) return { instructions_email: email }
  if ((await store.get('hidden.cash_balance', customer))?.is_payer_known) return {}
  throw invalid('This customer has no email: provide instructions_email.', { param: 'instructions_email' })
}

/** Nothing while a dispute has taken the money, and never what one was lost over. */
async function leftToRefund({ store }: Context, charge: Stripe.Charge): Promise<number> {
  const disputes = (await store.find('dispute', { charge: charge.id })).filter(
    ({ status, is_charge_refundable }) => status !== 'won' && !is_charge_refundable,
  )
  const lost = disputes.filter(({ status }) => status === 'lost').reduce((sum, { amount }) => sum + amount, 0)
  const left = refundable(charge) - lost
  if (disputes.some(({ status }) => status !== 'lost') || (lost > 0 && left <= 0)) {
    throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' })
  }
  return left
}

async function chargeToRefund({ store, form }: Context): Promise<Stripe.Charge> {
  const given = form.text('charge')
  const intentId = form.text('payment_intent')
  if (!given && !intentId) throw missingParam('charge')
  const intent = intentId ? await store.need('payment_intent', intentId, 'payment_intent') : undefined
  const id = given ?? idOf(intent?.latest_charge)
  const charge = id ? await store.need('charge', id, 'charge') : undefined
  if (charge?.status === 'succeeded' && charge.captured) return charge
  throw invalid(
    intent
      ? `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`
      : `This charge (${id}) has not been captured: cancel its PaymentIntent instead.`,
    { code: 'charge_not_refundable' },
  )
}
