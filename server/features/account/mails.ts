import { sql } from 'kysely'
import type { Db } from '#server/db/db.ts'
import { newTemporaryPassword, type Passwords } from '#server/features/account/passwords.ts'
import { findUser, updateUser, type TokenPurpose } from '#server/features/account/queries.ts'
import { endSessionsOf, hashToken, newToken, type SessionUser } from '#server/http/session.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'
import { letter } from '#server/providers/letter.ts'
import type { Mailer } from '#server/providers/mail.ts'

// Tokens and temporary passwords are made here, when the e-mail is sent: no table ever holds one in plain text.

const VERIFY_FOR = '7 days'
const RESET_FOR = '10 minutes'
const TEMPORARY_FOR = '24 hours'

type MailDeps = { db: Db; passwords: Passwords; mailer: Mailer; publicUrl: string }

type AccountJob =
  | 'send_verification'
  | 'send_password_reset'
  | 'send_temporary_password'
  | 'send_email_change'
  | 'send_email_changing'
  | 'send_account_opened'
  | 'send_second_factor_changed'

export function accountJobs({ db, passwords, mailer, publicUrl }: MailDeps): Pick<JobHandlers, AccountJob> {
  const link = (path: string, token?: string) => `${publicUrl}${path}${token ? `?token=${token}` : ''}`

  /** An account that is gone by the time its mail is due gets none. */
  const reader = async (userId: string): Promise<SessionUser | undefined> => {
    const user = await findUser(db, userId)
    return user?.erased_at ? undefined : user
  }

  return {
    async send_verification({ user_id }) {
      const user = await reader(user_id)
      if (!user || user.email_verified_at) return
      const token = await newEmailToken(db, user, 'verify_email', VERIFY_FOR)
      await mailer.send(
        letter(user, 'Confirm your email address', {
          says: [
            'Welcome to Yardbid. Please confirm that this address is yours, so that we can tell you about bids, payments and collections.',
          ],
          action: { label: 'Confirm email address', url: link('/verify-email', token) },
          ends: 'The link works for 7 days. If you did not sign up, ignore this email.',
        }),
      )
    },

    async send_password_reset({ user_id }) {
      const user = await reader(user_id)
      if (!user) return
      const token = await newEmailToken(db, user, 'reset_password', RESET_FOR)
      await mailer.send(
        letter(user, 'Choose a new password', {
          says: ['Somebody, we hope you, asked for a new password for your Yardbid account.'],
          action: { label: 'Choose a new password', url: link('/reset-password', token) },
          ends: 'The link works once, for 10 minutes. If it was not you, ignore this email: nothing changes.',
        }),
      )
    },

    async send_temporary_password({ user_id }) {
      const user = await reader(user_id)
      if (!user) return
      const password = newTemporaryPassword()
      const password_hash = await passwords.hash(password)
      // sent first: an e-mail that cannot be sent must not leave its reader with a password that nobody knows
      await mailer.send(
        letter(user, 'Your temporary password', {
          says: [
            'We have set a temporary password for your Yardbid account:',
            password,
            'It works once, within 24 hours. You then choose a password of your own.',
          ],
          action: { label: 'Log in', url: link('/login') },
          ends: 'We never ask for your password by telephone or email.',
        }),
      )
      await db.transaction().execute(async (tx) => {
        await updateUser(tx, user_id, {
          password_hash,
          temporary_password_expires_at: sql<Date>`app_now() + ${TEMPORARY_FOR}::interval`,
          temporary_logins_left: 1,
        })
        await endSessionsOf(tx, user_id)
      })
    },

    async send_email_change({ user_id }) {
      const user = await reader(user_id)
      if (!user?.new_email) return
      const asked = { ...user, email: user.new_email }
      const token = await newEmailToken(db, asked, 'change_email', VERIFY_FOR)
      await mailer.send(
        letter(asked, 'Confirm your new email address', {
          says: ['You asked to use this address for your Yardbid account. Until you confirm it, we write to the old one.'],
          action: { label: 'Confirm email address', url: link('/verify-email', token) },
          ends: 'The link works for 7 days. If you did not ask for this, ignore this email: nothing changes.',
        }),
      )
    },

    async send_email_changing({ user_id, old_email, new_email, can_undo }) {
      const user = await reader(user_id)
      if (!user) return
      const old = { ...user, email: old_email }
      const says = [`Somebody, we hope you, asked to use ${new_email} for your Yardbid account. It changes when that address is confirmed.`]
      // whoever reads an address that was never confirmed may be a stranger to the account
      const way = can_undo
        ? { label: 'Keep this address', url: link('/undo-email-change', await newEmailToken(db, old, 'undo_email_change', VERIFY_FOR)) }
        : { label: 'Open Yardbid', url: link('/') }
      const ends = can_undo
        ? 'The link works for 7 days, also after the change. If it was not you, use it, then choose a new password.'
        : 'If it was not you, contact us at once.'
      await mailer.send(letter(old, 'Your email address is being changed', { says, action: way, ends }))
    },

    async send_second_factor_changed({ user_id, enabled }) {
      const user = await reader(user_id)
      if (!user) return
      const says = enabled
        ? 'From now on, logging in to your Yardbid account takes a code of your authenticator app. Keep your recovery codes safe: each gets you in once if you lose the app.'
        : 'Logging in to your Yardbid account no longer takes a code of an authenticator app.'
      await mailer.send(
        letter(user, `Your second factor is ${enabled ? 'on' : 'off'}`, {
          says: [says, 'You were logged out everywhere else.'],
          action: { label: 'Open your account', url: link('/account') },
          ends: 'If it was not you, choose a new password and contact us at once.',
        }),
      )
    },

    async send_account_opened({ user_id }) {
      const user = await reader(user_id)
      if (!user) return
      await mailer.send(
        letter(user, 'Your account is open', {
          says: ['We have checked your account and it is open. Log in to finish setting it up.'],
          action: { label: 'Log in', url: link('/login') },
          ends: 'Welcome to Yardbid.',
        }),
      )
    },
  }
}

async function newEmailToken(db: Db, user: SessionUser, purpose: TokenPurpose, validFor: string): Promise<string> {
  const token = newToken()
  await db
    .insertInto('email_tokens')
    .values({
      token_hash: hashToken(token),
      user_id: user.id,
      purpose,
      email: user.email,
      expires_at: sql`app_now() + ${validFor}::interval`,
    })
    .execute()
  return token
}
