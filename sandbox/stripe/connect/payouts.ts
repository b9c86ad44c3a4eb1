import type Stripe from 'stripe'
import { book, needFunds } from '#sandbox/stripe/payments/balance.ts'
import { disableBank } from '#sandbox/stripe/connect/onboarding.ts'
import { invalid } from '#sandbox/stripe/http/errors.ts'
import { mergeMetadata } from '#sandbox/stripe/http/form.ts'
import { listOf } from '#sandbox/stripe/engine/lists.ts'
import type { Context, Duty, Route, Work } from '#sandbox/stripe/engine/route.ts'
import { newId, type Store } from '#sandbox/stripe/engine/store.ts'

const DAY = 24 * 60 * 60
const PLATFORM_BANK = 'ba_yardbid_platform'

type Wanted = { amount: number; currency: string; automatic: boolean; description?: string | null; metadata?: Stripe.Metadata }

export const payoutRoutes: Route[] = [
  {
    method: 'POST',
    path: '/v1/payouts',
    handle: async (context) => {
      const { form } = context
      const amount = form.integer('amount') ?? 0
      const currency = form.required('currency').toLowerCase()
      if (amount < 1) throw invalid('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' })
      await needPayouts(context)
      await needFunds(context.store, amount, currency)
      form.allow('method', 'source_type', 'statement_descriptor')
      const metadata = mergeMetadata({}, form.map('metadata'))
      return payOut(context, context.store, { amount, currency, automatic: false, description: form.text('description') ?? null, metadata })
    },
  },
  {
    method: 'GET',
    path: '/v1/payouts',
    handle: async (context) => {
      const status = context.form.text('status')
      return listOf(context, 'payout', status ? { status } : {})
    },
  },
  { method: 'GET', path: '/v1/payouts/:id', handle: ({ store, params }) => store.need('payout', params['id'] ?? '') },
  {
    method: 'POST',
    path: '/v1/payouts/:id/cancel',
    handle: async (context) => {
      const payout = await context.store.need('payout', context.params['id'] ?? '')
      if (payout.status !== 'pending') throw invalid('Payouts can only be canceled while they are pending.')
      return returnMoney(context, context.store, payout, 'canceled')
    },
  },
  { method: 'POST', path: '/sandbox/payouts/:id/fail', access: 'open', handle: (context) => decide(context, 'failed') },
  { method: 'POST', path: '/sandbox/payouts/:id/pay', access: 'open', handle: (context) => decide(context, 'paid') },
]

/** Payouts arrive when their day has come; connected accounts are paid out each day, as their schedule says. */
export const settlePayouts: Duty = async (work) => {
  const { store, now, client } = work
  const { rows: due } = await client.query<{ account: string; doc: Stripe.Payout }>(
    `select account, doc from stripe_sandbox.objects
     where kind = 'payout' and doc @> '{"status":"pending"}' and (doc ->> 'arrival_date')::bigint <= $1 order by seq`,
    [now],
  )
  for (const { account, doc } of due) await arrive(work, store.as(account), doc)

  for (const { account, left } of await leftFromBefore(work)) {
    const owner = await store.get('account', account)
    const isDaily = owner?.payouts_enabled && owner.settings?.payouts?.schedule.interval === 'daily'
    if (isDaily) await payOut(work, store.as(account), { amount: left, currency: 'gbp', automatic: true })
  }
}

async function needPayouts({ store }: Work): Promise<void> {
  const owner = store.account ? await store.as('').need('account', store.account) : undefined
  if (!owner || owner.payouts_enabled) return
  throw invalid('Payouts are not enabled for this account.', { code: 'payouts_not_allowed' })
}

/** What each connected account had when the day began, less what has gone since. */
async function leftFromBefore({ client, now }: Work): Promise<{ account: string; left: number }[]> {
  const midnight = Math.floor(now / DAY) * DAY
  const { rows } = await client.query<{ account: string; left: string }>(
    `select account, sum((doc ->> 'net')::bigint) as left from stripe_sandbox.objects
     where kind = 'balance_transaction' and account > '' and doc ->> 'status' = 'available'
       and ((doc ->> 'available_on')::bigint < $1 or (doc ->> 'net')::bigint < 0)
     group by account having sum((doc ->> 'net')::bigint) > 0`,
    [midnight],
  )
  return rows.map(({ account, left }) => ({ account, left: Number(left) }))
}

async function payOut(work: Work, store: Store, { amount, currency, automatic, description, metadata }: Wanted): Promise<Stripe.Payout> {
  const id = newId('po')
  const { now } = work
  const taken = await book(
    { store, now },
    { type: 'payout', reporting_category: 'payout', source: id, amount: -amount, currency, description: 'STRIPE PAYOUT' },
  )
  const payout: Stripe.Payout = await store.put('payout', {
    id,
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    // a bank takes a working day or two: here it is always one day
    arrival_date: now + DAY,
    automatic,
    balance_transaction: taken.id,
    created: now,
    currency,
    description: description ?? 'STRIPE PAYOUT',
    destination: store.account ? await bankOf(work, store.account) : PLATFORM_BANK,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: metadata ?? {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: automatic ? 'in_progress' : 'not_applicable',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'pending',
    trace_id: { status: 'pending', value: null },
    type: 'bank_account',
  })
  await work.emit('payout.created', payout, { account: store.account })
  return payout
}

async function bankOf({ store }: Work, account: string): Promise<string> {
  const bank = (await store.as('').need('account', account)).external_accounts?.data[0]
  if (!bank) throw invalid('Sorry, you have no bank account to pay out to.', { code: 'payouts_not_allowed' })
  return bank.id
}

async function arrive({ emit }: Work, store: Store, payout: Stripe.Payout): Promise<Stripe.Payout> {
  const paid = await store.put('payout', {
    ...payout,
    status: 'paid',
    reconciliation_status: payout.automatic ? 'completed' : payout.reconciliation_status,
    trace_id: { status: 'supported', value: newId('fps', 12) },
  })
  await emit('payout.paid', paid, { account: store.account })
  return paid
}

// a bank may send money back even after it was called paid
async function decide(context: Context, status: 'paid' | 'failed'): Promise<Stripe.Payout> {
  const id = context.params['id'] ?? ''
  const { rows } = await context.client.query<{ account: string }>(
    `select account from stripe_sandbox.objects where kind = 'payout' and id = $1`,
    [id],
  )
  const store = context.store.as(rows[0]?.account ?? '')
  const payout = await store.need('payout', id)
  if (payout.status === 'failed' || payout.status === 'canceled') throw invalid(`This payout has already ${payout.status}.`)
  return status === 'paid' ? arrive(context, store, payout) : returnMoney(context, store, payout, 'failed')
}

async function returnMoney(work: Work, store: Store, payout: Stripe.Payout, status: 'failed' | 'canceled'): Promise<Stripe.Payout> {
  const { emit, now } = work
  const { id, amount, currency } = payout
  const type = status === 'failed' ? 'payout_failure' : 'payout_cancel'
  const back = await book({ store, now }, { type, reporting_category: 'payout_reversal', source: id, amount, currency })
  const failure = { failure_code: 'account_closed', failure_message: 'The bank account has been closed.' }
  const changed = await store.put('payout', {
    ...payout,
    status,
    failure_balance_transaction: back.id,
    ...(status === 'failed' && failure),
  })
  await emit(status === 'failed' ? 'payout.failed' : 'payout.canceled', changed, { account: store.account })
  // our own bank account stays enabled: a new one is entered in the provider's dashboard, which has no counterpart here
  if (status === 'failed' && store.account) await disableBank(work, await work.store.as('').need('account', store.account))
  return changed
}
