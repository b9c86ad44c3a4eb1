import type Stripe from 'stripe'
import { book } from '#sandbox/stripe/payments/balance.ts'
import { invalid, missingParam } from '#sandbox/stripe/http/errors.ts'
import { mergeMetadata } from '#sandbox/stripe/http/form.ts'
import { listOf } from '#sandbox/stripe/engine/lists.ts'
import type { Context, Route } from '#sandbox/stripe/engine/route.ts'
import { idOf, newId } from '#sandbox/stripe/engine/store.ts'

export const refundRoutes: Route[] = [
  { method: 'POST', path: '/v1/refunds', handle: refund },
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
]

/** Money goes back to the payer: never more than was captured. */
async function refund(context: Context): Promise<Stripe.Refund> {
  const { store, form, now, emit } = context
  const charge = await chargeToRefund(context)
  const left = charge.amount_captured - charge.amount_refunded
  const amount = form.integer('amount') ?? left
  if (charge.disputed) throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' })
  if (left === 0) throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  if (amount < 1) throw invalid('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' })
  if (amount > left) {
    const shown = (pence: number) => `£${(pence / 100).toFixed(2)}`
    throw invalid(`Refund amount (${shown(amount)}) is greater than unrefunded amount on charge (${shown(left)})`, { param: 'amount' })
  }
  const id = newId('re')
  const isCard = charge.payment_method_details?.type === 'card'
  const transaction = await book(context, {
    type: isCard ? 'refund' : 'payment_refund',
    reporting_category: 'refund',
    source: id,
    amount: -amount,
    currency: charge.currency,
    description: `REFUND FOR CHARGE${charge.description ? ` (${charge.description})` : ''}`,
  })
  const reason = form.oneOf('reason', ['duplicate', 'fraudulent', 'requested_by_customer'] as const) ?? null
  const made = await store.put('refund', {
    id,
    object: 'refund',
    amount,
    balance_transaction: transaction.id,
    charge: charge.id,
    created: now,
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: isCard
      ? { card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' }, type: 'card' }
      : { gb_bank_transfer: { reference: null, reference_status: 'pending' }, type: 'gb_bank_transfer' },
    metadata: mergeMetadata({}, form.map('metadata')),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  })
  const amount_refunded = charge.amount_refunded + amount
  const changed = await store.put('charge', { ...charge, amount_refunded, refunded: amount_refunded === charge.amount_captured })
  await emit('refund.created', made)
  await emit('charge.refunded', changed, { previous: { amount_refunded: charge.amount_refunded, refunded: charge.refunded } })
  return made
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
