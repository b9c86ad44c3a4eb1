import type Stripe from 'stripe'
import { invalid } from '#sandbox/stripe/http/errors.ts'
import { listOf } from '#sandbox/stripe/engine/lists.ts'
import type { Duty, Route, Work } from '#sandbox/stripe/engine/route.ts'
import { newId, type Store } from '#sandbox/stripe/engine/store.ts'

type Movement = {
  type: Stripe.BalanceTransaction['type']
  reporting_category: string
  source: string
  amount: number
  currency: string
  fee?: number
  description?: string | null
  /** When the money may be used; at once when absent. */
  availableOn?: number | undefined
}

const DAY = 24 * 60 * 60
/** Three days in the UK, for cards and bank transfers. The provider counts working days; here each day counts. */
export const settledOn = (now: number) => now + 3 * DAY

/** Stripe's price in the UK: 1.5 % + 20p for a UK card, 0.5 % and at most £5 for a bank transfer. */
export const cardFee = (amount: number) => Math.round(amount * 0.015) + 20
export const bankTransferFee = (amount: number) => Math.min(Math.round(amount * 0.005), 500)

/** Each movement of money is exactly one balance transaction of the account whose money it is. */
export async function book({ store, now }: Pick<Work, 'store' | 'now'>, movement: Movement): Promise<Stripe.BalanceTransaction> {
  const { type, reporting_category, source, amount, currency, fee = 0, description = null, availableOn = now } = movement
  return store.put('balance_transaction', {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: Math.max(now, availableOn),
    balance_type: 'payments',
    created: now,
    currency,
    description,
    exchange_rate: null,
    fee,
    fee_details: fee === 0 ? [] : [{ amount: fee, application: null, currency, description: 'Stripe processing fees', type: 'stripe_fee' }],
    net: amount - fee,
    reporting_category,
    source,
    status: availableOn > now ? 'pending' : 'available',
    type,
  })
}

/** Refuses to move money that is not there yet. */
export async function needFunds(store: Store, amount: number, currency: string): Promise<void> {
  const { available } = await totals(store, currency)
  if (amount <= available) return
  throw invalid("You have insufficient available funds in your Stripe account. One likely reason is that funds haven't settled yet.", {
    code: 'balance_insufficient',
    param: 'amount',
  })
}

export async function totals(store: Store, currency = 'gbp'): Promise<{ available: number; pending: number }> {
  const sum = (status: string) => store.sum('balance_transaction', 'net', { currency, status })
  return { available: await sum('available'), pending: await sum('pending') }
}

/** Money becomes available when its day has come. */
export const settleBalances: Duty = async ({ store, now, emit, client }) => {
  const { rows } = await client.query<{ account: string }>(
    `select distinct account from stripe_sandbox.objects
     where kind = 'balance_transaction' and doc @> '{"status":"pending"}' and (doc ->> 'available_on')::bigint <= $1`,
    [now],
  )
  for (const { account } of rows) {
    const own = store.as(account)
    for (const pending of await own.find('balance_transaction', { status: 'pending' })) {
      if (pending.available_on <= now) await own.put('balance_transaction', { ...pending, status: 'available' })
    }
    await emit('balance.available', await balanceOf(own), { account })
  }
}

async function balanceOf(store: Store): Promise<Stripe.Balance> {
  const { available, pending } = await totals(store)
  const line = (amount: number) => [{ amount, currency: 'gbp', source_types: { card: amount } }]
  return {
    object: 'balance',
    available: line(available),
    // a reserve covers connected accounts below zero: here none gets there, as a reversal needs available money
    connect_reserved: [{ amount: 0, currency: 'gbp' }],
    livemode: false,
    pending: line(pending),
  }
}

export const balanceRoutes: Route[] = [
  { method: 'GET', path: '/v1/balance', handle: ({ store }) => balanceOf(store) },
  {
    method: 'GET',
    path: '/v1/balance_transactions',
    handle: async (context) => {
      const where = ['source', 'type', 'payout', 'currency'].flatMap((name) => {
        const value = context.form.text(name)
        return value ? [[name, value]] : []
      })
      return listOf(context, 'balance_transaction', Object.fromEntries(where))
    },
  },
  {
    method: 'GET',
    path: '/v1/balance_transactions/:id',
    handle: ({ store, params }) => store.need('balance_transaction', params['id'] ?? ''),
  },
]
