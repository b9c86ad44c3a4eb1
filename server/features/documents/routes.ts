import type { FastifyInstance } from 'fastify'
import type { DocumentStatus } from '#contract/values/document-kinds.ts'
import { adminDocumentEndpoints, documentEndpoints } from '#contract/documents.ts'
import { sentences } from '#contract/values/sentences.ts'
import type { Db } from '#server/db/db.ts'
import { saveDocuments } from '#server/features/documents/actions.ts'
import { showDocuments, showReviewed } from '#server/features/documents/present.ts'
import { findForReview, findOneForReview, type Place } from '#server/features/documents/review-queries.ts'
import { approveDocument, rejectDocument } from '#server/features/documents/review.ts'
import { profileOf } from '#server/features/onboarding/public.ts'
import { notFound, refuseField } from '#server/http/errors.ts'
import { serve } from '#server/http/serve.ts'
import { isUuid } from '#server/http/uuid.ts'
import { traceOf } from '#server/http/viewer.ts'
import type { FileStore } from '#server/providers/files.ts'

export type DocumentDeps = { db: Db; files: FileStore }

export function documentRoutes(app: FastifyInstance, deps: DocumentDeps): void {
  const { db } = deps

  serve(app, documentEndpoints, {
    'GET /api/v1/auth/merchant-documents': ({ viewer }) => showDocuments(db, viewer.user.id),

    'PUT /api/v1/auth/merchant-documents': async ({ body, viewer }) => {
      await saveDocuments(deps, viewer.user.id, body.documents)
      return { message: sentences.documentsUpdated, ...(await showDocuments(db, viewer.user.id)) }
    },
  })

  const one = async (id: string) => {
    const row = isUuid(id) ? await findOneForReview(db, id) : undefined
    const [shown] = row ? await showReviewed(db, [row]) : []
    if (!shown) throw notFound()
    return shown
  }

  serve(app, adminDocumentEndpoints, {
    'GET /api/v1/admin/documents': async ({ query }) => {
      const { 'filter[status]': status, cursor, per_page } = query
      const rows = await findForReview(db, { status, after: readCursor(status, cursor), limit: per_page + 1 })
      const page = rows.slice(0, per_page)
      const last = rows.length > per_page ? page.at(-1) : undefined
      return {
        data: await showReviewed(db, page),
        meta: { next_cursor: last ? writeCursor(status, last) : null, prev_cursor: null, per_page },
      }
    },

    'GET /api/v1/admin/documents/{id}': async ({ params, audit }) => {
      const document = await one(params.id)
      audit.isAbout(document.user.id)
      const { activities: _activities, sites: _sites, ...said } = await profileOf(db, document.user)
      return { data: { ...document, said } }
    },

    'POST /api/v1/admin/documents/{id}/approve': async ({ params, body, audit, request }) => {
      await approveDocument(db, audit, params.id, body?.expires_at)
      request.log.info({ ...traceOf(request), event: 'document_approved', document: params.id }, 'document approved')
      return { data: await one(params.id) }
    },

    'POST /api/v1/admin/documents/{id}/reject': async ({ params, body, audit, request }) => {
      await rejectDocument(db, audit, params.id, body.reason)
      request.log.info({ ...traceOf(request), event: 'document_rejected', document: params.id }, 'document rejected')
      return { data: await one(params.id) }
    },
  })
}

const writeCursor = (status: DocumentStatus | undefined, { at, id }: Place) =>
  Buffer.from(JSON.stringify([status ?? 'all', at, id])).toString('base64url')

/** A cursor of another list, or none of ours, is refused: it would skip documents or show them twice. */
function readCursor(status: DocumentStatus | undefined, text: string | undefined): Place | undefined {
  if (text === undefined) return undefined
  try {
    const [of, at, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    if (of === (status ?? 'all') && typeof at === 'string' && /^\d{1,16}$/.test(at) && typeof id === 'string' && isUuid(id))
      return { at, id }
  } catch {
    // malformed cursor: refused below
  }
  throw refuseField('cursor', 'This is not the end of a page of this list. Begin again without it.')
}
