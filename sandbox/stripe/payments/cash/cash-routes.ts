import type Stripe from 'stripe'
import { applyCash, remainingOf } from '#sandbox/stripe/payments/cash/bank-transfers.ts'
import { availableCash, cashBalance, financialAddress, openCash } from '#sandbox/stripe/payments/cash/cash.ts'
import { arrived } from '#sandbox/stripe/payments/cash/reconcile.ts'
import { invalid } from '#sandbox/stripe/http/errors.ts'
import { listOf } from '#sandbox/stripe/engine/lists.ts'
import type { Context, Expanders, Route } from '#sandbox/stripe/engine/route.ts'

export const cashBalanceRoutes: Route[] = [
  { method: 'POST', path: '/v1/test_helpers/customers/:id/fund_cash_balance', handle: fund },
  {
    method: 'GET',
    path: '/v1/customers/:id/cash_balance',
    handle: async (context) => cashBalance(context, (await context.store.need('customer', context.params['id'] ?? '')).id),
  },
  { method: 'POST', path: '/v1/customers/:id/cash_balance', handle: changeSettings },
  { method: 'POST', path: '/v1/payment_intents/:id/apply_customer_balance', handle: apply },
  {
    method: 'GET',
    path: '/v1/customers/:id/cash_balance_transactions',
    handle: (context) => listOf(context, 'customer_cash_balance_transaction', { customer: context.params['id'] ?? '' }),
  },
  {
    method: 'GET',
    path: '/v1/customers/:id/cash_balance_transactions/:transaction',
    handle: ({ store, params }) => store.need('customer_cash_balance_transaction', params['transaction'] ?? ''),
  },
  {
    method: 'POST',
    path: '/v1/customers/:id/funding_instructions',
    handle: async (context): Promise<Stripe.FundingInstructions> => {
      const { id } = await context.store.need('customer', context.params['id'] ?? '')
      const { account_number } = await openCash(context, id)
      context.form.allow('bank_transfer', 'funding_type')
      return {
        object: 'funding_instructions',
        bank_transfer: { country: 'GB', financial_addresses: [financialAddress(account_number)], type: 'gb_bank_transfer' },
        currency: context.form.required('currency'),
        funding_type: 'bank_transfer',
        livemode: false,
      }
    },
  },
]

export const cashExpanders: Expanders = {
  'customer.cash_balance': (work, customer: Stripe.Customer) => cashBalance(work, customer.id),
}

async function changeSettings(context: Context): Promise<Stripe.CashBalance> {
  const { store, params, form } = context
  const { id } = await store.need('customer', params['id'] ?? '')
  const mode = form.child('settings')?.oneOf('reconciliation_mode', ['automatic', 'manual', 'merchant_default'] as const)
  const { mode: old, ...cash } = await openCash(context, id)
  const chosen = mode ?? old
  await store.put('hidden.cash_balance', { ...cash, ...(chosen && chosen !== 'merchant_default' && { mode: chosen }) })
  return cashBalance(context, id)
}

/** Spends a customer's cash on one payment, as manual reconciliation does. */
async function apply(context: Context): Promise<Stripe.PaymentIntent> {
  const { store, params, form } = context
  const intent = await store.need('payment_intent', params['id'] ?? '')
  const remaining = remainingOf(intent)
  if (remaining === undefined || typeof intent.customer !== 'string') {
    throw invalid('Only a PaymentIntent that waits for a bank transfer takes money from a cash balance.', {
      code: 'payment_intent_unexpected_state',
      payment_intent: intent,
    })
  }
  const amount = form.integer('amount') ?? remaining
  const currency = form.text('currency')?.toLowerCase() ?? intent.currency
  if (amount < 1 || amount > remaining) throw invalid(`The amount must be between 1 and ${remaining}.`, { param: 'amount' })
  if (currency !== intent.currency) throw invalid('The currency must be that of the PaymentIntent.', { param: 'currency' })
  if (amount > (await availableCash(context, intent.customer, currency))) {
    throw invalid("The customer's cash balance does not have enough funds.", { param: 'amount' })
  }
  return applyCash(context, intent, amount)
}

/** Stripe's own test call: a bank transfer arrives. */
async function fund(context: Context): Promise<Stripe.CustomerCashBalanceTransaction> {
  const { store, form, params } = context
  const customer = await store.need('customer', params['id'] ?? '')
  const amount = form.integer('amount') ?? 0
  const currency = form.required('currency').toLowerCase()
  const reference = form.text('reference') ?? null
  if (amount < 1) throw invalid('Amount must be a positive integer', { code: 'parameter_invalid_integer', param: 'amount' })
  return arrived(context, customer.id, { amount, currency, reference })
}
