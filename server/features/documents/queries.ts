import { sql, type Selectable } from 'kysely'
import type { DocumentKind, DocumentStatus } from '#contract/values/document-kinds.ts'
import type { MerchantDocuments } from '#database/schema.gen.ts'
import type { DbOrTx, Tx } from '#server/db/db.ts'

export type DocumentRow = Omit<Selectable<MerchantDocuments>, 'kind' | 'status'> & { kind: DocumentKind; status: DocumentStatus }

export async function findDocuments(db: DbOrTx, userId: string): Promise<DocumentRow[]> {
  const rows = await db
    .selectFrom('merchant_documents')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('submitted_at')
    .orderBy('id')
    .execute()
  return rows as DocumentRow[]
}

export async function readClock(db: DbOrTx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select app_now() as now`.execute(db)
  return rows[0]?.now ?? new Date(NaN)
}

/** Two who change somebody's documents go one after the other; bids, which refer to the same row, do not wait. */
export const lockOwner = (tx: Tx, userId: string) => sql`select from users where id = ${userId} for no key update`.execute(tx)

export const insertDocument = (
  tx: Tx,
  values: Pick<DocumentRow, 'user_id' | 'storage_object_id' | 'kind' | 'number' | 'council' | 'expires_at'>,
) => tx.insertInto('merchant_documents').values(values).execute()

export const deleteDocuments = (tx: Tx, ids: readonly string[]) =>
  sql`delete from merchant_documents where id = any(${ids}::uuid[])`.execute(tx)

/**
 * When a paper ends: a day counts to its last moment, in London. To the millisecond, which is as fine as the server's clock goes.
 */
export async function readExpiry(db: DbOrTx, given: string): Promise<{ at: Date; isOver: boolean }> {
  const isDay = given.length === 'yyyy-mm-dd'.length
  const end = isDay
    ? sql`((${given}::date + 1)::timestamp at time zone 'Europe/London')`
    : sql`date_trunc('milliseconds', ${given}::timestamptz)`
  const { rows } = await sql<{
    at: Date
    isOver: boolean
  }>`select ends as at, ends <= app_now() as "isOver" from (select ${end} as ends) as paper`.execute(db)
  return rows[0] ?? { at: new Date(NaN), isOver: true }
}
