import type Stripe from 'stripe'
import type { Work } from '#sandbox/stripe/engine/route.ts'
import { newId } from '#sandbox/stripe/engine/store.ts'

export type Answers = Record<string, string>
export type Verification = 'open' | 'verified' | 'refused'

const person = [
  'first_name',
  'last_name',
  'dob.day',
  'dob.month',
  'dob.year',
  'email',
  'phone',
  'address.line1',
  'address.city',
  'address.postal_code',
]
const always = ['business_profile.product_description', 'business_type', 'external_account', 'tos_acceptance.date', 'tos_acceptance.ip']
const company = ['company.name', 'company.tax_id', 'company.address.line1', 'company.address.city', 'company.address.postal_code']

/** What Stripe asks of a UK account, in its words: more of a company than of a sole trader. */
export function askedOf({ business_type }: Answers): string[] {
  if (business_type === 'company') return [...always, ...company, ...person.map((field) => `representative.${field}`)].sort()
  const who = business_type === 'individual' ? 'individual' : 'representative'
  return [...always, ...person.map((field) => `${who}.${field}`)].sort()
}

export const missingOf = (answers: Answers) => askedOf(answers).filter((name) => !answers[name])

export const DOCUMENT = 'individual.verification.document'

export const testAnswers = (given: Answers): Answers => {
  const type = given['business_type'] ?? 'individual'
  const samples: Answers = {
    first_name: 'Jenny',
    last_name: 'Rosen',
    'dob.day': '1',
    'dob.month': '1',
    'dob.year': '1980',
    email: 'jenny@yardbid.test',
    phone: '+442079460000',
    'address.line1': '1 Foundry Lane',
    'address.city': 'Sheffield',
    'address.postal_code': 'S3 8UD',
    'company.name': 'Rosen Metals Ltd',
    'company.tax_id': '00000000',
    'company.address.line1': '1 Foundry Lane',
    'company.address.city': 'Sheffield',
    'company.address.postal_code': 'S3 8UD',
    'business_profile.product_description': 'Scrap metal and goods',
    external_account: '108800 00012345',
    business_type: type,
  }
  const sample = (name: string) => samples[name] ?? samples[name.replace(/^(individual|representative)\./, '')] ?? '1'
  return { ...Object.fromEntries(askedOf({ business_type: type }).map((name) => [name, sample(name)])), ...given }
}

/** Writes what is known about an account now, and everything that follows from it. */
export async function saveOnboarding(
  work: Work,
  account: Stripe.Account,
  answers: Answers,
  verification: Verification,
): Promise<Stripe.Account> {
  const { store, emit, now } = work
  await store.put('hidden.onboarding', { id: account.id, answers, verification })
  const isRejected = account.requirements?.disabled_reason?.startsWith('rejected.') ?? false
  const isVerified = verification === 'verified' && !isRejected
  const isSubmitted = verification !== 'open'
  const status = isVerified ? 'active' : 'inactive'
  const capabilities = Object.fromEntries(Object.keys(account.capabilities ?? {}).map((name) => [name, status]))
  const changed = await store.put('account', {
    ...account,
    business_type: answers['business_type'] ?? null,
    business_profile: account.business_profile && {
      ...account.business_profile,
      name: answers['company.name'] ?? account.business_profile.name,
      product_description: answers['business_profile.product_description'] ?? null,
    },
    capabilities,
    charges_enabled: isVerified && 'card_payments' in capabilities,
    payouts_enabled: isVerified && answers['external_account'] !== undefined,
    details_submitted: isSubmitted,
    external_accounts: bankList(account, answers),
    requirements: isRejected ? account.requirements : requirementsOf(answers, verification),
    tos_acceptance: { date: isSubmitted ? (account.tos_acceptance?.date ?? now) : null, ip: null, user_agent: null },
  })
  await emit('account.updated', changed, { account: changed.id })
  if (Object.values(account.capabilities ?? {}).some((before) => before !== status)) {
    for (const name of Object.keys(capabilities)) await emit('capability.updated', capabilityOf(changed, name), { account: changed.id })
  }
  return changed
}

/** The bank sent a payout back: nothing is paid out before another bank account is named. Transfers still arrive. */
export async function disableBank(work: Work, account: Stripe.Account): Promise<void> {
  const platform = { ...work, store: work.store.as('') }
  const [bank] = account.external_accounts?.data ?? []
  if (!account.external_accounts || bank?.object !== 'bank_account') return
  const errored = { ...bank, status: 'errored' as const }
  await work.emit('account.external_account.updated', errored, { account: account.id })
  const { answers = {}, verification = 'open' } = (await platform.store.get('hidden.onboarding', account.id)) ?? {}
  const { external_account: _, ...others } = answers
  const external_accounts = { ...account.external_accounts, data: [errored] }
  await saveOnboarding(platform, { ...account, external_accounts }, others, verification)
}

export const noRequirements: Stripe.Account.Requirements & Stripe.Capability.Requirements = {
  alternatives: [],
  current_deadline: null,
  currently_due: [],
  disabled_reason: null,
  errors: [],
  eventually_due: [],
  past_due: [],
  pending_verification: [],
}

export function requirementsOf(answers: Answers, verification: Verification): typeof noRequirements {
  const due = verification === 'refused' ? [DOCUMENT] : missingOf(answers)
  if (verification === 'verified' && due.length === 0) return noRequirements
  const reason =
    'The identity information you entered cannot be verified. Please correct any errors or upload a document that matches the identity fields.'
  const errors = verification === 'refused' ? [{ code: 'verification_failed_keyed_identity' as const, reason, requirement: DOCUMENT }] : []
  return { ...noRequirements, currently_due: due, eventually_due: due, past_due: due, errors, disabled_reason: 'requirements.past_due' }
}

export const capabilityOf = (account: Stripe.Account, name: string): Stripe.Capability => ({
  id: name,
  object: 'capability',
  account: account.id,
  future_requirements: noRequirements,
  requested: name in (account.capabilities ?? {}),
  requested_at: account.created ?? null,
  requirements: { ...noRequirements, ...(account.requirements as typeof noRequirements | undefined) },
  status: Object.entries(account.capabilities ?? {}).some(([one, status]) => one === name && status === 'active') ? 'active' : 'inactive',
})

function bankList(account: Stripe.Account, { external_account }: Answers): Stripe.ApiList<Stripe.ExternalAccount> {
  const old = account.external_accounts ?? {
    object: 'list' as const,
    data: [],
    has_more: false,
    url: `/v1/accounts/${account.id}/external_accounts`,
  }
  const [sortCode = '', number = ''] = external_account?.split(' ') ?? []
  const first = old.data[0]
  if (!number || (first?.object === 'bank_account' && first.last4 === number.slice(-4) && first.status !== 'errored')) return old
  return { ...old, data: [bankAccount(account, sortCode, number)] }
}

const bankAccount = (account: Stripe.Account, sortCode: string, number: string): Stripe.BankAccount => ({
  id: newId('ba'),
  object: 'bank_account',
  account: account.id,
  account_holder_name: null,
  account_holder_type: null,
  account_type: null,
  available_payout_methods: ['standard'],
  bank_name: 'STRIPE TEST BANK',
  country: 'GB',
  currency: 'gbp',
  default_for_currency: true,
  fingerprint: newId('x', 15).slice(2),
  last4: number.slice(-4),
  metadata: {},
  routing_number: sortCode,
  status: 'new',
})
