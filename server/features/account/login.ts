import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { bidRefusals } from '#domain/bids/may-bid.ts'
import type { Db } from '#server/db/db.ts'
import type { Passwords } from '#server/features/account/passwords.ts'
import { findByEmail } from '#server/features/account/queries.ts'
import type { SecondFactors } from '#server/features/second-factor/public.ts'
import { clearAttempts, forgiveAttempt, networkOf, takeAttempt } from '#server/http/attempts.ts'
import { refuse, refuseField } from '#server/http/errors.ts'
import { answerOnce } from '#server/http/idempotency.ts'
import {
  endSession,
  keptSession,
  openSession,
  reopenSession,
  type KeptSession,
  type NewSession,
  type SessionUser,
} from '#server/http/session.ts'

type Login = {
  email: string
  password: string
  otp: string | undefined
  deviceName: string | null
  replaces: Buffer | null
  request: FastifyRequest
}

/**
 * Five wrong passwords from one address stop that address for that account, fifty stop it for all; the owner still gets in
 * from anywhere else. A try is counted before the password is looked at, so a burst of guesses cannot outrun the count.
 */
export async function logIn(
  { db, passwords, secondFactors }: { db: Db; passwords: Passwords; secondFactors: SecondFactors },
  { email, password, otp, deviceName, replaces, request }: Login,
): Promise<{ user: SessionUser; session: NewSession }> {
  const network = networkOf(request.ip)
  // one spelling for the count and for the search: to PostgreSQL 'İ' is an 'i', and every spelling had five tries of its own
  const spelling = email.normalize('NFKC').toLowerCase()
  const fromAddress = await takeAttempt(db, 'login_address', network)
  const forAccount = await takeAttempt(db, 'login_account', `${network} ${spelling}`)

  const user = await findByEmail(db, spelling)
  if (!(await passwords.isOf(user, password)) || !user) throw wrongCredentials()
  await clearAttempts(db, forAccount)
  await forgiveAttempt(db, fromAddress)

  refuseClosedAccount(user)
  if (user.second_factor_since && otp === undefined) throw refuseField('otp', 'Enter the code of your authenticator app')
  const session = await answerOnce<KeptSession, NewSession | undefined>(
    db,
    { request, userId: user.id, body: { email, deviceName, otp } },
    {
      work: (once) =>
        secondFactors.withCode(user, otp, async (tx) => {
          if (user.temporary_password_expires_at && !(await takeTemporaryLogin(tx, user.id))) throw temporaryPasswordSpent()
          const opened = await openSession(tx, user, deviceName)
          // after the user's lock: a password change takes the user first and the sessions then
          if (opened && replaces) await endSession(tx, replaces)
          await once.remember(tx, keptSession(opened))
          return opened
        }),
      again: (kept) => db.transaction().execute((tx) => reopenSession(tx, user, deviceName, kept)),
    },
  )
  if (!session) throw user.temporary_password_expires_at ? temporaryPasswordSpent() : wrongCredentials()
  return { user, session }
}

const temporaryPasswordSpent = () =>
  refuse('credentials_wrong', "This temporary password has been used or has expired. Use 'Forgot password' to get in.", {
    code: 'temporary_password_spent',
  })

// the same words for an unknown e-mail and for a wrong password
const wrongCredentials = () => refuse('credentials_wrong', 'Email or password is not right.')

function refuseClosedAccount(user: SessionUser) {
  if (user.suspended_at) throw refuse('forbidden', suspendedBecause(user), { code: 'account_suspended' })
  if (!user.opened_at)
    throw refuse('forbidden', 'We are still checking your account. You will get an email when it is open.', {
      code: 'account_under_review',
    })
}

const suspendedBecause = ({ suspension_reason }: SessionUser) =>
  suspension_reason ? `${bidRefusals.account_suspended} The reason: ${suspension_reason}` : bidRefusals.account_suspended

async function takeTemporaryLogin(db: Parameters<typeof openSession>[0], userId: string): Promise<boolean> {
  const taken = await db
    .updateTable('users')
    .set({ temporary_logins_left: sql`temporary_logins_left - 1` })
    .where('id', '=', userId)
    .where('temporary_logins_left', '>', 0)
    .where('temporary_password_expires_at', '>', sql<Date>`app_now()`)
    .returning('id')
    .executeTakeFirst()
  return taken !== undefined
}
