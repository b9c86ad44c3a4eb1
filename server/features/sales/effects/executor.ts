import type pg from 'pg'
import type { TakenStep } from '#server/features/sales/life/taken-step.ts'
import { JOBS_CHANNEL, type JobKind } from '#server/jobs/queue.ts'

/** Carries out one effect for all the steps that have it, in their transaction. Their listings are locked. */
export type Executor = (client: pg.ClientBase, taken: readonly TakenStep[]) => Promise<void>

/** One statement, with the steps as rows: $1 is a JSON array of them. */
export const bySql =
  (...texts: string[]): Executor =>
  async (client, taken) => {
    for (const text of texts) await client.query(text, [JSON.stringify(taken)])
  }

/** Queues a job for every row that the statement changes; it must answer the rows' ids. */
export const withJob = (kind: JobKind, key: string, statement: string): string =>
  `with changed as (${statement})
   insert into jobs (kind, payload)
   select '${kind}', jsonb_build_object('${key}', id)
   from changed`

export const wakeWorkers = (client: pg.ClientBase) => client.query('select pg_notify($1, $2)', [JOBS_CHANNEL, ''])

/** The steps as a relation `step`, for statements of `bySql`. */
export const stepRows = `jsonb_to_recordset($1::jsonb) as step (
  listing_id uuid, seller_id uuid, step text, "from" text, "to" text, is_move boolean, moves_clock boolean, at timestamptz, due_at timestamptz, actor text, actor_id uuid,
  effects jsonb, tells jsonb, award_id uuid, buyer_id uuid, offered_to uuid, award jsonb, vat_if_charged int, holding_fee int, payment jsonb,
  refund int, seller_fee int, amend jsonb, handover_code text, clock_left_ms bigint, inspection_left_ms bigint, resumed_end timestamptz,
  deferred_expires_at timestamptz, details jsonb)`
