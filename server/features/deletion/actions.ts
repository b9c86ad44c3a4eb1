import { sql } from 'kysely'
import { toInterval } from '#domain/duration.ts'
import { now } from '#server/db/clock.ts'
import type { Db } from '#server/db/db.ts'
import { lockUser } from '#server/db/user.ts'
import { updateUser } from '#server/features/account/public.ts'
import { underWayOf } from '#server/features/deletion/under-way.ts'
import { eraseDocuments } from '#server/features/documents/public.ts'
import { eraseFromMarket } from '#server/features/market/public.ts'
import { erasePayments } from '#server/features/payments/public.ts'
import { erasePreferences } from '#server/features/preferences/public.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import { forgetCard } from '#server/features/subscription/public.ts'
import { refuse } from '#server/http/errors.ts'
import { endSessionsOf, type SessionUser } from '#server/http/session.ts'
import { enqueue } from '#server/jobs/queue.ts'

export async function deleteAccount(db: Db, readSetting: ReadSetting, user: SessionUser, reason: string | null): Promise<void> {
  const window = toInterval(await readSetting(db, 'restore_window'))
  await db.transaction().execute(async (tx) => {
    // a second click at the same moment: the account is deleted once, with one e-mail
    if ((await lockUser(tx, user.id))?.deleted_at) return
    const underWay = await underWayOf(tx, user.id)
    if (underWay) throw refuse('conflict', underWay, { code: 'under_way' })
    await updateUser(tx, user.id, { deleted_at: now, deletion_reason: reason })
    await endSessionsOf(tx, user.id)
    await tx.deleteFrom('push_subscriptions').where('user_id', '=', user.id).execute()
    const { rows } = await sql<{ until: Date }>`select app_now() + ${window}::interval as until`.execute(tx)
    await enqueue(tx, 'send_account_deleted', { user_id: user.id, restore_until: rows[0]?.until.toISOString() ?? '' })
    await enqueue(tx, 'erase_account', { user_id: user.id }, window)
    await enqueue(tx, 'leave_subscription', { user_id: user.id })
  })
}

export async function restoreAccount(db: Db, readSetting: ReadSetting, user: SessionUser): Promise<SessionUser> {
  const window = toInterval(await readSetting(db, 'restore_window'))
  return db.transaction().execute(async (tx) => {
    const restored = await tx
      .updateTable('users')
      .set({ deleted_at: null, deletion_reason: null, updated_at: now })
      .where('id', '=', user.id)
      .where('erased_at', 'is', null)
      .where('deleted_at', '>', sql<Date>`app_now() - ${window}::interval`)
      .returningAll()
      .executeTakeFirst()
    if (!restored) throw refuse('conflict', 'The time to restore this account is over.')
    await enqueue(tx, 'resume_subscription', { user_id: user.id })
    return restored as SessionUser
  })
}

/**
 * The job that a deletion queues. Personal details are erased; the row stays, because records that the law keeps refer to it. Does
 * nothing for a restored account, and runs again later for one that was deleted again, or whose restore window became longer.
 */
export async function eraseAccount(db: Db, readSetting: ReadSetting, userId: string): Promise<void> {
  const window = toInterval(await readSetting(db, 'restore_window'))
  await db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, userId)
    if (!user?.deleted_at || user.erased_at) return
    const { left, is_due } = await tx
      .selectFrom('users')
      .select(sql<string>`(deleted_at + ${window}::interval - app_now())::text`.as('left'))
      .select(sql<boolean>`deleted_at + ${window}::interval <= app_now()`.as('is_due'))
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    if (!is_due) return enqueue(tx, 'erase_account', { user_id: userId }, left)
    await updateUser(tx, userId, {
      email: `erased-${userId}@erased.invalid`,
      email_verified_at: null,
      new_email: null,
      password_hash: '$argon2id$erased',
      first_name: 'Erased',
      surname: 'Erased',
      company_name: 'Deleted account',
      date_of_birth: '1900-01-01',
      contact_number: '',
      vat_number: null,
      business_activity: null,
      deletion_reason: null,
      subscription_card: null,
      holding_fee_card: null,
      holding_fee_card_shown: null,
      payment_account_requirements: '[]',
      second_factor_since: null,
      erased_at: now,
    })
    await forgetCard(tx, userId)
    await erasePayments(tx, userId)
    for (const table of ['addresses', 'sessions', 'email_tokens', 'second_factors'] as const)
      await tx.deleteFrom(table).where('user_id', '=', userId).execute()
    for (const table of ['notifications', 'notification_settings', 'push_subscriptions'] as const)
      await tx.deleteFrom(table).where('user_id', '=', userId).execute()
    for (const table of ['onboarding_profiles', 'sites'] as const) await tx.deleteFrom(table).where('user_id', '=', userId).execute()
    await eraseDocuments(tx, userId)
    await erasePreferences(tx, userId)
    await eraseFromMarket(tx, userId)
    // checks that a sale refers to are kept with the sale
    await tx
      .deleteFrom('vat_checks')
      .where('user_id', '=', userId)
      .where('id', 'not in', tx.selectFrom('awards').select('vat_check_id').where('vat_check_id', 'is not', null))
      .execute()
  })
}
