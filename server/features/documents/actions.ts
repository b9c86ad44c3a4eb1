import type { DocumentForm } from '#contract/documents.ts'
import { licenceOf } from '#domain/licence.ts'
import { readExpiry, readNow } from '#server/db/clock.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { lockUserBesideBids } from '#server/db/user.ts'
import { updateUser } from '#server/features/account/public.ts'
import { deleteDocuments, findDocuments, insertDocument, type DocumentRow } from '#server/features/documents/queries.ts'
import { dropMerchantUploads, dropUploads, lockMerchantUploads } from '#server/features/storage/public.ts'
import { accountDeleted, refuse } from '#server/http/errors.ts'
import type { FileStore } from '#server/providers/files.ts'

/**
 * These are somebody's documents from now on. What is new, or says something else than before, goes to review as a document of its
 * own: what an admin looked at is what is approved. What the back office recorded without a file stays.
 */
export async function saveDocuments(
  { db, files }: { db: Db; files: FileStore },
  userId: string,
  forms: readonly DocumentForm[],
): Promise<void> {
  const leftOver = await db.transaction().execute(async (tx) => {
    if ((await lockUserBesideBids(tx, userId)).isDeleted) throw accountDeleted()
    const held = (await findDocuments(tx, userId)).filter(({ storage_object_id }) => storage_object_id !== null)
    const wanted = await readForms(tx, userId, held, forms)
    const staying = new Set(wanted.flatMap(({ before, isChanged }) => (before && !isChanged ? before.id : [])))
    const going = held.filter(({ id }) => !staying.has(id))
    await deleteDocuments(
      tx,
      going.map(({ id }) => id),
    )
    for (const { values, isChanged } of wanted) if (isChanged) await insertDocument(tx, { user_id: userId, ...values })
    const kept = new Set(forms.map(({ storage_object_id }) => storage_object_id))
    const unused = going.flatMap(({ storage_object_id: id }) => (id && !kept.has(id) ? id : []))
    await settleLicence(tx, userId)
    return dropUploads(tx, unused)
  })
  // after the commit: a file without a row is swept, a row without its file would be a broken promise
  for (const key of leftOver) await files.remove(key)
}

/** The one writer of users.licence_status and licence_expires_at, in the transaction of what they follow from. Its caller has locked the user. */
export async function settleLicence(tx: Tx, userId: string): Promise<void> {
  const papers = (await findDocuments(tx, userId)).filter(({ kind }) => kind === 'scrap_dealer_licence')
  const { status, expires_at } = licenceOf(papers, await readNow(tx))
  await updateUser(tx, userId, { licence_status: status, licence_expires_at: expires_at })
}

/** With the account: what an admin decided about them stays in the audit log. */
export async function eraseDocuments(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('merchant_documents').where('user_id', '=', userId).execute()
  await dropMerchantUploads(tx, userId)
  await settleLicence(tx, userId)
}

type Values = Pick<DocumentRow, 'kind' | 'number' | 'council' | 'expires_at'> & { storage_object_id: string }
type DocumentChange = { values: Values; before: DocumentRow | undefined; isChanged: boolean }

async function readForms(tx: Tx, userId: string, held: readonly DocumentRow[], forms: readonly DocumentForm[]): Promise<DocumentChange[]> {
  const before = new Map(held.map((document) => [document.storage_object_id, document]))
  const fresh = forms.flatMap(({ storage_object_id: id }) => (before.has(id) ? [] : id))
  const usable = new Set(await lockMerchantUploads(tx, userId, fresh))
  const errors: Record<string, string[]> = {}
  const wanted: DocumentChange[] = []
  for (const [nth, form] of forms.entries()) {
    const document = before.get(form.storage_object_id)
    if (!document && !usable.has(form.storage_object_id)) {
      errors[`documents.${nth}.storage_object_id`] = ['This file is not ready, not yours or of another kind. Upload it again.']
      continue
    }
    const values = await valuesOf(tx, form, document)
    const isChanged = !document || differs(values, document)
    if (isChanged && values.isOver) errors[`documents.${nth}.expires_at`] = ['This has expired. Upload the one that is valid now.']
    const { isOver: _isOver, ...kept } = values
    wanted.push({ values: kept, before: document, isChanged })
  }
  if (Object.keys(errors).length > 0) throw refuse('invalid', 'Some documents need another look.', { errors })
  return wanted
}

async function valuesOf(tx: Tx, form: DocumentForm, before: DocumentRow | undefined): Promise<Values & { isOver: boolean }> {
  const { storage_object_id, kind, number = before?.number ?? null, council = before?.council ?? null } = form
  const end = form.expires_at ? await readExpiry(tx, form.expires_at) : undefined
  const expires_at = form.expires_at === undefined ? (before?.expires_at ?? null) : (end?.at ?? null)
  return { storage_object_id, kind, number, council, expires_at, isOver: end?.isOver ?? false }
}

const differs = (values: Values, before: DocumentRow) =>
  values.kind !== before.kind ||
  values.number !== before.number ||
  values.council !== before.council ||
  values.expires_at?.getTime() !== before.expires_at?.getTime()
