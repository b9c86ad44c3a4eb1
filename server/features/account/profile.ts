import { sql } from 'kysely'
import type { z } from 'zod'
import type { accountEndpoints } from '#contract/account.ts'
import { freeTier } from '#domain/subscription.ts'
import { now } from '#server/db/clock.ts'
import type { Db } from '#server/db/db.ts'
import { lockUser } from '#server/db/user.ts'
import { changedElsewhere, confirmCurrentPassword } from '#server/features/account/change-password.ts'
import { findByEmail, findUser, insertAddress, updateUser, useEmailToken } from '#server/features/account/queries.ts'
import { refuseMinor } from '#server/features/account/register.ts'
import { tellCustomer } from '#server/features/payments/public.ts'
import { refuse, refuseField } from '#server/http/errors.ts'
import { hashToken, type SessionUser } from '#server/http/session.ts'
import { enqueue } from '#server/jobs/queue.ts'

type ProfileForm = z.output<(typeof accountEndpoints)['PUT /api/v1/auth/me']['body']>
type AddressForm = z.output<(typeof accountEndpoints)['PUT /api/v1/auth/me/company-address']['body']>

export async function updateProfile(db: Db, user: SessionUser, form: ProfileForm): Promise<SessionUser> {
  const { email, current_password, profile, vat_number, not_vat_registered, ...names } = form
  const emailChanges = email !== undefined && email !== user.email
  if (emailChanges) await allowNewEmail(db, user, email, current_password)
  if (profile?.date_of_birth) await refuseMinor(db, profile.date_of_birth)

  return db.transaction().execute(async (tx) => {
    // a new password ends whatever the old one was allowed to do, also a moment ago
    if (emailChanges && (await lockUser(tx, user.id))?.password_hash !== user.password_hash) throw changedElsewhere()
    const updated = await updateUser(tx, user.id, {
      ...names,
      ...profile,
      ...vatOf(user, { vat_number, not_vat_registered }),
      // the free tier follows the trade (RULES §2); a subscription stands above it
      ...(names.business_activity && {
        tier: sql<string>`case when tier = 'full' then tier else ${freeTier(names.business_activity)} end`,
      }),
      ...(emailChanges && { email, email_verified_at: null }),
    }).catch(asEmailTaken)
    if (!updated) throw refuse('unauthenticated', 'Please log in.')
    await tellCustomer(tx, updated)
    if (emailChanges) {
      await enqueue(tx, 'send_verification', { user_id: user.id })
      await enqueue(tx, 'send_email_changed', { user_id: user.id, old_email: user.email })
    }
    if (updated.vat_number && updated.vat_number !== user.vat_number) await enqueue(tx, 'check_vat_number', { user_id: user.id })
    return updated
  })
}

async function allowNewEmail(db: Db, user: SessionUser, email: string, currentPassword: string | undefined) {
  if (!currentPassword) throw refuseField('current_password', 'Enter your current password to change your email')
  await confirmCurrentPassword(db, user, currentPassword)
  const holder = await findByEmail(db, email)
  if (holder && holder.id !== user.id) throw refuseField('email', 'This email already has an account')
}

function asEmailTaken(error: unknown): never {
  const isTaken = (error as { constraint?: string }).constraint === 'users_email'
  throw isTaken ? refuseField('email', 'This email already has an account') : error
}

function vatOf(user: SessionUser, given: Pick<ProfileForm, 'vat_number' | 'not_vat_registered'>) {
  if (given.vat_number === undefined && given.not_vat_registered === undefined) return {}
  const not_vat_registered = given.not_vat_registered ?? (given.vat_number ? false : user.not_vat_registered)
  const vat_number = not_vat_registered ? null : given.vat_number === undefined ? user.vat_number : given.vat_number
  if (!vat_number && !not_vat_registered) throw refuseField('vat_number', "VAT number is required unless you tick 'Not VAT registered'")
  return { vat_number, not_vat_registered, ...(vat_number !== user.vat_number && { vat_status: 'unchecked' }) }
}

export const updateCompanyAddress = (db: Db, user: SessionUser, { set_default_address, set_company_address, ...fields }: AddressForm) =>
  db
    .transaction()
    .execute((tx) =>
      insertAddress(tx, { ...fields, user_id: user.id, is_default_address: set_default_address, is_company_address: set_company_address }),
    )

/** Safe to follow twice, as mail programs do before their reader: a used link for an address that is verified says so. */
export async function verifyEmail(db: Db, token: string): Promise<string> {
  const tokenHash = hashToken(token)
  const verified = await db.transaction().execute(async (tx) => {
    const used = await useEmailToken(tx, tokenHash, 'verify_email')
    const user = used && (await findUser(tx, used.user_id))
    if (!user || user.email !== used.email) return undefined
    await updateUser(tx, user.id, { email_verified_at: now })
    return user.email
  })
  if (verified) return 'Your email address is confirmed.'
  const earlier = await db
    .selectFrom('email_tokens')
    .innerJoin('users', 'users.id', 'email_tokens.user_id')
    .select('users.id')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', 'verify_email')
    .where('used_at', 'is not', null)
    .where('email_verified_at', 'is not', null)
    .whereRef('users.email', '=', 'email_tokens.email')
    .executeTakeFirst()
  if (earlier) return 'Your email address is confirmed.'
  throw refuse('conflict', 'This link has expired or belongs to another address. Ask for a new one in your account.', {
    code: 'token_spent',
  })
}
