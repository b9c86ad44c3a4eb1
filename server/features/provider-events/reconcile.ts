import { sql, type RawBuilder } from 'kysely'
import type { Stripe } from 'stripe'
import type { Db } from '#server/db/db.ts'
import { applyPayout, idOf, postLine } from '#server/features/payments/public.ts'
import {
  applyEvent,
  lookAtCharge,
  lookAtDispute,
  lookAtRefund,
  lookAtTransfer,
  type EventDeps,
} from '#server/features/provider-events/apply.ts'
import { CONFIRM_WITHIN } from '#server/features/subscription/public.ts'
import { enqueue, JOBS_CHANNEL, type Jobs } from '#server/jobs/queue.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'

// A lost webhook is found by looking: the provider's own list of what it has moved is compared with the ledger.

export function eventJobs(deps: EventDeps, linesAtOnce = LINES_AT_ONCE): Pick<JobHandlers, 'apply_provider_event' | 'reconcile_provider'> {
  return {
    apply_provider_event: ({ event_id }) => applyEvent(deps, event_id),
    async reconcile_provider(from) {
      if (!from.after) {
        await planReconciliation(deps.db, 1)
        await queueLooks(deps.db)
      }
      await reconcile(deps, from, linesAtOnce)
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
// what the provider lists may be a little out of order, and its clock is not ours; what is posted already is not posted again
const OVERLAP = '2 days'
// the rest of the list is another job's, which goes on where this one ended
const LINES_AT_ONCE = 1_000

// After this time the job ends and queues another for the remaining lines, so that other jobs get a turn.
const WORK_FOR_MS = 12_000

/**
 * Posts every line of the provider's balance that is missing, from the newest to the oldest that was not compared yet. What was compared
 * counts when the list was gone through to its end.
 */
async function reconcile(
  deps: EventDeps,
  { after, until, has_failed = false }: Jobs['reconcile_provider'],
  linesAtOnce: number,
): Promise<void> {
  const { db } = deps
  const end = performance.now() + WORK_FOR_MS
  const failures: unknown[] = []
  const { now, since } = await comparedUntil(db)
  const began = until ?? now.toISOString()
  const lines = await linesSince(deps, since, { after, limit: linesAtOnce })
  const goOn = (last: string | undefined) =>
    enqueue(db, 'reconcile_provider', { ...(last && { after: last }), until: began, has_failed: has_failed || failures.length > 0 })
  let last = after
  for (const line of lines) {
    if (performance.now() > end) return goOn(last)
    // one that cannot be explained keeps none of the others waiting
    if (!(await isExplained(db, line.id))) await explain(deps, line).catch((error: unknown) => failures.push(error))
    last = line.id
  }
  if (lines.length === linesAtOnce) return goOn(last)
  if (failures.length > 0) fail(failures)
  if (has_failed) throw new Error('earlier lines of the list could not be explained: they are looked at again tomorrow')
  await keepComparedUntil(db, new Date(began))
}

function fail([first]: readonly unknown[]): never {
  throw first
}

/** Each is a job of its own, unless there is one for it: what is slow or fails holds up itself alone. */
async function queueLooks(db: Db): Promise<void> {
  const ago = sql`(select app_now()) - ${OPEN_FOR}::interval`
  await sql`
    with looks (kind, payload) as (
      select 'settle_provider_call', jsonb_build_object('call_id', id)
      from provider_calls
      where status = 'pending' and created_at < ${ago}
      union all
      select 'apply_provider_event', jsonb_build_object('event_id', id)
      from provider_events
      where applied_at is null and received_at < ${ago}
      union all
      select 'look_at_subscription', jsonb_build_object('provider_id', provider_id)
      from subscriptions
      where ended_at is null and provider_id is not null and created_at < ${ago}
        and (awaits_confirmation or past_due_since is not null or current_period_end < ${ago})
      union all
      select 'end_unconfirmed', jsonb_build_object('subscription_id', id)
      from subscriptions
      where ended_at is null and awaits_confirmation and status <> 'incomplete'
        and created_at < (select app_now()) - ${CONFIRM_WITHIN}::interval
      union all
      select case when deleted_at is null then 'resume_subscription' else 'leave_subscription' end, jsonb_build_object('user_id', users.id)
      from subscriptions join users on users.id = user_id
      where ended_at is null
        and case when deleted_at is null then cancelled_by_deletion else not cancel_at_period_end and deleted_at < ${ago} end
      union all
      select 'look_at_money', jsonb_build_object('of', money.of, 'id', money.id)
      from (${openMoney(ago)}) as money
    )
    insert into jobs (kind, payload)
    select kind, payload
    from looks
    where not exists (select from jobs where jobs.kind = looks.kind and jobs.payload = looks.payload and failed_at is null)`.execute(db)
  await sql`select pg_notify(${JOBS_CHANNEL}, '')`.execute(db)
}

/** Every row of a sale's money that is not settled, and everybody who may have cash at the provider. */
const openMoney = (ago: RawBuilder<unknown>) => sql`
  select 'payment' as of, id::text from sale_payments where status in ('wanted', 'open', 'processing') and created_at < ${ago}
  union all
  select 'holding_fee', id::text from holding_fees where status in ('wanted', 'authorised', 'asks_buyer') and created_at < ${ago}
  union all
  select 'refund', id::text from refunds where status in ('wanted', 'pending', 'waiting') and created_at < ${ago}
  union all
  select 'payout', id::text from seller_payouts where status in ('wanted', 'waiting') and created_at < ${ago}
  union all
  select 'dispute', id from sale_disputes where status = 'open' and created_at < ${ago}
  union all
  select distinct 'cash', a.bidder_id::text
  from sale_payments p
  join awards a on a.id = p.award_id
  where p.method = 'bank_transfer' and coalesce(p.settled_at, ${ago}) >= ${ago} - interval '100 days'`

type Page = { after: string | undefined; limit: number }

const linesSince = ({ provider }: EventDeps, since: Date | null, { after, limit }: Page): Promise<Stripe.BalanceTransaction[]> =>
  provider.stripe.balanceTransactions
    .list({
      limit: Math.min(100, limit),
      ...(since && { created: { gte: Math.floor(since.getTime() / 1_000) } }),
      ...(after && { starting_after: after }),
    })
    .autoPagingToArray({ limit })

/** By what was compared, not by what was posted: an older line may have been missed while newer ones came by themselves. */
async function comparedUntil(db: Db): Promise<{ now: Date; since: Date | null }> {
  const { rows } = await sql<{ now: Date; since: Date | null }>`
    select app_now() as now, (select compared_until - ${OVERLAP}::interval from reconciliation) as since`.execute(db)
  if (!rows[0]) throw new Error('the clock answers')
  return rows[0]
}

const keepComparedUntil = (db: Db, until: Date) =>
  db
    .insertInto('reconciliation')
    .values({ compared_until: until })
    .onConflict((conflict) => conflict.column('is_only').doUpdateSet({ compared_until: until }))
    .execute()

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
  ['ch_', lookAtCharge],
  ['py_', lookAtCharge],
  ['re_', lookAtRefund],
  ['pyr_', lookAtRefund],
  ['dp_', lookAtDispute],
  ['du_', lookAtDispute],
  ['po_', applyPayout],
  ['tr_', lookAtTransfer],
]
