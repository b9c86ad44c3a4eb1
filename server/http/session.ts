import { hash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, DbOrTx, Tx } from '#server/db/db.ts'
import type { UserRow } from '#server/db/user.ts'
import { gather } from '#server/db/gather.ts'
import { refuse } from '#server/http/errors.ts'
import type { SignedIn } from '#server/http/viewer.ts'

/** A user as every request sees it: the whole row, read anew each time, so a change counts at once everywhere. */
export type SessionUser = UserRow

// An idle session ends after a week, any session after a month: a yard's phone stays logged in, a lost one does not for ever.
export const IDLE_LIMIT = '7 days'
export const AGE_LIMIT = '30 days'
const NOTE_USE_EVERY = '5 minutes'
// API.md: what moves money asks for a password that was given within this time
export const FRESH_FOR = '15 minutes'

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')
export const newToken = (): string => randomBytes(32).toString('base64url')

type SessionOwner = Pick<UserRow, 'id' | 'password_hash' | 'second_factor_since'>

export type NewSession = { token: string; tokenHash: Buffer }

export type FindSession = (token: string) => Promise<SignedIn | undefined>

/**
 * The session's user with today's tier and state; nothing if the session ended or the user may not have one. Every request looks
 * anew; those that come while another looks are looked up together, in one query.
 */
export function sessionFinder(db: Db, { staffNeedSecondFactor = false } = {}): FindSession {
  const findHash = gather(async (hashes: Buffer[]) => {
    const found = new Map((await findSessions(db, hashes)).map((row) => [row.token_hash.toString('hex'), row]))
    return hashes.map((hash) => found.get(hash.toString('hex')))
  })
  return async (token) => {
    const row = await findHash(hashToken(token))
    if (!row) return undefined
    const { use_is_worth_noting, password_is_fresh, token_hash, ...columns } = row
    const user = columns as SessionUser
    if (use_is_worth_noting) await noteUse(db, token_hash)
    const isUnenrolled = staffNeedSecondFactor && user.role !== null && user.second_factor_since === null
    return { caller: callerKind(user, isUnenrolled), user, tokenHash: token_hash, isPasswordFresh: password_is_fresh }
  }
}

const findSessions = (db: Db, hashes: readonly Buffer[]) =>
  openSessions(db)
    .selectAll('users')
    .select('sessions.token_hash')
    .select(sql<boolean>`sessions.last_seen_at < app_now() - ${NOTE_USE_EVERY}::interval`.as('use_is_worth_noting'))
    .select(sql<boolean>`sessions.password_confirmed_at > app_now() - ${FRESH_FOR}::interval`.as('password_is_fresh'))
    .where('token_hash', '=', sql<Buffer>`any(${hashes}::bytea[])`)
    .execute()

/** Which of these (in hex) are no longer a member's: ended, or their user suspended, deleted or back at a temporary password. */
export async function findEndedSessions(db: Db, tokenHashes: readonly string[]): Promise<string[]> {
  const rows = await openSessions(db)
    .select(sql<string>`encode(token_hash, 'hex')`.as('hash'))
    .where(sql<boolean>`token_hash = any(${tokenHashes.map((hash) => Buffer.from(hash, 'hex'))})`)
    .where('users.deleted_at', 'is', null)
    .where('users.temporary_password_expires_at', 'is', null)
    .execute()
  const open = new Set(rows.map(({ hash }) => hash))
  return tokenHashes.filter((hash) => !open.has(hash))
}

const openSessions = (db: Db) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .where('sessions.last_seen_at', '>', sql<Date>`app_now() - ${IDLE_LIMIT}::interval`)
    .where('sessions.created_at', '>', sql<Date>`app_now() - ${AGE_LIMIT}::interval`)
    .where('users.suspended_at', 'is', null)
    .where('users.erased_at', 'is', null)
    .where('users.opened_at', 'is not', null)

function callerKind(user: SessionUser, isUnenrolled: boolean): SignedIn['caller'] {
  if (user.deleted_at) return 'deleted'
  if (user.temporary_password_expires_at) return 'temporary_password'
  return isUnenrolled ? 'unenrolled' : 'member'
}

/** For what moves money, and what changes how somebody logs in. */
export function refuseStalePassword({ isPasswordFresh }: Pick<SignedIn, 'isPasswordFresh'>): void {
  if (!isPasswordFresh) throw refuse('forbidden', 'Enter your password again to do this.', { code: 'reauthentication_required' })
}

async function noteUse(db: Db, tokenHash: Buffer) {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: sql`app_now()` })
    .where('token_hash', '=', tokenHash)
    .execute()
}

/**
 * Opens a session if the user still is as the caller knew it. The share lock waits for a change of password or second factor, or a
 * suspension, that is under way, and then sees it: no session survives them.
 */
export async function openSession(tx: Tx, who: SessionOwner, deviceName: string | null): Promise<NewSession | undefined> {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', who.id)
    .where('password_hash', '=', who.password_hash)
    .where(sql<boolean>`second_factor_since is not distinct from ${who.second_factor_since}`)
    .where('suspended_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!user) return undefined
  const token = newToken()
  const tokenHash = hashToken(token)
  await tx.insertInto('sessions').values({ token_hash: tokenHash, user_id: user.id, device_name: deviceName }).execute()
  return { token, tokenHash }
}

/** The session that a request opened, for when that request is sent again; never its token. */
export type KeptSession = { session: string | null }

export const keptSession = (session: NewSession | undefined): KeptSession => ({ session: session?.tokenHash.toString('hex') ?? null })

/** The token of before went with an answer that was lost: a new session takes its place. None where none was opened. */
export async function reopenSession(
  tx: Tx,
  who: SessionOwner,
  deviceName: string | null,
  { session }: KeptSession,
): Promise<NewSession | undefined> {
  if (session === null) return undefined
  const opened = await openSession(tx, who, deviceName)
  await endSession(tx, Buffer.from(session, 'hex'))
  return opened
}

export async function endSession(db: DbOrTx, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
}

/** All of a user's sessions, or all but one. */
export async function endSessionsOf(db: DbOrTx, userId: string, kept?: Buffer): Promise<void> {
  const ended = db.deleteFrom('sessions').where('user_id', '=', userId)
  await (kept ? ended.where('token_hash', '!=', kept) : ended).execute()
}
