import { sql } from 'kysely'
import type { Stripe } from 'stripe'
import type { Db } from '#server/db.ts'
import { applyCharge, applyDispute, applyPayout, applyTransfer, idOf, postLine } from '#server/features/payments/actions.ts'
import { applyEvent, type EventDeps } from '#server/features/provider-events/apply.ts'
import { JOBS_CHANNEL } from '#server/jobs/queue.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'

// A lost webhook is found by looking: the provider's own list of what it has moved is compared with the ledger.

export function eventJobs(deps: EventDeps): Pick<JobHandlers, 'apply_provider_event' | 'reconcile_provider'> {
  return {
    apply_provider_event: ({ event_id }) => applyEvent(deps, event_id),
    async reconcile_provider() {
      await planReconciliation(deps.db, 1)
      await reconcile(deps)
    },
  }
}

/** Plans a look for the beginning of a day: this one or the next. However many processes do, there is one. */
export async function planReconciliation(db: Db, daysAhead: 0 | 1): Promise<void> {
  await db
    .insertInto('jobs')
    .values({
      kind: 'reconcile_provider',
      payload: JSON.stringify({}),
      run_at: sql`date_trunc('day', app_now()) + make_interval(days => ${daysAhead})`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await sql`select pg_notify(${JOBS_CHANNEL}, '')`.execute(db)
}

const OPEN_FOR = '1 minute'
// what the provider lists may be a little out of order; what is posted already is not posted again
const OVERLAP = '2 days'

/** Settles what is open, applies what was stored and not applied, and posts every line of the provider's balance that is missing. */
export async function reconcile(deps: EventDeps): Promise<void> {
  const { db, provider } = deps
  const calls = await db
    .selectFrom('provider_calls')
    .select('id')
    .where('status', '=', 'pending')
    .where('created_at', '<', sql<Date>`app_now() - ${OPEN_FOR}::interval`)
    .execute()
  for (const { id } of calls) await provider.make(id)
  const events = await db
    .selectFrom('provider_events')
    .select('id')
    .where('applied_at', 'is', null)
    .where('received_at', '<', sql<Date>`app_now() - ${OPEN_FOR}::interval`)
    .execute()
  for (const { id } of events) await applyEvent(deps, id)
  for (const line of await linesSince(deps, await lastPosted(db))) {
    if (!(await isExplained(db, line.id))) await explain(deps, line)
  }
}

const linesSince = ({ provider }: EventDeps, since: Date | null): Promise<Stripe.BalanceTransaction[]> =>
  provider.stripe.balanceTransactions
    .list({ limit: 100, ...(since && { created: { gte: Math.floor(since.getTime() / 1_000) } }) })
    .autoPagingToArray({ limit: 10_000 })

async function lastPosted(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ since: Date | null }>`
    select max(occurred_at) - ${OVERLAP}::interval as since
    from ledger_transactions
    where source like 'txn_%'`.execute(db)
  return rows[0]?.since ?? null
}

const isExplained = async (db: Db, source: string) =>
  (await db.selectFrom('ledger_transactions').select('id').where('source', '=', source).executeTakeFirst()) !== undefined

/** By the object that it belongs to, as its event would have; one that belongs to none is posted as it is. */
async function explain(deps: EventDeps, line: Stripe.BalanceTransaction): Promise<void> {
  const source = idOf(line.source) ?? ''
  const found = bySource.find(([prefix]) => source.startsWith(prefix))
  if (found) await found[1](deps, source)
  if (await isExplained(deps.db, line.id)) return
  await deps.db.transaction().execute((tx) => postLine(tx, line, { purpose: null, userId: null, listingId: null }))
}

const bySource: readonly (readonly [prefix: string, apply: (deps: EventDeps, id: string) => Promise<void>])[] = [
  ['ch_', applyCharge],
  ['py_', applyCharge],
  ['re_', applyRefund],
  ['pyr_', applyRefund],
  ['dp_', applyDispute],
  ['du_', applyDispute],
  ['po_', applyPayout],
  ['tr_', applyTransfer],
]

async function applyRefund(deps: EventDeps, id: string): Promise<void> {
  const charge = idOf((await deps.provider.stripe.refunds.retrieve(id)).charge)
  if (charge) await applyCharge(deps, charge)
}
