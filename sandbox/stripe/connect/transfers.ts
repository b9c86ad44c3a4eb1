import type Stripe from 'stripe'
import { book, needFunds } from '#sandbox/stripe/payments/balance.ts'
import { invalid } from '#sandbox/stripe/http/errors.ts'
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
  const account = await store.need('account', form.required('destination'), 'destination')
  const source = form.text('source_transaction')
  const charge = source ? await store.need('charge', source, 'source_transaction') : undefined
  const amount = form.integer('amount') ?? charge?.amount_captured ?? 0
  if (amount < 1) throw invalid('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' })
  if (account.capabilities?.transfers !== 'active') {
    const message =
      'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments'
    throw invalid(message, { code: 'insufficient_capabilities_for_transfer' })
  }
  if (charge) await needPartOf(context, charge, amount)
  else await needFunds(store, amount, currency)

  const id = newId('tr')
  const description = form.text('description') ?? null
  const taken = await book(context, {
    type: 'transfer',
    reporting_category: 'transfer',
    source: id,
    amount: -amount,
    currency,
    description,
  })
  const payment = newId('py')
  const own = { store: store.as(account.id), now }
  await book(own, { type: 'payment', reporting_category: 'charge', source: payment, amount, currency, description })
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
    destination_payment: payment,
    livemode: false,
    metadata: mergeMetadata({}, form.map('metadata')),
    reversals: emptyList(`/v1/transfers/${id}/reversals`),
    reversed: false,
    source_transaction: charge?.id ?? null,
    source_type: 'card',
    transfer_group: form.text('transfer_group') ?? charge?.transfer_group ?? (charge ? `group_${idOf(charge.payment_intent)}` : null),
  })
  form.allow('source_type')
  await emit('transfer.created', made)
  return made
}

// transfers from a charge may use its money before it is available, but never more of it than there is
async function needPartOf({ store }: Context, charge: Stripe.Charge, amount: number): Promise<void> {
  const others = await store.find('transfer', { source_transaction: charge.id })
  const used = others.reduce((total, one) => total + one.amount, 0)
  if (charge.captured && used + amount <= charge.amount_captured - charge.amount_refunded) return
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
  const own = store.as(idOf(old.destination))
  await needFunds(own, amount, currency)
  const id = newId('trr')
  const back = await book(context, { type: 'transfer_refund', reporting_category: 'transfer_reversal', source: id, amount, currency })
  await book({ store: own, now }, { type: 'payment_refund', reporting_category: 'refund', source: id, amount: -amount, currency })
  const made = await store.put('transfer_reversal', {
    id,
    object: 'transfer_reversal',
    amount,
    balance_transaction: back.id,
    created: now,
    currency,
    destination_payment_refund: newId('pyr'),
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
