import type { z } from 'zod'
import type { adminDocumentEndpoints, documentEndpoints, MerchantDocument } from '#contract/documents.ts'
import { licenceOf } from '#domain/licence.ts'
import { readNow } from '#server/db/clock.ts'
import type { DbOrTx } from '#server/db/db.ts'
import { findDocuments, type DocumentRow } from '#server/features/documents/queries.ts'
import type { ReviewRow } from '#server/features/documents/review-queries.ts'
import { uploadsOf } from '#server/features/storage/public.ts'

type Documents = z.output<(typeof documentEndpoints)['GET /api/v1/auth/merchant-documents']['replies'][200]>
type Reviewed = z.output<(typeof adminDocumentEndpoints)['GET /api/v1/admin/documents']['replies'][200]>['data'][number]

/** Somebody's documents as they see them, with the licence as it is at this moment. */
export async function showDocuments(db: DbOrTx, userId: string): Promise<Documents> {
  const rows = await findDocuments(db, userId)
  const now = await readNow(db)
  const { status, expires_at } = licenceOf(
    rows.filter(({ kind }) => kind === 'scrap_dealer_licence'),
    now,
  )
  return {
    data: await presentDocuments(db, rows),
    licence: { status, expires_at: expires_at?.toISOString() ?? null },
    server_time: now.toISOString(),
  }
}

export async function showReviewed(db: DbOrTx, rows: readonly ReviewRow[]): Promise<Reviewed[]> {
  const documents = await presentDocuments(db, rows)
  return documents.map((document, nth) => ({ ...document, user: rows[nth]!.user, reviewed_by: rows[nth]!.reviewed_by }))
}

async function presentDocuments(db: DbOrTx, rows: readonly DocumentRow[]): Promise<MerchantDocument[]> {
  const files = await uploadsOf(
    db,
    rows.flatMap(({ storage_object_id }) => storage_object_id ?? []),
  )
  return rows.map((row) => ({
    id: row.id,
    storage_object_id: row.storage_object_id,
    kind: row.kind,
    number: row.number,
    council: row.council,
    expires_at: row.expires_at?.toISOString() ?? null,
    status: row.status,
    reason: row.reason,
    submitted_at: row.submitted_at.toISOString(),
    reviewed_at: row.reviewed_at?.toISOString() ?? null,
    file: files.get(row.storage_object_id ?? '') ?? null,
  }))
}
