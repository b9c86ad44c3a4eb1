import type Stripe from 'stripe'
import type { Kinds } from '#sandbox/stripe/engine/kinds.ts'
import { emptyAddress } from '#sandbox/stripe/payments/payment-method-make.ts'
import type { Work } from '#sandbox/stripe/engine/route.ts'
import { newId } from '#sandbox/stripe/engine/store.ts'

// A customer's cash is apart from our own balance: it becomes ours when it pays for something.

type Cash = Stripe.CustomerCashBalanceTransaction
type CashMove = Pick<Cash, 'type' | 'net_amount' | 'currency'> &
  Partial<Pick<Cash, 'funded' | 'applied_to_payment' | 'unapplied_from_payment' | 'transferred_to_balance' | 'refunded_from_payment'>>
type CashRecord = Kinds['hidden.cash_balance']

/** The customer's cash; an account number is given to the customer when the first transfer is asked for. */
export async function openCash(work: Work, customer: string): Promise<CashRecord> {
  const account_number = String(10_000_000 + Math.floor(Math.random() * 89_999_999))
  return (
    (await work.store.get('hidden.cash_balance', customer)) ??
    work.store.put('hidden.cash_balance', { id: customer, available: {}, account_number })
  )
}

export async function availableCash({ store }: Work, customer: string, currency: string): Promise<number> {
  return (await store.get('hidden.cash_balance', customer))?.available[currency] ?? 0
}

export async function moveCash(work: Work, customer: string, move: CashMove): Promise<Cash> {
  const { store, now, emit } = work
  const cash = await openCash(work, customer)
  const ending_balance = (cash.available[move.currency] ?? 0) + move.net_amount
  const available = { ...cash.available, [move.currency]: ending_balance }
  const isEmpty = Object.values(available).every((amount) => amount === 0)
  await store.put('hidden.cash_balance', { ...cash, available, idle_since: isEmpty ? null : now })
  const transaction = await store.put('customer_cash_balance_transaction', {
    id: newId('ccsbtxn'),
    object: 'customer_cash_balance_transaction',
    created: now,
    customer,
    customer_account: null,
    ending_balance,
    livemode: false,
    ...move,
  })
  await emit('customer_cash_balance_transaction.created', transaction)
  return transaction
}

export async function cashBalance({ store }: Work, customer: string): Promise<Stripe.CashBalance> {
  const cash = await store.get('hidden.cash_balance', customer)
  const left = Object.fromEntries(Object.entries(cash?.available ?? {}).filter(([, amount]) => amount !== 0))
  return {
    object: 'cash_balance',
    available: Object.keys(left).length > 0 ? left : null,
    customer,
    customer_account: null,
    livemode: false,
    settings: { reconciliation_mode: cash?.mode ?? 'automatic', using_merchant_default: cash?.mode === undefined },
  }
}

export const financialAddress = (account_number: string) => ({
  type: 'sort_code' as const,
  sort_code: {
    account_holder_address: { ...emptyAddress, country: 'GB' },
    account_holder_name: 'Yardbid',
    account_number,
    bank_address: { ...emptyAddress, country: 'GB' },
    sort_code: '200000',
  },
  supported_networks: ['bacs' as const, 'fps' as const],
})
