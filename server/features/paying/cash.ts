import { sql } from 'kysely'
import type { Stripe } from 'stripe'
import { cashEntries } from '#domain/ledger.ts'
import { LEAST_REFUND } from '#domain/money.ts'
import { lockSource, post, timeOf, userOfCustomer } from '#server/features/payments/public.ts'
import { tellAdmins, type PayingDeps } from '#server/features/paying/sale.ts'
import type { Tx } from '#server/db/db.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { look } from '#server/providers/payment.ts'

// What buyers send by bank transfer arrives in their cash balance at the provider, outside our own balance. Each movement of it is posted:
// `provider_cash` is what is there, `unallocated` whose it is. What no payment of a sale uses goes back within a day.

const RETURN_AFTER = '24 hours'

/** Posts the movements that are missing, oldest first; money that is left over is looked at again in a day. */
export async function syncCash({ db, provider }: Pick<PayingDeps, 'db' | 'provider'>, customerId: string): Promise<void> {
  const { stripe } = provider
  const userId = await userOfCustomer(db, customerId)
  if (!userId) return
  const moves = await look(stripe.customers.listCashBalanceTransactions(customerId, { limit: 100 }).autoPagingToArray({ limit: 10_000 }))
  const left = await cashLeft({ provider }, customerId)
  await db.transaction().execute(async (tx) => {
    await lockSource(tx, `cash:${customerId}`)
    const posted = await postMoves(tx, moves ?? [], userId)
    if (left === 0 || !posted.some(({ net_amount }) => net_amount > 0)) return
    await tellAdmins(tx, 'cash_left_over', userId)
    await enqueue(tx, 'return_cash', { user_id: userId }, RETURN_AFTER)
  })
}

type Move = Stripe.CustomerCashBalanceTransaction

/** The provider lists the newest first. Answers those that were new. */
async function postMoves(tx: Tx, moves: readonly Move[], userId: string): Promise<Move[]> {
  const known = await tx
    .selectFrom('ledger_transactions')
    .select('source')
    .where('source', 'in', ['', ...moves.map(({ id }) => id)])
    .execute()
  const isKnown = new Set(known.map(({ source }) => source))
  const missing = moves.filter(({ id, net_amount }) => !isKnown.has(id) && net_amount !== 0).toReversed()
  for (const { id, type, net_amount, currency, created } of missing) {
    if (currency !== 'gbp') throw new Error(`${id} is in ${currency}: we hold pounds alone`)
    await post(tx, {
      kind: `cash_${type}`,
      source: id,
      memo: `Cash balance: ${type.replaceAll('_', ' ')}`,
      userId,
      occurredAt: timeOf(created),
      entries: cashEntries(net_amount),
    })
  }
  return missing
}

/** What a customer's cash balance holds and no payment has used. */
export async function cashLeft({ provider }: Pick<PayingDeps, 'provider'>, customerId: string): Promise<number> {
  const cash = await look(provider.stripe.customers.retrieveCashBalance(customerId))
  return cash?.available?.['gbp'] ?? 0
}

/** The event of a movement does not say by its id whose it is: the event itself does. */
export async function syncCashOfEvent(deps: PayingDeps, eventId: string): Promise<void> {
  const event = await look(deps.provider.stripe.events.retrieve(eventId))
  const customer = (event?.data.object as { customer?: string | null } | undefined)?.customer
  if (customer) await syncCash(deps, customer)
}

/** Refunds what is still in the cash balance a day later. */
export async function returnCash(deps: PayingDeps, userId: string): Promise<void> {
  const { db } = deps
  const user = await db.selectFrom('users').select('provider_customer_id').where('id', '=', userId).executeTakeFirst()
  if (!user?.provider_customer_id) return
  await syncCash(deps, user.provider_customer_id)
  const available = await cashLeft(deps, user.provider_customer_id)
  await db.transaction().execute(async (tx) => {
    await lockSource(tx, `cash:${user.provider_customer_id}`)
    // one that was not sent yet has taken nothing out of the balance; too little to be sent stays there
    const { rows } = await sql<{ wanted: number }>`
      select coalesce(sum(amount), 0)::int as wanted
      from refunds
      where user_id = ${userId} and charge_id is null
        and (status in ('wanted', 'failed', 'cancelled') or (status = 'waived' and amount < ${LEAST_REFUND}))`.execute(tx)
    const amount = available - (rows[0]?.wanted ?? 0)
    if (amount <= 0) return
    const refund = await tx
      .insertInto('refunds')
      .values({ user_id: userId, amount, reason: 'Sent by bank transfer, and for no sale of yours' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await enqueue(tx, 'send_refund', { refund_id: refund.id })
  })
}
