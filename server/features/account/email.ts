import { sql } from 'kysely'
import { now } from '#server/db/clock.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { lockUser } from '#server/db/user.ts'
import { confirmCurrentPassword } from '#server/features/account/change-password.ts'
import { findByEmail, updateUser, useEmailToken, type TokenPurpose } from '#server/features/account/queries.ts'
import { tellCustomer } from '#server/features/payments/public.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import { takeAttempt } from '#server/http/attempts.ts'
import { refuse, refuseField } from '#server/http/errors.ts'
import { endSessionsOf, hashToken, type SessionUser } from '#server/http/session.ts'
import { enqueue } from '#server/jobs/queue.ts'

// An email address counts when its owner has followed the link that was sent to it: at sign-up, and before it takes the place of another.

type Asked = { email: string; password: string | undefined }

/** Limited per user and per target: nobody sends a stranger a hundred emails in our name. */
export async function allowNewEmail(
  { db, readSetting }: { db: Db; readSetting: ReadSetting },
  user: SessionUser,
  { email, password }: Asked,
): Promise<void> {
  if (!password) throw refuseField('current_password', 'Enter your current password to change your email')
  await confirmCurrentPassword(db, user, password)
  const holder = await findByEmail(db, email)
  if (holder && holder.id !== user.id) throw taken()
  await takeAttempt(db, 'email_change_user', user.id, await readSetting(db, 'email_changes_per_day'))
  await takeAttempt(db, 'email_change_target', email.toLowerCase())
}

export async function enqueueEmailChange(tx: Tx, user: SessionUser): Promise<void> {
  await enqueue(tx, 'send_email_change', { user_id: user.id })
  await enqueue(tx, 'send_email_changing', {
    user_id: user.id,
    old_email: user.email,
    new_email: user.new_email ?? '',
    can_undo: user.email_verified_at !== null,
  })
}

const CONFIRMED = 'Your email address is confirmed.'

/** Safe to follow twice, as mail programs do before their reader: a used link for an address that is in force and verified says so. */
export async function verifyEmail(db: Db, token: string): Promise<string> {
  const tokenHash = hashToken(token)
  const isDone = await db.transaction().execute(async (tx) => {
    const user = await lockHolder(tx, tokenHash, ['verify_email', 'change_email'])
    if (!user) return false
    const changed = await useEmailToken(tx, tokenHash, 'change_email')
    if (changed) return user.new_email === changed.email && switchEmail(tx, user, changed.email)
    const verified = await useEmailToken(tx, tokenHash, 'verify_email')
    if (verified?.email !== user.email) return false
    await updateUser(tx, user.id, { email_verified_at: now })
    return true
  })
  if (isDone || (await wasFollowed(db, tokenHash))) return CONFIRMED
  throw spent('This link has expired or belongs to another address. Ask for a new one in your account.')
}

/** The way back, for whoever reads the old address: it is in force again, and whoever is logged in is logged out. */
export async function undoEmailChange(db: Db, token: string): Promise<string> {
  const tokenHash = hashToken(token)
  return db.transaction().execute(async (tx) => {
    const user = await lockHolder(tx, tokenHash, ['undo_email_change'])
    const used = user && (await useEmailToken(tx, tokenHash, 'undo_email_change'))
    if (!used) throw spent('This link has been used or has expired.')
    await switchEmail(tx, user, used.email)
    await endSessionsOf(tx, user.id)
    return used.email
  })
}

async function switchEmail(tx: Tx, user: SessionUser, email: string): Promise<true> {
  const holder = await findByEmail(tx, email)
  if (holder && holder.id !== user.id) throw refuse('conflict', 'This email already has an account.', { code: 'email_taken' })
  const updated = await updateUser(tx, user.id, { email, email_verified_at: now, new_email: null })
  if (updated) await tellCustomer(tx, updated)
  return true
}

/** First the user, then the token: a password change locks in this order too. */
async function lockHolder(tx: Tx, tokenHash: Buffer, purposes: readonly TokenPurpose[]): Promise<SessionUser | undefined> {
  const token = await tx
    .selectFrom('email_tokens')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('purpose', 'in', purposes)
    .executeTakeFirst()
  return token && lockUser(tx, token.user_id)
}

async function wasFollowed(db: Db, tokenHash: Buffer): Promise<boolean> {
  const earlier = await db
    .selectFrom('email_tokens')
    .innerJoin('users', 'users.id', 'email_tokens.user_id')
    .select(sql`1`.as('one'))
    .where('token_hash', '=', tokenHash)
    .where('purpose', 'in', ['verify_email', 'change_email'])
    .where('used_at', 'is not', null)
    .where('email_verified_at', 'is not', null)
    .whereRef('users.email', '=', 'email_tokens.email')
    .executeTakeFirst()
  return earlier !== undefined
}

const taken = () => refuseField('email', 'This email already has an account')
const spent = (message: string) => refuse('conflict', message, { code: 'token_spent' })
