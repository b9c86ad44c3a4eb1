import type Stripe from 'stripe'
import { applyCash, cashOf, financialAddress, moveCash } from '#sandbox/stripe/payments/bank-transfers.ts'
import { invalid } from '#sandbox/stripe/http/errors.ts'
import { listOf } from '#sandbox/stripe/engine/lists.ts'
import type { Context, Expanders, Route, Work } from '#sandbox/stripe/engine/route.ts'

export const cashBalanceRoutes: Route[] = [
  { method: 'POST', path: '/v1/test_helpers/customers/:id/fund_cash_balance', handle: fund },
  {
    method: 'GET',
    path: '/v1/customers/:id/cash_balance',
    handle: async (context) => cashBalance(context, (await context.store.need('customer', context.params['id'] ?? '')).id),
  },
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
      const { account_number } = await cashOf(context, id)
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

/** Stripe's own test call: a bank transfer arrives. */
async function fund(context: Context): Promise<Stripe.CustomerCashBalanceTransaction> {
  const { store, form, params } = context
  const customer = await store.need('customer', params['id'] ?? '')
  const amount = form.integer('amount') ?? 0
  const currency = form.required('currency')
  const reference = form.text('reference') ?? null
  if (amount < 1) throw invalid('Amount must be a positive integer', { code: 'parameter_invalid_integer', param: 'amount' })
  return arrived(context, customer.id, { amount, currency, reference })
}

/** Books the arrival, and pays what waits for it. */
export async function arrived(work: Work, customer: string, arrival: Arrival): Promise<Stripe.CustomerCashBalanceTransaction> {
  const { amount, currency, reference } = arrival
  const gb_bank_transfer = { account_number_last4: '6789', sender_name: 'Test sender', sort_code: '108800' }
  const funded = await moveCash(work, customer, {
    type: 'funded',
    net_amount: amount,
    currency,
    funded: { bank_transfer: { gb_bank_transfer, reference, type: 'gb_bank_transfer' } },
  })
  for (const intent of await waitingIntents(work, customer, arrival)) await applyCash(work, intent)
  return funded
}

type Arrival = { currency: string; amount: number; reference: string | null }

// as Stripe reconciles: the payment whose reference was quoted, then one of just this amount, then the oldest
async function waitingIntents(
  { store }: Work,
  customer: string,
  { currency, amount, reference }: Arrival,
): Promise<Stripe.PaymentIntent[]> {
  const waiting = await store.find('payment_intent', { customer, currency, status: 'requires_action' })
  const rank = ({ next_action }: Stripe.PaymentIntent) => {
    const instructions = next_action?.display_bank_transfer_instructions
    if (instructions?.reference && reference?.includes(instructions.reference)) return 0
    return instructions?.amount_remaining === amount ? 1 : 2
  }
  return waiting.sort((one, other) => rank(one) - rank(other))
}

async function cashBalance(work: Work, customer: string): Promise<Stripe.CashBalance> {
  const { available } = await cashOf(work, customer)
  const left = Object.fromEntries(Object.entries(available).filter(([, amount]) => amount !== 0))
  return {
    object: 'cash_balance',
    available: Object.keys(left).length > 0 ? left : null,
    customer,
    customer_account: null,
    livemode: false,
    settings: { reconciliation_mode: 'automatic', using_merchant_default: true },
  }
}
