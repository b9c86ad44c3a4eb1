import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { auditEndpoints, auditFilter, type AuditFilter, type AuditItem } from '#contract/admin/audit.ts'
import { csvLine } from '#domain/papers/csv.ts'
import { formatIsoDay } from '#domain/format-time.ts'
import type { Db } from '#server/db/db.ts'
import { findEntries, presentEntry } from '#server/features/audit/queries.ts'
import { refuseField } from '#server/http/errors.ts'
import { serve } from '#server/http/serve.ts'

// rows of a CSV that are read at once
const CSV_STEP = 1_000

export function auditRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  serve(app, auditEndpoints, {
    'GET /api/v1/admin/audit': async ({ query }) => {
      const { cursor, per_page, ...filter } = query
      const rows = await findEntries(db, { filter, before: readCursor(cursor), limit: per_page + 1 })
      const page = rows.slice(0, per_page)
      const last = rows.length > per_page ? page.at(-1) : undefined
      return { data: page.map(presentEntry), meta: { next_cursor: last ? writeCursor(last.id) : null, prev_cursor: null, per_page } }
    },
  })

  app.get<{ Querystring: AuditFilter }>(
    '/api/v1/admin/audit.csv',
    {
      config: { access: 'staff', audit: 'export-audit' },
      schema: { summary: 'The same entries as CSV, newest first', tags: ['admin'], querystring: auditFilter },
    },
    async ({ query }, reply) =>
      reply
        .headers({
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="yardbid-audit-${formatIsoDay(new Date())}.csv"`,
          'cache-control': 'private, no-store',
        })
        .send(Readable.from(csvOf(db, query))),
  )
}

const columns: readonly [heading: string, cell: (entry: AuditItem) => string | null][] = [
  ['id', ({ id }) => id],
  ['at', ({ at }) => at],
  ['actor', ({ actor }) => actor.name],
  ['role', ({ actor }) => actor.role],
  ['kind', ({ kind }) => kind],
  ['act', ({ act }) => act],
  ['about', ({ subject }) => subject?.email ?? subject?.id ?? null],
  ['reason', ({ reason }) => reason],
  ['details', ({ details }) => JSON.stringify(details)],
  ['hash', ({ hash }) => hash],
]

async function* csvOf(db: Db, filter: AuditFilter): AsyncGenerator<string> {
  yield csvLine(columns.map(([heading]) => heading))
  let before: string | undefined
  for (;;) {
    const rows = await findEntries(db, { filter, before, limit: CSV_STEP })
    const entries = rows.map(presentEntry)
    if (entries.length > 0) yield entries.map((entry) => csvLine(columns.map(([, cell]) => cell(entry)))).join('')
    before = rows.at(-1)?.id
    if (rows.length < CSV_STEP) return
  }
}

const writeCursor = (id: string) => Buffer.from(JSON.stringify({ before: id })).toString('base64url')

function readCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined
  try {
    const { before } = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as { before?: unknown }
    if (typeof before === 'string' && /^\d{1,18}$/.test(before)) return before
  } catch {
    // malformed cursor: refused below
  }
  throw refuseField('cursor', 'Invalid cursor.')
}
