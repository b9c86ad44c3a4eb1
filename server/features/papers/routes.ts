import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { recordEndpoints, recordFilter, type RecordFilter } from '#contract/sales/papers.ts'
import { formatIsoDay } from '#domain/format-time.ts'
import { csvHead, csvRow } from '#domain/papers/record-csv.ts'
import { recordPaper } from '#domain/papers/scrap-record.ts'
import { auditLook } from '#server/db/audit.ts'
import type { Db } from '#server/db/db.ts'
import { drawPaper } from '#server/features/papers/draw.ts'
import { findRecord, findRecords, presentRecord, type RecordPlace, type RecordRow } from '#server/features/papers/record-queries.ts'
import { findPaper, readPdf, type PaperDeps } from '#server/features/papers/stored-paper.ts'
import { notFound, refuseField } from '#server/http/errors.ts'
import { serve } from '#server/http/serve.ts'
import { isUuid } from '#server/http/uuid.ts'
import type { SessionUser } from '#server/http/session.ts'
import type { Viewer } from '#server/http/viewer.ts'

// rows of a CSV that are read at once
const CSV_STEP = 500

export function paperRoutes(app: FastifyInstance, deps: PaperDeps): void {
  const { db } = deps

  serve(app, recordEndpoints, {
    'GET /api/v1/records': async ({ query, viewer }) => {
      const { cursor, per_page, ...filter } = query
      const rows = await findRecords(db, viewer.user.id, { filter, after: readCursor(cursor), limit: per_page + 1 })
      const page = rows.slice(0, per_page)
      const last = rows.length > per_page ? page.at(-1) : undefined
      return { data: page.map(presentRecord), meta: { next_cursor: last ? writeCursor(last) : null, prev_cursor: null, per_page } }
    },
  })

  app.get<{ Querystring: RecordFilter }>(
    '/api/v1/records.csv',
    {
      config: { access: 'member' },
      schema: {
        summary: 'The same records as CSV, with the fields of digital waste tracking',
        tags: ['records'],
        querystring: recordFilter,
      },
    },
    async ({ query, viewer }, reply) =>
      reply
        .headers({
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="yardbid-records-${formatIsoDay(new Date())}.csv"`,
          'cache-control': 'private, no-store',
        })
        .send(Readable.from(csvOf(db, memberOf(viewer).id, query))),
  )

  app.get<{ Params: { id: string } }>(
    '/api/v1/records/:id',
    { config: { access: 'member' }, schema: { summary: 'An own record as PDF', tags: ['records'] } },
    async ({ params, viewer }, reply) => {
      const user = memberOf(viewer)
      const record = isUuid(params.id) ? await findRecord(db, params.id) : undefined
      if (!record || (record.user_id !== user.id && user.role === null)) throw notFound()
      if (record.user_id !== user.id)
        await auditLook(db, user, { act: 'see-record', about: record.user_id, details: { record_id: params.id } })
      return sendPdf(reply, await drawPaper(recordPaper(record)), `${record.kind}-${formatIsoDay(record.at)}`)
    },
  )

  app.get<{ Params: { id: string } }>(
    '/api/v1/papers/:id',
    {
      config: { access: 'member' },
      schema: { summary: 'A paper of a sale as PDF, for its two parties and the back office', tags: ['papers'] },
    },
    async ({ params, viewer }, reply) => {
      const user = memberOf(viewer)
      const isParty = isUuid(params.id) && (await isPartyOf(db, params.id, user.id))
      const paper = isParty || (isUuid(params.id) && user.role !== null) ? await findPaper(db, params.id) : undefined
      if (!paper) throw notFound()
      if (!isParty) await auditLook(db, user, { act: 'see-paper', details: { paper_id: params.id } })
      return sendPdf(reply, await readPdf(deps, paper), paper.number ?? `draft-${paper.kind}`)
    },
  )
}

/** A route for members has no other callers: the cast is what its access already says. */
const memberOf = (viewer: Viewer) => viewer.user as SessionUser

async function isPartyOf(db: Db, paperId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('papers')
    .innerJoin('awards', 'awards.id', 'papers.award_id')
    .innerJoin('listings', 'listings.id', 'papers.listing_id')
    .select('papers.id')
    .where('papers.id', '=', paperId)
    .where((where) => where.or([where('awards.bidder_id', '=', id), where('listings.seller_id', '=', id)]))
    .executeTakeFirst()
  return row !== undefined
}

const sendPdf = (reply: FastifyReply, pdf: Buffer, name: string) =>
  reply
    .headers({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${name.replace(/[^\w.-]/g, '_')}.pdf"`,
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-store',
    })
    .send(pdf)

async function* csvOf(db: Db, userId: string, filter: RecordFilter): AsyncGenerator<string> {
  yield csvHead()
  let after: RecordPlace | undefined
  for (;;) {
    const rows = await findRecords(db, userId, { filter, after, limit: CSV_STEP })
    if (rows.length > 0) yield rows.map(csvRow).join('')
    const last = rows.at(-1)
    if (!last || rows.length < CSV_STEP) return
    after = placeOf(last)
  }
}

const placeOf = ({ micros, id }: RecordRow): RecordPlace => ({ at: micros, id })

const writeCursor = (row: RecordRow) => Buffer.from(JSON.stringify(placeOf(row))).toString('base64url')

function readCursor(text: string | undefined): RecordPlace | undefined {
  if (text === undefined) return undefined
  try {
    const { at, id } = JSON.parse(Buffer.from(text, 'base64url').toString()) as Partial<Record<'at' | 'id', unknown>>
    if (typeof at === 'string' && /^\d{1,16}$/.test(at) && typeof id === 'string' && isUuid(id)) return { at, id }
  } catch {
    // malformed cursor: refused below
  }
  throw refuseField('cursor', 'Invalid cursor.')
}
