import type Stripe from 'stripe'
import { totals } from '#sandbox/stripe/payments/balance.ts'
import { invalid, SandboxError } from '#sandbox/stripe/http/errors.ts'
import { mergeMetadata, type Form } from '#sandbox/stripe/http/form.ts'
import { emptyList, listOf } from '#sandbox/stripe/engine/lists.ts'
import {
  capabilityOf,
  missingOf,
  noRequirements,
  requirementsOf,
  saveOnboarding,
  testAnswers,
  type Answers,
} from '#sandbox/stripe/connect/onboarding.ts'
import { emptyAddress } from '#sandbox/stripe/payments/payment-method-make.ts'
import type { Context, Route, Work } from '#sandbox/stripe/engine/route.ts'
import { newId } from '#sandbox/stripe/engine/store.ts'

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
      const { available, pending } = await totals(context.store.as(id))
      if (available !== 0 || pending !== 0) throw invalid('This account has a balance: pay it out before you delete the account.')
      await context.store.remove('account', id)
      await context.store.remove('hidden.onboarding', id)
      return { id, object: 'account', deleted: true }
    },
  },
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
  const status = old.payouts_enabled ? ('active' as const) : ('inactive' as const)
  changed.capabilities = { ...old.capabilities, ...Object.fromEntries(names.map((name) => [name, status])) }
  const interval = form.child('settings')?.child('payouts')?.child('schedule')?.text('interval')
  if (interval && old.settings?.payouts) {
    const { payouts } = old.settings
    changed.settings = { ...old.settings, payouts: { ...payouts, schedule: { ...payouts.schedule, interval } } }
  }
  form.allow('controller', 'default_currency', 'tos_acceptance', 'account_token')
  return changed
}

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
  }
  return answers
}

type New = { type: Stripe.Account['type']; country: string; email: string | null; answers: Answers }

function blankAccount({ now }: Work, { type, country, email, answers }: New): Stripe.Account {
  const id = newId('acct', 16)
  const due = missingOf(answers)
  return {
    id,
    object: 'account',
    business_profile: {
      annual_revenue: null,
      estimated_worker_count: null,
      mcc: null,
      minority_owned_business_designation: null,
      name: null,
      product_description: answers['business_profile.product_description'] ?? null,
      specified_commercial_transactions_act_url: null,
      support_address: { ...emptyAddress },
      support_email: null,
      support_phone: null,
      support_url: null,
      url: null,
    },
    business_type: answers['business_type'] ?? null,
    capabilities: {},
    charges_enabled: false,
    controller: {
      fees: { payer: 'application_express' },
      is_controller: true,
      losses: { payments: 'application' },
      requirement_collection: 'stripe',
      stripe_dashboard: { type: 'express' },
      type: 'application',
    },
    country,
    created: now,
    default_currency: 'gbp',
    details_submitted: false,
    email,
    external_accounts: emptyList(`/v1/accounts/${id}/external_accounts`),
    future_requirements: noRequirements,
    metadata: {},
    payouts_enabled: false,
    requirements: { ...requirementsOf(answers, 'open'), currently_due: due },
    settings: blankSettings,
    tos_acceptance: { date: null, ip: null, user_agent: null },
    type,
  }
}

const blankSettings: Stripe.Account.Settings = {
  bacs_debit_payments: { display_name: null, service_user_number: null },
  branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
  card_issuing: { tos_acceptance: { date: null, ip: null } },
  card_payments: {
    decline_on: { avs_failure: false, cvc_failure: false },
    statement_descriptor_prefix: null,
    statement_descriptor_prefix_kana: null,
    statement_descriptor_prefix_kanji: null,
  },
  dashboard: { display_name: null, timezone: 'Etc/UTC' },
  invoices: { default_account_tax_ids: null, hosted_payment_method_save: null },
  payments: {
    statement_descriptor: null,
    statement_descriptor_kana: null,
    statement_descriptor_kanji: null,
    statement_descriptor_prefix_kana: null,
    statement_descriptor_prefix_kanji: null,
  },
  payouts: { debit_negative_balances: true, schedule: { delay_days: 2, interval: 'daily' }, statement_descriptor: null },
  sepa_debit_payments: {},
}
