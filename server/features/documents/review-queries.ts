import { sql } from 'kysely'
import type { BusinessActivity } from '#contract/values/business.ts'
import type { DocumentStatus } from '#contract/values/document-kinds.ts'
import type { DbOrTx } from '#server/db/db.ts'
import type { DocumentRow } from '#server/features/documents/queries.ts'

export type ReviewRow = DocumentRow & {
  user: {
    id: string
    email: string
    first_name: string
    surname: string
    company_name: string
    business_activity: BusinessActivity | null
  }
}

/** Where a page ended: when the last document was submitted, in microseconds, and which it is. */
export type Place = { at: string; id: string }

const owner = sql`jsonb_build_object('id', u.id, 'email', u.email, 'first_name', u.first_name, 'surname', u.surname,
  'company_name', u.company_name, 'business_activity', u.business_activity)`
const micros = sql`(extract(epoch from d.submitted_at) * 1000000)::bigint`

/** Those that wait the longest first, so that nobody is overtaken; all others newest first. */
export async function findForReview(
  db: DbOrTx,
  { status, after, limit }: { status: DocumentStatus | undefined; after: Place | undefined; limit: number },
): Promise<(ReviewRow & { at: string })[]> {
  const isQueue = status === 'pending'
  const order = isQueue ? sql`asc` : sql`desc`
  const beyond = isQueue ? sql`>` : sql`<`
  const { rows } = await sql<ReviewRow & { at: string }>`
    select d.*, ${owner} as user, ${micros}::text as at
    from merchant_documents d
    join users u on u.id = d.user_id
    where u.erased_at is null
      ${status ? sql`and d.status = ${status}` : sql``}
      ${after ? sql`and (d.submitted_at, d.id) ${beyond} ('epoch'::timestamptz + ${after.at}::bigint * interval '1 microsecond', ${after.id}::uuid)` : sql``}
    order by d.submitted_at ${order}, d.id ${order}
    limit ${limit}`.execute(db)
  return rows
}

export async function findOneForReview(db: DbOrTx, id: string): Promise<ReviewRow | undefined> {
  const { rows } = await sql<ReviewRow>`
    select d.*, ${owner} as user
    from merchant_documents d
    join users u on u.id = d.user_id
    where d.id = ${id} and u.erased_at is null`.execute(db)
  return rows[0]
}

export async function lockDocument(tx: DbOrTx, id: string): Promise<DocumentRow | undefined> {
  const row = await tx.selectFrom('merchant_documents').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row as DocumentRow | undefined
}
