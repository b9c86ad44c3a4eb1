import { sql } from 'kysely'
import type { NotificationFacts } from '#domain/notifications/kinds.ts'
import { readExpiry } from '#server/db/clock.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { lockUserBesideBids } from '#server/db/user.ts'
import { settleLicence } from '#server/features/documents/actions.ts'
import type { DocumentRow } from '#server/features/documents/queries.ts'
import { findOneForReview, lockDocument } from '#server/features/documents/review-queries.ts'
import { notify } from '#server/features/notifications/public.ts'
import type { Audit } from '#server/http/audit.ts'
import { notFound, refuse, refuseField } from '#server/http/errors.ts'
import type { SessionUser } from '#server/http/session.ts'
import { isUuid } from '#server/http/uuid.ts'

/** Until the day given, or the one its owner gave; what has expired is not approved. */
export const approveDocument = (db: Db, audit: Audit, id: string, expires?: string | null): Promise<void> =>
  review(db, audit, id, async (tx, document) => {
    const ends = expires ?? document.expires_at?.toISOString()
    const end = ends ? await readExpiry(tx, ends) : undefined
    if (end?.isOver) throw refuseField('expires_at', 'This day is over: approve it until a day to come, or reject it.')
    const expires_at = end?.at ?? null
    await settle(tx, audit.by, document, { status: 'approved', expires_at, reason: null })
    await tell(tx, document, { document: document.kind, outcome: 'approved', expires_at: expires_at?.toISOString() ?? null })
    return { reason: null, details: { expires_at } }
  })

export const rejectDocument = (db: Db, audit: Audit, id: string, reason: string): Promise<void> =>
  review(db, audit, id, async (tx, document) => {
    await settle(tx, audit.by, document, { status: 'rejected', expires_at: document.expires_at, reason })
    await tell(tx, document, { document: document.kind, outcome: 'rejected', reason })
    return { reason, details: {} }
  })

type Verdict = Pick<DocumentRow, 'status' | 'expires_at' | 'reason'>
type AuditNote = { reason: string | null; details: object }

/** Of two admins at once the first decides; the second is told. */
async function review(db: Db, audit: Audit, id: string, decide: (tx: Tx, document: DocumentRow) => Promise<AuditNote>): Promise<void> {
  const asked = isUuid(id) ? await findOneForReview(db, id) : undefined
  if (!asked) throw notFound()
  await db.transaction().execute(async (tx) => {
    await lockUserBesideBids(tx, asked.user_id)
    const document = await lockDocument(tx, id)
    if (!document) throw notFound()
    if (document.status !== 'pending')
      throw refuse('conflict', `This document was ${document.status} already.`, { code: 'document_reviewed' })
    const { reason, details } = await decide(tx, document)
    await settleLicence(tx, document.user_id)
    const { kind, number, council } = document
    await audit.write(tx, { about: document.user_id, reason, details: { document_id: id, kind, number, council, ...details } })
  })
}

const tell = (tx: Tx, { id, user_id }: DocumentRow, facts: NotificationFacts['licence']) =>
  notify(tx, { kind: 'licence', to: user_id, source: `document:${id}`, facts, link: '/account/merchant-documents' })

const settle = (tx: Tx, admin: SessionUser, { id }: DocumentRow, verdict: Verdict) =>
  tx
    .updateTable('merchant_documents')
    .set({ ...verdict, reviewed_at: sql<Date>`app_now()`, reviewed_by: admin.id })
    .where('id', '=', id)
    .execute()
