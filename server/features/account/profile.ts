import { sql } from 'kysely'
import type { z } from 'zod'
import type { accountEndpoints } from '#contract/account.ts'
import { freeTier } from '#domain/subscription.ts'
import type { Db } from '#server/db/db.ts'
import { lockUser } from '#server/db/user.ts'
import { changedElsewhere } from '#server/features/account/change-password.ts'
import { allowNewEmail, enqueueEmailChange } from '#server/features/account/email.ts'
import { insertAddress, updateUser } from '#server/features/account/queries.ts'
import { refuseMinor } from '#server/features/account/register.ts'
import { tellCustomer } from '#server/features/payments/public.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import { refuse, refuseField } from '#server/http/errors.ts'
import type { SessionUser } from '#server/http/session.ts'
import { enqueue } from '#server/jobs/queue.ts'

type ProfileForm = z.output<(typeof accountEndpoints)['PUT /api/v1/auth/me']['body']>
type Deps = { db: Db; readSetting: ReadSetting }
type AddressForm = z.output<(typeof accountEndpoints)['PUT /api/v1/auth/me/company-address']['body']>

export async function updateProfile({ db, readSetting }: Deps, user: SessionUser, form: ProfileForm): Promise<SessionUser> {
  const { email, current_password, profile, vat_number, not_vat_registered, ...names } = form
  const isNewEmail = email !== undefined && email !== user.email
  if (isNewEmail) await allowNewEmail({ db, readSetting }, user, { email, password: current_password })
  if (profile?.date_of_birth) await refuseMinor(db, profile.date_of_birth)

  return db.transaction().execute(async (tx) => {
    // a new password ends whatever the old one was allowed to do, also a moment ago
    if (isNewEmail && (await lockUser(tx, user.id))?.password_hash !== user.password_hash) throw changedElsewhere()
    const updated = await updateUser(tx, user.id, {
      ...names,
      ...profile,
      ...vatOf(user, { vat_number, not_vat_registered }),
      // the free tier follows the trade (RULES §2); a subscription stands above it
      ...(names.business_activity && {
        tier: sql<string>`case when tier = 'full' then tier else ${freeTier(names.business_activity)} end`,
      }),
      // the old address stays in force until the new one is confirmed; given again, it calls the change off
      ...(email !== undefined && { new_email: isNewEmail ? email : null }),
    })
    if (!updated) throw refuse('unauthenticated', 'Please log in.')
    await tellCustomer(tx, updated)
    if (isNewEmail) await enqueueEmailChange(tx, updated)
    if (updated.vat_number && updated.vat_number !== user.vat_number) await enqueue(tx, 'check_vat_number', { user_id: user.id })
    return updated
  })
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
