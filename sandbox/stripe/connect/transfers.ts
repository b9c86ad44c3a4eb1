import type Stripe from 'stripe'
import { book, needFunds } from '#sandbox/stripe/payments/balance.ts'
import { receivePayment, returnPayment } from '#sandbox/stripe/connect/destination-payments.ts'
import { invalid, missing } from '#sandbox/stripe/http/errors.ts'
import { mergeMetadata } from '#sandbox/stripe/http/form.ts'
import { emptyList, listOf } from '#sandbox/stripe/engine/lists.ts'
import type { Context, Route } from '#sandbox/stripe/engine/route.ts'
import { idOf, newId } from '#sandbox/stripe/engine/store.ts'

export const transferRoutes: Route[] = [
  { method: 'POST', path: '/v1/transfers', handle: transfer },
  {
    method: 'GET',
    path: '/v1/transfers',
    handle: async (context) => {
      const destination = context.form.text('destination')
      const transfer_group = context.form.text('transfer_group')
      return listOf(context, 'transfer', { ...(destination && { destination }), ...(transfer_group && { transfer_group }) })
    },
  },
  { method: 'GET', path: '/v1/transfers/:id', handle: ({ store, params }) => store.need('transfer', params['id'] ?? '') },
  {
    method: 'POST',
    path: '/v1/transfers/:id',
    handle: async ({ store, params, form, emit }) => {
      const old = await store.need('transfer', params['id'] ?? '')
      const description = form.nullable('description')
      const metadata = mergeMetadata(old.metadata, form.map('metadata'))
      const changed = await store.put('transfer', { ...old, metadata, ...(description !== undefined && { description }) })
      await emit('transfer.updated', changed)
      return changed
    },
  },
  { method: 'POST', path: '/v1/transfers/:id/reversals', handle: reverse },
  {
    method: 'GET',
    path: '/v1/transfers/:id/reversals',
    handle: (context) => listOf(context, 'transfer_reversal', { transfer: context.params['id'] ?? '' }),
  },
]

/** The platform's money becomes the connected account's. */
async function transfer(context: Context): Promise<Stripe.Transfer> {
  const { store, form, now, emit } = context
  const currency = form.required('currency').toLowerCase()
  const destination = form.required('destination')
  const account = await store.get('account', destination)
  if (!account) throw missing('destination', destination, 'destination')
  const source = form.text('source_transaction')
  const charge = source ? await store.need('charge', source, 'source_transaction') : undefined
  const amount = form.integer('amount') ?? charge?.amount_captured ?? 0
  if (amount < 1) throw invalid('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' })
  if (account.capabilities?.transfers !== 'active') {
    const message =
      'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments'
    throw invalid(message, { code: 'insufficient_capabilities_for_transfer' })
  }
  const availableOn = charge && (await needPartOf(context, charge, { amount, currency }))
  if (!charge) await needFunds(store, amount, currency)

  const id = newId('tr')
  const description = form.text('description') ?? null
  const transfer_group = form.text('transfer_group') ?? charge?.transfer_group ?? (charge ? `group_${idOf(charge.payment_intent)}` : null)
  if (charge && !charge.transfer_group) await store.put('charge', { ...charge, transfer_group })
  const taken = await book(context, {
    type: 'transfer',
    reporting_category: 'transfer',
    source: id,
    amount: -amount,
    currency,
    description,
    availableOn,
  })
  const payment = await receivePayment(context, account.id, { id, amount, currency, description }, availableOn)
  const made = await store.put('transfer', {
    id,
    object: 'transfer',
    amount,
    amount_reversed: 0,
    balance_transaction: taken.id,
    created: now,
    currency,
    description,
    destination: account.id,
    destination_payment: payment.id,
    livemode: false,
    metadata: mergeMetadata({}, form.map('metadata')),
    reversals: emptyList(`/v1/transfers/${id}/reversals`),
    reversed: false,
    source_transaction: charge?.id ?? null,
    source_type: 'card',
    transfer_group,
  })
  form.allow('source_type')
  await emit('transfer.created', made)
  return made
}

/**
 * When the charge's money is available: transfers from a charge may use it before, but never more of it than there is.
 * What was reversed still counts as used; whether it does at the provider is not documented.
 */
async function needPartOf(
  { store }: Context,
  charge: Stripe.Charge,
  { amount, currency }: { amount: number; currency: string },
): Promise<number> {
  const funds = charge.balance_transaction ? await store.need('balance_transaction', idOf(charge.balance_transaction)) : undefined
  if (funds && funds.currency !== currency) {
    const message = `The currency of source_transaction's balance transaction (${funds.currency}) must be the same as the transfer currency (${currency}).`
    throw invalid(message, { param: 'currency' })
  }
  const others = await store.find('transfer', { source_transaction: charge.id })
  const used = others.reduce((total, one) => total + one.amount, 0)
  if (funds && used + amount <= charge.amount - charge.amount_refunded) return funds.available_on
  throw invalid(`Transfers using this transaction as a source must not exceed the source amount of ${charge.amount_captured}.`, {
    param: 'amount',
  })
}

async function reverse(context: Context): Promise<Stripe.TransferReversal> {
  const { store, form, now, emit, params } = context
  const old = await store.need('transfer', params['id'] ?? '')
  const left = old.amount - old.amount_reversed
  const amount = form.integer('amount') ?? left
  if (amount < 1 || amount > left) {
    throw invalid(`Transfer reversal amount must be between 1 and ${left}.`, { code: 'transfer_reversal_invalid', param: 'amount' })
  }
  const { currency } = old
  await needFunds(store.as(idOf(old.destination)), amount, currency)
  const id = newId('trr')
  const back = await book(context, { type: 'transfer_refund', reporting_category: 'transfer_reversal', source: id, amount, currency })
  const refund = await returnPayment(context, old, { id, amount })
  const made = await store.put('transfer_reversal', {
    id,
    object: 'transfer_reversal',
    amount,
    balance_transaction: back.id,
    created: now,
    currency,
    destination_payment_refund: refund.id,
    metadata: mergeMetadata({}, form.map('metadata')),
    source_refund: null,
    transfer: old.id,
  })
  form.allow('description', 'refund_application_fee')
  const amount_reversed = old.amount_reversed + amount
  const reversals = { ...old.reversals, data: [made, ...old.reversals.data] }
  const changed = await store.put('transfer', { ...old, amount_reversed, reversals, reversed: amount_reversed === old.amount })
  await emit('transfer.reversed', changed)
  return made
}
