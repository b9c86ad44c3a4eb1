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

export const insertDocument = (
  tx: Tx,
  values: Pick<DocumentRow, 'user_id' | 'storage_object_id' | 'kind' | 'number' | 'council' | 'expires_at'>,
) => tx.insertInto('merchant_documents').values(values).execute()

export const deleteDocuments = (tx: Tx, ids: readonly string[]) =>
  sql`delete from merchant_documents where id = any(${ids}::uuid[])`.execute(tx)
