import { hash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { now, readNow } from '#server/db/clock.ts'
import type { Db, DbOrTx, Tx } from '#server/db/db.ts'
import { lockUserBesideBids } from '#server/db/user.ts'
import { sealingWith } from '#server/features/second-factor/sealed.ts'
import { otpauthUrl, stepOf, toBase32 } from '#server/features/second-factor/totp.ts'
import { clearAttempts, takeAttempt } from '#server/http/attempts.ts'
import { refuse, refuseField } from '#server/http/errors.ts'

const SECRET_BYTES = 20
const RECOVERY_CODES = 10
const RECOVERY_BYTES = 10

type Owner = { id: string; email: string; second_factor_since: Date | null }

export type SecondFactors = ReturnType<typeof secondFactors>

/** Second factors of users: their secrets are encrypted by the server's own, their recovery codes hashed. */
export function secondFactors(db: Db, serverSecret: string) {
  const { seal, open } = sealingWith(serverSecret)

  /** A new secret. It counts once it is confirmed; until then a newer one takes its place. */
  async function enrol(user: Owner): Promise<{ secret: string; otpauth_url: string }> {
    const secret = randomBytes(SECRET_BYTES)
    await db.transaction().execute(async (tx) => {
      await lockWithout(tx, user.id)
      await tx.deleteFrom('second_factors').where('user_id', '=', user.id).execute()
      await tx
        .insertInto('second_factors')
        .values({ user_id: user.id, secret: seal(secret, user.id) })
        .execute()
    })
    const text = toBase32(secret)
    return { secret: text, otpauth_url: otpauthUrl(user.email, text) }
  }

  /** Switches it on, in the caller's transaction; answers the recovery codes, which are not stored. */
  async function confirm(tx: Tx, user: Owner, code: string): Promise<string[]> {
    await lockWithout(tx, user.id)
    const isBegun = await tx.selectFrom('second_factors').select('user_id').where('user_id', '=', user.id).executeTakeFirst()
    if (!isBegun) throw refuse('conflict', 'Begin to set up your second factor first.', { code: 'second_factor_not_begun' })
    if (!isCode(code) || !(await use(tx, user.id, code))) throw wrongCode()
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
    await tx
      .insertInto('recovery_codes')
      .values(codes.map((each) => ({ user_id: user.id, code_hash: hashRecoveryCode(each) })))
      .execute()
    await tx
      .updateTable('users')
      .set({ second_factor_since: sql<Date>`date_trunc('milliseconds', app_now())` })
      .where('id', '=', user.id)
      .execute()
    return codes
  }

  /** In the caller's transaction, after the code was used. */
  async function disable(tx: Tx, userId: string): Promise<void> {
    await tx.updateTable('users').set({ second_factor_since: null }).where('id', '=', userId).execute()
    await tx.deleteFrom('second_factors').where('user_id', '=', userId).execute()
  }

  /**
   * Lets through who has no second factor, or sends a good code; each works once. Counted before the code is looked at: whoever comes
   * here knows the password, so the count is the account's, wherever the tries come from. `work` is done in the same transaction.
   */
  async function withCode<T>(user: Owner, code: string | undefined, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (!user.second_factor_since) return db.transaction().execute(work)
    if (code === undefined) throw refuseField('otp', 'Enter the code of your authenticator app')
    const attempt = await takeAttempt(db, 'second_factor', user.id)
    const result = await db.transaction().execute(async (tx) => {
      // the user first, as everybody who changes a second factor does
      await lockUserBesideBids(tx, user.id)
      if (!(await use(tx, user.id, code))) throw wrongCode()
      return work(tx)
    })
    await clearAttempts(db, attempt)
    return result
  }

  /** Uses a code up. Answers whether it was a good one. */
  async function use(tx: Tx, userId: string, typed: string): Promise<boolean> {
    const code = typed.replaceAll(/[\s-]/g, '').toLowerCase()
    const row = await tx
      .selectFrom('second_factors')
      .select(['secret', 'last_step'])
      .where('user_id', '=', userId)
      .forUpdate()
      .executeTakeFirst()
    if (!row) return false
    if (!isCode(code)) return useRecoveryCode(tx, userId, code)
    const secret = open(row.secret, userId)
    const step = secret && stepOf(secret, code, await readNow(tx))
    if (step === undefined || step <= Number(row.last_step ?? -1)) return false
    await tx
      .updateTable('second_factors')
      .set({ last_step: String(step) })
      .where('user_id', '=', userId)
      .execute()
    return true
  }

  return { enrol, confirm, disable, withCode }
}

const isCode = (code: string) => /^\d{6}$/.test(code.replaceAll(/\s/g, ''))

const wrongCode = () => refuseField('otp', 'This code is not right, or was used already. Wait for the next one.')

/** Whoever has one switches it off before another is set up. */
async function lockWithout(tx: Tx, userId: string): Promise<void> {
  await lockUserBesideBids(tx, userId)
  const user = await tx.selectFrom('users').select('second_factor_since').where('id', '=', userId).executeTakeFirst()
  if (user?.second_factor_since) throw refuse('conflict', 'You have a second factor already.', { code: 'second_factor_enabled' })
}

/** 80 bits: too many to try out, even for somebody who has the hashes. */
const newRecoveryCode = (): string =>
  toBase32(randomBytes(RECOVERY_BYTES))
    .toLowerCase()
    .replaceAll(/(.{4})(?=.)/g, '$1-')

const hashRecoveryCode = (code: string): Buffer => hash('sha256', code.replaceAll('-', ''), 'buffer')

async function useRecoveryCode(tx: Tx, userId: string, code: string): Promise<boolean> {
  const used = await tx
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashRecoveryCode(code))
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return used !== undefined
}

export async function countRecoveryCodes(db: DbOrTx, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from recovery_codes where user_id = ${userId} and used_at is null`.execute(db)
  return rows[0]?.count ?? 0
}
