import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import { adminJobEndpoints } from '#contract/admin/jobs.ts'
import type { Db } from '#server/db/db.ts'
import type { Audit } from '#server/http/audit.ts'
import { notFound, refuse, refuseField } from '#server/http/errors.ts'
import { serve } from '#server/http/serve.ts'
import { JOBS_CHANNEL } from '#server/jobs/queue.ts'

export function adminJobRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  serve(app, adminJobEndpoints, {
    'GET /api/v1/admin/jobs': async ({ query: { cursor, per_page } }) => {
      const rows = await findFailed(db, readCursor(cursor), per_page + 1)
      const page = rows.slice(0, per_page)
      const last = rows.length > per_page ? page.at(-1) : undefined
      return {
        data: page.map(({ at: _at, payload, created_at, failed_at, ...shown }) => ({
          ...shown,
          subject: idsIn(payload),
          created_at: created_at.toISOString(),
          failed_at: failed_at.toISOString(),
        })),
        meta: { next_cursor: last ? `${last.at}.${last.id}` : null, prev_cursor: null, per_page },
      }
    },

    'POST /api/v1/admin/jobs/{id}/retry': async ({ params, audit }) => {
      if (!isJobId(params.id)) throw notFound()
      await retryFailed(db, audit, params.id)
      return { message: 'The job will run in a moment.' }
    },
  })
}

/** Of two admins at once the first decides; the second is told. */
async function retryFailed(db: Db, audit: Audit, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const job = await tx.selectFrom('jobs').select(['kind', 'failed_at', 'attempts']).where('id', '=', id).forUpdate().executeTakeFirst()
    if (!job) throw notFound()
    if (!job.failed_at) throw refuse('conflict', 'This job was not given up: it runs by itself.', { code: 'job_not_failed' })
    await tx
      .updateTable('jobs')
      .set({ failed_at: null, leased_until: null, attempts: 0, run_at: sql`app_now()` })
      .where('id', '=', id)
      .execute()
    await sql`select pg_notify(${JOBS_CHANNEL}, '')`.execute(tx)
    await audit.write(tx, { details: { job_id: id, kind: job.kind, attempts: job.attempts } })
  })
}

/** Where a page ended: when the last job was given up, in microseconds, and which it is. */
type Place = { at: string; id: string }
type FailedJob = {
  id: string
  kind: string
  payload: unknown
  attempts: number
  last_error: string | null
  created_at: Date
  failed_at: Date
}

async function findFailed(db: Db, after: Place | undefined, limit: number): Promise<(FailedJob & Place)[]> {
  const { rows } = await sql<FailedJob & Place>`
    select id, kind, payload, attempts, last_error, created_at, failed_at, (extract(epoch from failed_at) * 1000000)::bigint::text as at
    from jobs
    where failed_at is not null
      ${after ? sql`and (failed_at, id) < ('epoch'::timestamptz + ${after.at}::bigint * interval '1 microsecond', ${after.id}::bigint)` : sql``}
    order by failed_at desc, id desc
    limit ${limit}`.execute(db)
  return rows
}

/** A payload may hold an email address: ids are enough to look further. */
const idsIn = (payload: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries((payload ?? {}) as Record<string, unknown>).flatMap(([name, value]) =>
      /(?:^|_)id$/.test(name) && typeof value === 'string' ? [[name, value]] : [],
    ),
  )

const isJobId = (text: string) => /^\d{1,18}$/.test(text)

function readCursor(text: string | undefined): Place | undefined {
  if (text === undefined) return undefined
  const [, at, id] = /^(\d{1,16})\.(\d{1,18})$/.exec(text) ?? []
  if (!at || !id) throw refuseField('cursor', 'Invalid cursor.')
  return { at, id }
}
