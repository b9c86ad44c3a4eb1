import type Stripe from 'stripe'
import { totals } from '#sandbox/stripe/payments/balance.ts'
import { invalid, missingParam, SandboxError } from '#sandbox/stripe/http/errors.ts'
import { mergeMetadata, type Form } from '#sandbox/stripe/http/form.ts'
import { emptyList, listOf } from '#sandbox/stripe/engine/lists.ts'
import { capabilityOf, noRequirements, saveOnboarding, testAnswers, type Answers } from '#sandbox/stripe/connect/onboarding.ts'
import { blankAccount } from '#sandbox/stripe/connect/blank-account.ts'
import type { Context, Route } from '#sandbox/stripe/engine/route.ts'

export const accountRoutes: Route[] = [
  { method: 'POST', path: '/v1/accounts', handle: createAccount },
  { method: 'GET', path: '/v1/accounts', handle: (context) => listOf(context, 'account') },
  { method: 'GET', path: '/v1/accounts/:id', handle: needAccount },
  {
    method: 'POST',
    path: '/v1/accounts/:id',
    handle: async (context) => {
      const account = await needAccount(context)
      const { answers = {}, verification = 'open' } = (await context.store.get('hidden.onboarding', account.id)) ?? {}
      return saveOnboarding(
        context,
        { ...account, ...fields(context.form, account) },
        { ...answers, ...prefilled(context.form) },
        verification,
      )
    },
  },
  {
    method: 'DELETE',
    path: '/v1/accounts/:id',
    handle: async (context): Promise<Stripe.DeletedAccount> => {
      const { id } = await needAccount(context)
      // the provider deletes test accounts with any balance, but live ones with none alone: the sandbox does as the latter
      const { available, pending } = await totals(context.store.as(id))
      if (available !== 0 || pending !== 0) throw invalid('This account has a balance: pay it out before you delete the account.')
      await context.store.remove('account', id)
      await context.store.remove('hidden.onboarding', id)
      return { id, object: 'account', deleted: true }
    },
  },
  { method: 'POST', path: '/v1/accounts/:id/reject', handle: rejectAccount },
  {
    method: 'GET',
    path: '/v1/accounts/:id/capabilities',
    handle: async (context) => {
      const account = await needAccount(context)
      const data = Object.keys(account.capabilities ?? {}).map((name) => capabilityOf(account, name))
      return { ...emptyList<Stripe.Capability>(context.url.pathname), data }
    },
  },
  {
    method: 'GET',
    path: '/v1/accounts/:id/capabilities/:capability',
    handle: async (context) => capabilityOf(await needAccount(context), context.params['capability'] ?? ''),
  },
  {
    method: 'POST',
    path: '/sandbox/accounts/:id/complete',
    access: 'open',
    handle: async (context) => {
      const { answers = {} } = (await context.store.get('hidden.onboarding', context.params['id'] ?? '')) ?? {}
      return saveOnboarding(context, await needAccount(context), testAnswers(answers), 'verified')
    },
  },
  {
    method: 'POST',
    path: '/sandbox/accounts/:id/unverify',
    access: 'open',
    handle: async (context) => {
      const { answers = {} } = (await context.store.get('hidden.onboarding', context.params['id'] ?? '')) ?? {}
      return saveOnboarding(context, await needAccount(context), testAnswers(answers), 'refused')
    },
  },
]

async function needAccount({ store, params }: Context): Promise<Stripe.Account> {
  const id = params['id'] ?? ''
  const account = await store.get('account', id)
  if (account) return account
  const message = `The provided key 'sk_test_***' does not have access to account '${id}' (or that account does not exist). Application access may have been revoked.`
  throw new SandboxError(403, { type: 'invalid_request_error', code: 'account_invalid', message })
}

const REJECTIONS = {
  fraud_payment_method_casher: 'rejected.platform_fraud',
  fraud_payment_method_tester: 'rejected.platform_fraud',
  fraud_no_intent_to_fulfill: 'rejected.platform_fraud',
  fraud_other: 'rejected.platform_fraud',
  credit: 'rejected.platform_other',
  terms_of_service: 'rejected.platform_terms_of_service',
  other: 'rejected.platform_other',
} as const

/** The platform wants nothing more to do with an account. */
async function rejectAccount(context: Context): Promise<Stripe.Account> {
  const { form, store } = context
  const account = await needAccount(context)
  const reason = form.oneOf('reason', Object.keys(REJECTIONS) as (keyof typeof REJECTIONS)[])
  if (!reason) throw missingParam('reason')
  const { answers = {}, verification = 'open' } = (await store.get('hidden.onboarding', account.id)) ?? {}
  const requirements = { ...noRequirements, disabled_reason: REJECTIONS[reason] }
  return saveOnboarding(context, { ...account, requirements }, answers, verification)
}

async function createAccount(context: Context): Promise<Stripe.Account> {
  const { store, form } = context
  const type = form.oneOf('type', ['express', 'custom', 'standard'] as const) ?? (form.has('controller') ? 'none' : 'standard')
  const answers = prefilled(form)
  const blank = blankAccount(context, { type, country: form.text('country') ?? 'GB', email: form.text('email') ?? null, answers })
  const account = await store.put('account', { ...blank, ...fields(form, blank) })
  await store.put('hidden.onboarding', { id: account.id, answers, verification: 'open' })
  return account
}

function fields(form: Form, old: Stripe.Account): Partial<Stripe.Account> {
  const changed: Partial<Stripe.Account> = { metadata: mergeMetadata(old.metadata, form.map('metadata')) }
  const email = form.nullable('email')
  if (email !== undefined) changed.email = email
  const profile = form.child('business_profile')
  if (profile && old.business_profile) {
    const given = (['mcc', 'name', 'product_description', 'support_email', 'support_phone', 'support_url', 'url'] as const).flatMap(
      (name) => (profile.has(name) ? [[name, profile.nullable(name)]] : []),
    )
    changed.business_profile = { ...old.business_profile, ...Object.fromEntries(given) }
  }
  const wanted = form.child('capabilities')
  const names = (['card_payments', 'transfers', 'gb_bank_transfer_payments'] as const).filter((name) =>
    wanted?.child(name)?.flag('requested'),
  )
  const isActive = old.payouts_enabled || Object.values(old.capabilities ?? {}).includes('active')
  const status = isActive ? ('active' as const) : ('inactive' as const)
  changed.capabilities = { ...old.capabilities, ...Object.fromEntries(names.map((name) => [name, status])) }
  const interval = form.child('settings')?.child('payouts')?.child('schedule')?.text('interval')
  if (interval && old.settings?.payouts) {
    const { payouts } = old.settings
    changed.settings = { ...old.settings, payouts: { ...payouts, schedule: { ...payouts.schedule, interval } } }
  }
  form.allow('controller', 'default_currency', 'tos_acceptance', 'account_token')
  return changed
}

// details of a person, a company or an address that the sandbox's onboarding never asks for
const UNASKED = ['line2', 'country', 'state', 'phone', 'title', 'structure', 'registration_number', 'vat_id', 'id_number']

/** What the platform knows already needs no asking. */
function prefilled(form: Form): Answers {
  const answers: Answers = {}
  const type = form.oneOf('business_type', ['company', 'individual', 'non_profit'] as const)
  if (type) answers['business_type'] = type
  const who = type === 'individual' || !type ? 'individual' : 'representative'
  const sections: [from: Form | undefined, into: string, names: string[]][] = [
    [form.child('business_profile'), 'business_profile', ['product_description']],
    [form.child('individual'), who, ['first_name', 'last_name', 'email', 'phone']],
    [form.child('individual')?.child('address'), `${who}.address`, ['line1', 'city', 'postal_code']],
    [form.child('individual')?.child('dob'), `${who}.dob`, ['day', 'month', 'year']],
    [form.child('company'), 'company', ['name', 'tax_id']],
    [form.child('company')?.child('address'), 'company.address', ['line1', 'city', 'postal_code']],
  ]
  for (const [from, into, names] of sections) {
    for (const name of names) {
      const value = from?.text(name)
      if (value) answers[`${into}.${name}`] = value
    }
    from?.allow(...UNASKED)
  }
  return answers
}
