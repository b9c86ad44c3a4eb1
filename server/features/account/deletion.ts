import { sql } from 'kysely'
import { toInterval } from '#domain/duration.ts'
import type { Db } from '#server/db.ts'
import { now, updateUser } from '#server/features/account/queries.ts'
import type { ReadSetting } from '#server/features/settings/actions.ts'
import { refuse } from '#server/http/errors.ts'
import { endSessionsOf, type SessionUser } from '#server/http/session.ts'
import { enqueue } from '#server/jobs/queue.ts'

/** When a deleted account can no longer be restored; nothing for one that is not deleted. */
export async function restoreUntil(db: Db, readSetting: ReadSetting, user: SessionUser): Promise<Date | null> {
  if (!user.deleted_at) return null
  const window = toInterval(await readSetting(db, 'restore_window'))
  const { rows } = await sql<{ until: Date }>`select ${user.deleted_at}::timestamptz + ${window}::interval as until`.execute(db)
  return rows[0]?.until ?? null
}

export async function deleteAccount(db: Db, readSetting: ReadSetting, user: SessionUser, reason: string | null): Promise<void> {
  const window = toInterval(await readSetting(db, 'restore_window'))
  await db.transaction().execute(async (tx) => {
    await updateUser(tx, user.id, { deleted_at: now, deletion_reason: reason })
    await endSessionsOf(tx, user.id)
    const { rows } = await sql<{ until: Date }>`select app_now() + ${window}::interval as until`.execute(tx)
    await enqueue(tx, 'send_account_deleted', { user_id: user.id, restore_until: rows[0]?.until.toISOString() ?? '' })
    await enqueue(tx, 'erase_account', { user_id: user.id }, window)
  })
}

export async function restoreAccount(db: Db, user: SessionUser): Promise<SessionUser> {
  const restored = await db
    .updateTable('users')
    .set({ deleted_at: null, deletion_reason: null, updated_at: now })
    .where('id', '=', user.id)
    .where('erased_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (!restored) throw refuse('conflict', 'This account was erased and cannot be restored.')
  return restored as SessionUser
}

/**
 * The job that a deletion leaves behind. The person goes, the row stays: what the law keeps points to it. A restored account
 * is left alone, and so is one that was deleted again later: that deletion has a job of its own.
 */
export async function eraseAccount(db: Db, readSetting: ReadSetting, userId: string): Promise<void> {
  const window = toInterval(await readSetting(db, 'restore_window'))
  await db.transaction().execute(async (tx) => {
    const due = await tx
      .selectFrom('users')
      .select('id')
      .where('id', '=', userId)
      .where('erased_at', 'is', null)
      .where('deleted_at', '<=', sql<Date>`app_now() - ${window}::interval`)
      .forUpdate()
      .executeTakeFirst()
    if (!due) return
    await updateUser(tx, userId, {
      email: `erased-${userId}@erased.invalid`,
      email_verified_at: null,
      password_hash: '$argon2id$erased',
      first_name: 'Erased',
      surname: 'Erased',
      company_name: 'Deleted account',
      date_of_birth: '1900-01-01',
      contact_number: '',
      vat_number: null,
      business_activity: null,
      deletion_reason: null,
      erased_at: now,
    })
    for (const table of ['addresses', 'sessions', 'email_tokens'] as const)
      await tx.deleteFrom(table).where('user_id', '=', userId).execute()
  })
}
