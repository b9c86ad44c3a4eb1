import { sql, type InsertObject, type UpdateObject } from 'kysely'
import type { DB } from '#database/schema.gen.ts'
import { toInterval } from '#domain/duration.ts'
import { now } from '#server/db/clock.ts'
import type { Db, DbOrTx, Tx } from '#server/db/db.ts'
import { lockUser } from '#server/db/user.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import type { SessionUser } from '#server/http/session.ts'

/** Case and look-alike spellings make no second account: the same expression as the unique index. */
export const hasEmail = (email: string) => sql<boolean>`lower(normalize(email, nfkc)) = lower(normalize(${email}::text, nfkc))`

export const findByEmail = (db: DbOrTx, email: string) =>
  db.selectFrom('users').selectAll().where(hasEmail(email)).where('erased_at', 'is', null).executeTakeFirst() as Promise<
    SessionUser | undefined
  >

export const findUser = (db: DbOrTx, id: string) =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst() as Promise<SessionUser | undefined>

/** Nothing if the e-mail is taken, also by somebody who is signing up at this very moment. */
export const insertUser = (tx: Tx, values: InsertObject<DB, 'users'>) =>
  tx
    .insertInto('users')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst() as Promise<SessionUser | undefined>

export const updateUser = (db: DbOrTx, id: string, values: UpdateObject<DB, 'users'>) =>
  db
    .updateTable('users')
    .set({ ...values, updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst() as Promise<SessionUser | undefined>

export const companyAddressOf = (db: DbOrTx, userId: string) =>
  db.selectFrom('addresses').selectAll().where('user_id', '=', userId).where('is_company_address', '=', true).executeTakeFirst()

export const defaultAddressOf = (db: DbOrTx, userId: string) =>
  db.selectFrom('addresses').selectAll().where('user_id', '=', userId).where('is_default_address', '=', true).executeTakeFirst()

/** Adds an address in the roles it is given; whichever held a role before loses it, and one without a role goes. */
export async function insertAddress(tx: Tx, values: InsertObject<DB, 'addresses'> & { user_id: string }) {
  // two changes at once would both take the role from the old address, and neither from the other's new one
  await lockUser(tx, values.user_id)
  const roles = {
    ...(values.is_default_address && { is_default_address: false }),
    ...(values.is_company_address && { is_company_address: false }),
  }
  if (Object.keys(roles).length > 0) await tx.updateTable('addresses').set(roles).where('user_id', '=', values.user_id).execute()
  await tx
    .deleteFrom('addresses')
    .where('user_id', '=', values.user_id)
    .where('is_default_address', '=', false)
    .where('is_company_address', '=', false)
    .execute()
  return tx.insertInto('addresses').values(values).returningAll().executeTakeFirstOrThrow()
}

export type TokenPurpose = 'verify_email' | 'reset_password' | 'change_email' | 'undo_email_change'

/** Marks a token used and answers whose it was, once: two clicks at the same moment give one winner. */
export const useEmailToken = (tx: Tx, tokenHash: Buffer, purpose: TokenPurpose) =>
  tx
    .updateTable('email_tokens')
    .set({ used_at: now })
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['user_id', 'email'])
    .executeTakeFirst()

/** When a deleted account can no longer be restored; nothing for one that is not deleted. */
export async function restoreUntil(db: Db, readSetting: ReadSetting, user: SessionUser): Promise<Date | null> {
  if (!user.deleted_at) return null
  const window = toInterval(await readSetting(db, 'restore_window'))
  const { rows } = await sql<{ until: Date }>`select ${user.deleted_at}::timestamptz + ${window}::interval as until`.execute(db)
  return rows[0]?.until ?? null
}
