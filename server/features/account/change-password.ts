import { now } from '#server/db/clock.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { lockUser } from '#server/db/user.ts'
import { isPassword, type Passwords } from '#server/features/account/passwords.ts'
import { findUser, updateUser, useEmailToken } from '#server/features/account/queries.ts'
import { refuseWeakPassword } from '#server/features/account/register.ts'
import { forgiveAttempt, takeAttempt } from '#server/http/attempts.ts'
import { refuse, refuseField } from '#server/http/errors.ts'
import { endSessionsOf, hashToken, openSession, type NewSession, type SessionUser } from '#server/http/session.ts'

/** The password of the person at the keyboard, not of whoever found the phone unlocked. */
export async function confirmCurrentPassword(db: Db, user: SessionUser, password: string): Promise<void> {
  const attempt = await takeAttempt(db, 'password_check', user.id)
  if (!(await isPassword(password, user.password_hash))) throw refuseField('current_password', 'This is not your current password')
  await forgiveAttempt(db, attempt)
}

type Deps = { db: Db; passwords: Passwords }

/** Ends every session of the user and opens a new one for the caller. */
export async function changePassword(
  deps: Deps,
  user: SessionUser,
  form: { current_password: string; password: string },
): Promise<NewSession> {
  await confirmCurrentPassword(deps.db, user, form.current_password)
  return replacePassword(deps, user, form.password)
}

/** SPEC §4: a temporary password is replaced without being asked for again; it was typed a moment ago. */
export async function replaceTemporaryPassword(deps: Deps, user: SessionUser, password: string): Promise<NewSession> {
  return replacePassword(deps, user, password)
}

async function replacePassword({ db, passwords }: Deps, user: SessionUser, password: string): Promise<NewSession> {
  refuseWeakPassword(password, user.email)
  if (await isPassword(password, user.password_hash)) throw refuseField('password', 'This is your password already. Choose another.')
  const password_hash = await passwords.hash(password)
  const session = await db.transaction().execute(async (tx) => {
    // another change may have come first, in another tab: then this one was decided on what is no longer so
    if ((await lockUser(tx, user.id))?.password_hash !== user.password_hash) return undefined
    await storePassword(tx, user.id, password_hash)
    return openSession(tx, { ...user, password_hash }, 'web_app_device')
  })
  if (!session) throw changedElsewhere()
  return session
}

export const changedElsewhere = () => refuse('conflict', 'Your password was changed elsewhere at the same moment. Please log in again.')

/** With the token of an e-mail: single use, and whoever is logged in elsewhere is logged out. */
export async function resetPassword({ db, passwords }: Deps, token: string, password: string): Promise<void> {
  const stale = () => refuse('conflict', 'This link has been used or has expired. Ask for a new one.', { code: 'token_spent' })
  const tokenHash = hashToken(token)
  const pending = await db
    .selectFrom('email_tokens')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', 'reset_password')
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  const user = pending && (await findUser(db, pending.user_id))
  if (!user) throw stale()
  refuseWeakPassword(password, user.email)
  const password_hash = await passwords.hash(password)
  await db.transaction().execute(async (tx) => {
    const locked = await lockUser(tx, user.id)
    const used = await useEmailToken(tx, tokenHash, 'reset_password')
    if (!used || used.email !== locked?.email) throw stale()
    await storePassword(tx, user.id, password_hash)
    // who reads the mail owns the address
    await updateUser(tx, user.id, { email_verified_at: locked.email_verified_at ?? now })
  })
}

async function storePassword(tx: Tx, userId: string, password_hash: string) {
  await updateUser(tx, userId, { password_hash, temporary_password_expires_at: null, temporary_logins_left: 0 })
  await endSessionsOf(tx, userId)
  await tx
    .deleteFrom('email_tokens')
    .where('user_id', '=', userId)
    .where('purpose', '=', 'reset_password')
    .where('used_at', 'is', null)
    .execute()
}
