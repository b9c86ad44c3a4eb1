import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type Stripe from 'stripe'
import { openFilesSandbox } from '#tests/support/payments/stripe.ts'

const { ear, sandbox, stripe } = await openFilesSandbox()
beforeEach(() => sandbox.travel('0'))

const newAccount = (more: Stripe.AccountCreateParams = {}) =>
  stripe.accounts.create({
    type: 'express',
    country: 'GB',
    email: 'seller@yardbid.test',
    capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
    ...more,
  })

const linkTo = async (account: string) =>
  stripe.accountLinks.create({
    account,
    type: 'account_onboarding',
    refresh_url: 'https://yardbid.test/stripe/reauth',
    return_url: 'https://yardbid.test/stripe/return',
  })

const visit = (url: string) => fetch(url, { redirect: 'manual' })
const answer = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })

const details = {
  business_type: 'individual',
  product_description: 'Copper',
  first_name: 'Jo',
  last_name: 'Yard',
  dob: '1980-02-01',
  email: 'jo@yardbid.test',
  phone: '+442079460000',
  line1: '1 Canal Road',
  city: 'Leeds',
  postal_code: 'LS1 1AA',
  sort_code: '10-88-00',
  account_number: '00012345',
  tos: '1',
}

const stateOf = ({ details_submitted, charges_enabled, payouts_enabled, capabilities }: Stripe.Account) => [
  details_submitted,
  charges_enabled,
  payouts_enabled,
  capabilities?.card_payments,
  capabilities?.transfers,
]
const OPEN = [false, false, false, 'inactive', 'inactive']
const VERIFIED = [true, true, true, 'active', 'active']
const REFUSED = [true, false, false, 'inactive', 'inactive']

test('a new account says what it still needs, in the words of Stripe', async () => {
  const account = await newAccount()
  assert.match(account.id, /^acct_\w{16}$/)
  assert.deepEqual(stateOf(account), OPEN)
  const due = account.requirements?.currently_due ?? []
  for (const name of ['business_type', 'external_account', 'representative.dob.day', 'tos_acceptance.date'])
    assert.ok(due.includes(name), name)
  assert.equal(account.requirements?.disabled_reason, 'requirements.past_due')
})

test('what the platform knows already is not asked again', async () => {
  const { requirements } = await newAccount({ business_type: 'individual', individual: { first_name: 'Jo', last_name: 'Yard' } })
  const due = requirements?.currently_due ?? []
  assert.ok(!due.includes('individual.first_name') && !due.includes('business_type') && due.includes('individual.dob.day'))
})

test('a person completes the hosted page and returns; the account is verified and the platform told', async () => {
  const { id } = await newAccount()
  const { url, expires_at, created } = await linkTo(id)
  assert.equal(expires_at - created, 300)
  const page = await visit(url)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /Your payment account[\s\S]*Bank account[\s\S]*Finish/)
  ear.heard.length = 0
  const done = await answer(url, { ...details, action: 'finish' })
  assert.deepEqual([done.status, done.headers.get('location')], [303, 'https://yardbid.test/stripe/return'])
  const account = await stripe.accounts.retrieve(id)
  assert.deepEqual(stateOf(account), VERIFIED)
  assert.deepEqual(account.requirements?.currently_due, [])
  assert.equal(account.external_accounts?.data[0]?.last4, '2345')
  await sandbox.settled()
  const events = ear.heard.map(({ body }) => JSON.parse(body) as Stripe.Event)
  assert.ok(events.some(({ type, account }) => type === 'account.updated' && account === id))
})

test('someone may leave it unfinished, and finds what was filled in', async () => {
  const { id } = await newAccount()
  const { url } = await linkTo(id)
  await visit(url)
  const left = await answer(url, { business_type: 'individual', first_name: 'Jo "Cu" Yard', action: 'later' })
  assert.equal(left.headers.get('location'), 'https://yardbid.test/stripe/return')
  const account = await stripe.accounts.retrieve(id)
  assert.deepEqual(stateOf(account), OPEN)
  assert.ok(!account.requirements?.currently_due?.includes('individual.first_name'))
  const again = await linkTo(id)
  assert.match(await (await visit(again.url)).text(), /value="Jo &quot;Cu&quot; Yard"/)
})

test('finishing with something missing shows the page again and says what', async () => {
  const { id } = await newAccount()
  const { url } = await linkTo(id)
  await visit(url)
  const { account_number, ...most } = details
  const page = await answer(url, { ...most, action: 'finish' })
  assert.match(await page.text(), /Some details are still missing[\s\S]*<li>Bank account<\/li>/)
  assert.deepEqual(stateOf(await stripe.accounts.retrieve(id)), OPEN)
  assert.equal((await answer(url, { ...details, account_number, action: 'finish' })).status, 303)
})

test('a company is asked for its name and number too', async () => {
  const { id } = await newAccount()
  const { url } = await linkTo(id)
  await visit(url)
  assert.match(await (await answer(url, { ...details, business_type: 'company', action: 'finish' })).text(), /<li>Company name<\/li>/)
  await answer(url, { ...details, business_type: 'company', company_name: 'Jo Metals Ltd', company_tax_id: '00000000', action: 'finish' })
  const account = await stripe.accounts.retrieve(id)
  assert.deepEqual([account.business_type, account.business_profile?.name, ...stateOf(account)], ['company', 'Jo Metals Ltd', ...VERIFIED])
})

test('who is not verified is asked for a document, and is verified with it', async () => {
  const { id } = await newAccount()
  const first = await linkTo(id)
  await visit(first.url)
  await answer(first.url, { action: 'refuse' })
  const refused = await stripe.accounts.retrieve(id)
  assert.deepEqual(stateOf(refused), REFUSED)
  assert.deepEqual(refused.requirements?.currently_due, ['individual.verification.document'])
  assert.equal(refused.requirements?.errors?.[0]?.code, 'verification_failed_keyed_identity')
  const second = await linkTo(id)
  assert.match(await (await visit(second.url)).text(), /Proof of identity/)
  assert.equal((await answer(second.url, { action: 'finish' })).status, 200)
  assert.equal((await answer(second.url, { document: '1', action: 'finish' })).status, 303)
  assert.deepEqual(stateOf(await stripe.accounts.retrieve(id)), VERIFIED)
})

test('a link works once; the second visit goes to the refresh address', async () => {
  const { url } = await linkTo((await newAccount()).id)
  assert.equal((await visit(url)).status, 200)
  const second = await visit(url)
  assert.deepEqual([second.status, second.headers.get('location')], [303, 'https://yardbid.test/stripe/reauth'])
})

test('a link that is five minutes old goes to the refresh address, and one of four minutes does not', async () => {
  const { id } = await newAccount()
  const [early, late] = [await linkTo(id), await linkTo(id)]
  await sandbox.travel('4 minutes')
  assert.equal((await visit(early.url)).status, 200)
  await sandbox.travel('5 minutes 1 second')
  assert.equal((await visit(late.url)).headers.get('location'), 'https://yardbid.test/stripe/reauth')
  assert.equal((await answer(late.url, { action: 'test' })).headers.get('location'), 'https://yardbid.test/stripe/reauth')
  assert.deepEqual(stateOf(await stripe.accounts.retrieve(id)), OPEN, 'a page that was never opened cannot be sent')
})

test('a link that never was is a page that says so', async () => {
  const answer = await visit(`${sandbox.url}/sandbox/connect/nothing`)
  assert.equal(answer.status, 404)
  assert.match(await answer.text(), /ask for a new link/)
})

test('tests complete an account with one call, and take it back with another', async () => {
  const { id } = await newAccount()
  assert.deepEqual(stateOf((await sandbox.call('POST', `/sandbox/accounts/${id}/complete`)).body), VERIFIED)
  assert.deepEqual(stateOf((await sandbox.call('POST', `/sandbox/accounts/${id}/unverify`)).body), REFUSED)
  assert.deepEqual(stateOf((await sandbox.call('POST', `/sandbox/accounts/${id}/complete`)).body), VERIFIED)
})

test('a login link shows the balance and the payouts, once, and only to whom has finished', async () => {
  const { id } = await newAccount()
  await assert.rejects(stripe.accounts.createLoginLink(id), /has not completed onboarding/)
  await sandbox.call('POST', `/sandbox/accounts/${id}/complete`)
  await stripe.paymentIntents.create({
    amount: 90_000,
    currency: 'gbp',
    payment_method: 'pm_card_bypassPending',
    allowed_payment_method_types: ['card'],
    confirm: true,
  })
  await stripe.transfers.create({ amount: 12_345, currency: 'gbp', destination: id })
  await stripe.payouts.create({ amount: 345, currency: 'gbp' }, { stripeAccount: id })
  const { url } = await stripe.accounts.createLoginLink(id)
  assert.match(await (await visit(url)).text(), /£120\.00[\s\S]*Payouts[\s\S]*pending<\/td><td>£3\.45/)
  assert.equal((await visit(url)).status, 404)
})

test('an account is changed and deleted, and then nobody has access to it', async () => {
  const { id } = await newAccount({ metadata: { user: '1' } })
  const changed = await stripe.accounts.update(id, { email: 'new@yardbid.test', metadata: { plan: 'full' } })
  assert.deepEqual([changed.email, changed.metadata], ['new@yardbid.test', { user: '1', plan: 'full' }])
  await stripe.accounts.del(id)
  await assert.rejects(stripe.accounts.retrieve(id), { type: 'StripePermissionError', code: 'account_invalid' })
})
