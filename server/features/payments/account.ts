import { sql, type Selectable } from 'kysely'
import type { Stripe } from 'stripe'
import type { PaymentAccount } from '#contract/payments.ts'
import { bareContactNumber } from '#contract/values/contact-number.ts'
import type { Addresses } from '#database/schema.gen.ts'
import { missingInWords } from '#domain/payment-requirements.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { lockUser } from '#server/db/user.ts'
import { callKind, keyFor, nextRead, openCallOf, reserveCall, type Provider } from '#server/features/payments/calls.ts'
import { deleted, leaveProvider, tryLater, type Deletion } from '#server/features/payments/leave.ts'
import { refuse } from '#server/http/errors.ts'
import type { SessionUser } from '#server/http/session.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'
import { look } from '#server/providers/payment.ts'

// The user's account at the provider (Stripe Connect, express): one per user, made by the first who needs it.

export type PaymentDeps = {
  db: Db
  /** Creates and moves things at the payment provider. */
  provider: Provider
  /** Takes the next step of the sales that waited for this user's account. */
  recheckGate: (userId: string) => Promise<unknown>
  config: { publicUrl: string }
}

export const accountCalls = {
  create_account: callKind<Stripe.AccountCreateParams, Stripe.Account>({
    send: (stripe, params, options) => stripe.accounts.create(params, options),
    async settle(tx, { user_id }, account, readNo) {
      if (!user_id) throw new Error('an account is somebody’s')
      // one that is there already stays: nobody is paid into two
      await tx
        .updateTable('users')
        .set({ payment_account_id: account.id })
        .where('id', '=', user_id)
        .where('payment_account_id', 'is', null)
        .execute()
      await writeAccount(tx, account, readNo)
      await leaveProvider(tx, user_id)
    },
    async find(stripe, { user_id, created_at }) {
      const since = Math.floor(created_at.getTime() / 1_000) - 60
      for await (const account of stripe.accounts.list({ created: { gte: since }, limit: 100 }))
        if (account.metadata?.['user_id'] === user_id) return account
      return undefined
    },
  }),

  delete_account: callKind<Deletion, Deletion>({
    send: (stripe, { id }, options) => deleted(id, stripe.accounts.del(id, {}, options)),
    async settle(tx, { user_id }) {
      await tx
        .updateTable('users')
        .set({ payment_account_completed: false, payment_account_verified: false })
        .where('id', '=', user_id)
        .execute()
    },
    giveBack: tryLater,
    find(stripe, { params }) {
      const { id } = params as Deletion
      return deleted(id, stripe.accounts.del(id))
    },
  }),
}

/** Makes the account if there is none yet, however many ask for it at once. */
export async function ensureAccount({ db, provider }: Pick<PaymentDeps, 'db' | 'provider'>, userId: string): Promise<string | undefined> {
  const found = await db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, userId)
    if (!user || user.erased_at) return undefined
    if (user.payment_account_id) return { accountId: user.payment_account_id }
    const open = await openCallOf(tx, userId, ['create_account'])
    if (open) return { callId: open.id }
    const key = await keyFor(tx, `account:${userId}`)
    return {
      callId: await reserveCall(tx, { kind: 'create_account', key, userId, params: newAccount(user, await companyAddressOf(tx, userId)) }),
    }
  })
  if (!found) return undefined
  return 'accountId' in found ? found.accountId : provider.finish(found.callId)
}

/** With everything that the sign-up said: the provider asks for nothing twice. */
function newAccount(user: SessionUser, at: CompanyAddress | undefined): Stripe.AccountCreateParams {
  const isCompany = user.business_type === 'company'
  const phone = ukPhone(user.contact_number)
  const address = at && {
    line1: at.address_line_1,
    ...(at.address_line_2 && { line2: at.address_line_2 }),
    city: at.town,
    postal_code: at.post_code,
    country: 'GB',
  }
  const shared = { ...(phone && { phone }), ...(address && { address }) }
  const [year = 0, month = 0, day = 0] = user.date_of_birth.split('-').map(Number)
  return {
    type: 'express',
    country: 'GB',
    default_currency: 'gbp',
    email: user.email,
    business_type: isCompany ? 'company' : 'individual',
    business_profile: { name: user.company_name },
    ...(isCompany
      ? { company: { name: user.company_name, ...shared } }
      : {
          individual: {
            first_name: user.first_name,
            last_name: user.surname,
            email: user.email,
            dob: { day, month, year },
            ...shared,
          },
        }),
    capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
    metadata: { user_id: user.id },
  }
}

/** '0114 234 5678' as '+441142345678'. A number that the provider would refuse is left for its own form. */
function ukPhone(contactNumber: string): string | undefined {
  const number = bareContactNumber(contactNumber).replace(/^0(?!0)/, '+44')
  return /^\+44[1-9]\d{8,9}$/.test(number) ? number : undefined
}

type CompanyAddress = Pick<Selectable<Addresses>, 'address_line_1' | 'address_line_2' | 'town' | 'post_code'>

const companyAddressOf = (tx: Tx, userId: string): Promise<CompanyAddress | undefined> =>
  tx
    .selectFrom('addresses')
    .select(['address_line_1', 'address_line_2', 'town', 'post_code'])
    .where('user_id', '=', userId)
    .where('is_company_address', '=', true)
    .executeTakeFirst()

/** Stores the account as the provider has it now, and rechecks the sales that waited for it to be verified. */
export async function syncAccount(deps: PaymentDeps, accountId: string): Promise<void> {
  const { db, provider, recheckGate } = deps
  const readNo = await nextRead(db)
  const account = await look(provider.stripe.accounts.retrieve(accountId))
  if (!account) return
  const isNewlyVerified = await db.transaction().execute((tx) => writeAccount(tx, account, readNo))
  for (const userId of isNewlyVerified) await recheckGate(userId)
}

export const isCompleted = (account: Stripe.Account) => account.details_submitted
export const isVerified = (account: Stripe.Account) => account.charges_enabled && account.payouts_enabled

/** Answers who is verified by it and was not before. What was read earlier than what is written changes nothing. */
async function writeAccount(tx: Tx, account: Stripe.Account, readNo: string): Promise<string[]> {
  const holders = await tx
    .selectFrom('users')
    .select(['id', 'payment_account_verified'])
    .where('payment_account_id', '=', account.id)
    .where('payment_account_read', '<', readNo)
    .forUpdate()
    .execute()
  if (holders.length === 0) return []
  const ids = holders.map(({ id }) => id)
  await tx
    .updateTable('users')
    .set({
      payment_account_completed: isCompleted(account),
      payment_account_verified: isVerified(account),
      payment_account_requirements: JSON.stringify(requirementsOf(account)),
      payment_account_read: readNo,
      updated_at: sql`app_now()`,
    })
    .where('id', 'in', ids)
    .execute()
  return isVerified(account) ? holders.flatMap(({ id, payment_account_verified }) => (payment_account_verified ? [] : [id])) : []
}

function requirementsOf({ requirements }: Stripe.Account) {
  const overdue = new Set(requirements?.past_due)
  const asked = new Set([...overdue, ...(requirements?.currently_due ?? [])])
  return [...asked].map((code) => ({ code, is_overdue: overdue.has(code) }))
}

export const presentAccount = (user: SessionUser): PaymentAccount => ({
  account_completed: user.payment_account_completed,
  account_verified: user.payment_account_verified,
  missing: missingInWords(user.payment_account_requirements as { code: string; is_overdue: boolean }[]),
})

/** To the provider's own pages, where the account is completed. */
export async function accountLink(deps: PaymentDeps, userId: string): Promise<string> {
  const { provider, config } = deps
  const account = await ensureAccount(deps, userId)
  if (!account) throw refuse('unauthenticated', 'Please log in.')
  const link = await look(
    provider.stripe.accountLinks.create({
      account,
      type: 'account_onboarding',
      return_url: `${config.publicUrl}/stripe/return`,
      refresh_url: `${config.publicUrl}/stripe/reauth`,
    }),
  )
  if (!link)
    throw refuse('conflict', 'The payment provider does not know your account any more. Please contact us.', {
      code: 'payment_account_missing',
    })
  return link.url
}

/** Into the user's own pages at the provider; they open when the account is completed. */
export async function loginLink({ provider }: Pick<PaymentDeps, 'provider'>, user: SessionUser): Promise<string> {
  if (!user.payment_account_id || !user.payment_account_completed)
    throw refuse('conflict', 'Complete your payment account first.', { code: 'payment_account_incomplete' })
  const link = await look(provider.stripe.accounts.createLoginLink(user.payment_account_id))
  if (!link) throw refuse('conflict', 'Complete your payment account first.', { code: 'payment_account_incomplete' })
  return link.url
}

export function paymentJobs(
  deps: Pick<PaymentDeps, 'db' | 'provider'>,
): Pick<JobHandlers, 'create_payment_account' | 'leave_provider' | 'settle_provider_call'> {
  return {
    async create_payment_account({ user_id }) {
      await ensureAccount(deps, user_id)
    },
    leave_provider: ({ user_id }) => deps.db.transaction().execute((tx) => leaveProvider(tx, user_id)),
    async settle_provider_call({ call_id }) {
      const { outcome } = await deps.provider.make(call_id)
      if (outcome === 'unsure') throw new Error(`the provider's answer to call ${call_id} is still not known`)
    },
  }
}
