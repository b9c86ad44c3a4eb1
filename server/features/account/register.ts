import { sql } from 'kysely'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { registration } from '#contract/account.ts'
import { isCheckedFirst } from '#contract/values/business.ts'
import { MINIMUM_AGE } from '#contract/values/limits.ts'
import { isCommonPassword, isOwnEmail } from '#domain/password.ts'
import { freeTier } from '#domain/subscription.ts'
import { now } from '#server/db/clock.ts'
import type { Db, DbOrTx } from '#server/db/db.ts'
import type { Passwords } from '#server/features/account/passwords.ts'
import { findByEmail, insertAddress, insertUser } from '#server/features/account/queries.ts'
import { refuseField } from '#server/http/errors.ts'
import { keptAnswer, onceIn, slotOf } from '#server/http/idempotency.ts'
import { keptSession, openSession, reopenSession, type KeptSession, type NewSession, type SessionUser } from '#server/http/session.ts'
import { enqueue } from '#server/jobs/queue.ts'

type Registration = z.output<typeof registration>

type Deps = { db: Db; passwords: Passwords }
type SignedUp = { user: SessionUser; session: NewSession | undefined }

/**
 * Signs up, and logs in unless the account is checked first (SPEC §4). A request that is sent again under its key is answered by the
 * account that the first one made.
 */
export async function register(deps: Deps, form: Registration, request: FastifyRequest): Promise<SignedUp> {
  const { db, passwords } = deps
  refuseWeakPassword(form.password, form.email)
  await refuseMinor(db, form.profile.date_of_birth)
  if (await findByEmail(db, form.email)) return answerAgain(deps, form, request)
  const password_hash = await passwords.hash(form.password)

  const signedUp = await db.transaction().execute(async (tx) => {
    const user = await insertUser(tx, {
      email: form.email,
      password_hash,
      first_name: form.first_name,
      surname: form.surname,
      business_type: form.business_type,
      business_activity: form.business_activity ?? null,
      company_name: form.profile.company_name,
      date_of_birth: form.profile.date_of_birth,
      contact_number: form.profile.contact_number,
      vat_number: form.not_vat_registered ? null : (form.vat_number ?? null),
      not_vat_registered: form.not_vat_registered,
      terms_accepted_at: now,
      tier: freeTier(form.business_activity),
      opened_at: isCheckedFirst(form.business_activity) ? null : now,
    })
    if (!user) return undefined
    const { set_default_address, set_company_address, ...address } = form.address
    await insertAddress(tx, {
      ...address,
      user_id: user.id,
      is_default_address: set_default_address,
      is_company_address: set_company_address,
    })
    await enqueue(tx, 'send_verification', { user_id: user.id })
    await enqueue(tx, 'create_payment_account', { user_id: user.id })
    if (user.vat_number) await enqueue(tx, 'check_vat_number', { user_id: user.id })
    const session = user.opened_at ? await openSession(tx, user, DEVICE) : undefined
    await onceIn<KeptSession>(slotFor(request, user.id, form)).remember(tx, keptSession(session))
    return { user, session }
  })
  // another request with this email was quicker: it may be this one, sent twice
  return signedUp ?? answerAgain(deps, form, request)
}

const DEVICE = 'web_app_device'

/** The answer of before, with a session of its own, for whoever sends the key and the password of that sign-up. */
async function answerAgain({ db, passwords }: Deps, form: Registration, request: FastifyRequest): Promise<SignedUp> {
  const user = await findByEmail(db, form.email)
  const earlier = user && (await keptAnswer(db, slotFor(request, user.id, form)))
  if (!earlier || !(await passwords.isOf(user, form.password))) throw emailTaken()
  return { user, session: await db.transaction().execute((tx) => reopenSession(tx, user, DEVICE, earlier.answer as KeptSession)) }
}

const slotFor = (
  request: FastifyRequest,
  userId: string,
  { password: _password, password_confirmation: _confirmation, ...body }: Registration,
) => slotOf({ request, userId, body })

const emailTaken = () => refuseField('email', 'This email already has an account. Log in, or use Forgot password.')

export function refuseWeakPassword(password: string, email: string) {
  if (isCommonPassword(password)) throw refuseField('password', 'This password is one that everybody tries first. Choose another.')
  if (isOwnEmail(password, email)) throw refuseField('password', 'Your email address is not a password. Choose another.')
}

/** By the database's clock, like every other date that decides something. */
export async function refuseMinor(db: DbOrTx, dateOfBirth: string) {
  const { rows } = await sql<{ of_age: boolean }>`
    select ${dateOfBirth}::date <= (app_now() at time zone 'Europe/London')::date - make_interval(years => ${MINIMUM_AGE}) as of_age`.execute(
    db,
  )
  if (!rows[0]?.of_age) throw refuseField('profile.date_of_birth', `You must be at least ${MINIMUM_AGE} to trade here`)
}
