import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openDatabase } from '#server/db/db.ts'
import { commandTrail } from '#server/db/audit.ts'
import { actAsAdmin } from '#server/features/account/admin.ts'
import type { Client } from '#tests/support/client.ts'
import { demoUser, goodPassword, linkInMail, signUp, signUpForm } from '#tests/support/people.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
before(async () => (yard = await openYard({ demo: true })))
after(() => yard.close())

const register = (form: unknown) => yard.client().post('/api/v1/auth/register/web', form)

test('a sign-up makes an account, logs in and starts onboarding at its first stage', async () => {
  const { client, email } = await signUp(yard)
  const me = await client.get('/api/v1/auth/me')
  assert.equal(me.status, 200)
  const { data } = me.body
  assert.equal(data.email, email)
  assert.equal(data.onboarded, false)
  assert.deepEqual(data.onboarding.step, { stage: 0, subscription_page: 0 })
  assert.deepEqual(data.subscription, {
    tier: 'basic',
    status: null,
    trial_ends_at: null,
    stripe: { account_completed: false, account_verified: false, account_needs_more: false },
  })
  assert.equal(data.profile.date_of_birth, '1985-05-20')
  assert.equal(data.company_address.post_code, 'M1 4BT')
  assert.equal(data.vat_number, 'GB123456789')
  assert.equal(Object.keys(data.permissions).length, 13)
  assert.equal((await client.get('/api/v1/auth/me/default-address')).body.data.town, 'Manchester')
})

for (const [typed, stored] of [
  ['+44 114 234 5678', '+441142345678'],
  ['+44 (0)114 234 5678', '+441142345678'],
  ['(0114) 234-5678', '01142345678'],
  [' 0114 234 56 ', null],
] as const)
  test(`the contact number '${typed}' is counted without its spaces and ${stored ? 'stored whole' : 'refused'}`, async () => {
    const form = signUpForm()
    const client = yard.client()
    const answer = await client.post('/api/v1/auth/register/web', { ...form, profile: { ...form.profile, contact_number: typed } })
    if (!stored) return assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['profile.contact_number']])
    assert.equal((await client.get('/api/v1/auth/me')).body.data.profile.contact_number, stored)
  })

test('a trade starts as tier seller, a merchant as basic', async () => {
  const tierOf = async (business_activity: string) =>
    (await (await signUp(yard, { business_activity })).client.get('/api/v1/auth/me')).body.data.subscription.tier
  assert.equal(await tierOf('plumber'), 'seller')
  assert.equal(await tierOf('demolition'), 'basic')
})

for (const business_activity of ['scrap_metal_collector', 'waste_collector']) {
  test(`a ${business_activity} is not logged in by signing up, and gets in when the account is opened`, async () => {
    const client = yard.client()
    const form = signUpForm({ business_activity })
    const answer = await client.post('/api/v1/auth/register/web', form)
    assert.deepEqual([answer.status, answer.body.data.logged_in], [201, false])
    assert.equal((await client.get('/api/v1/auth/me')).status, 401)
    const early = await client.logIn(form.email, goodPassword)
    assert.deepEqual([early.status, early.body.code], [403, 'account_under_review'])
    const db = openDatabase(yard.databaseUrl, 1)
    await actAsAdmin(db, { act: 'open', email: form.email, reason: 'licence seen', audit: commandTrail('test') })
    await db.destroy()
    await yard.jobsDone()
    assert.ok((await yard.outbox.list(form.email)).some(({ subject }) => subject.startsWith('Your account is open')))
    assert.equal((await client.logIn(form.email, goodPassword)).status, 200)
  })
}

test('an empty sign-up names every required field by the keys of SPEC §5', async () => {
  const { status, body } = await register({ address: {}, profile: {} })
  assert.equal(status, 422)
  for (const key of [
    'first_name',
    'surname',
    'business_type',
    'profile.date_of_birth',
    'profile.company_name',
    'profile.contact_number',
    'profile.terms_accepted',
    'email',
    'password',
    'password_confirmation',
    'vat_number',
    'address.address_line_1',
    'address.town',
    'address.post_code',
    'address.latitude',
    'address.longitude',
  ]) {
    assert.ok(body.errors[key]?.length > 0, key)
  }
})

const profile = (changes: object) => ({ profile: { ...signUpForm().profile, ...changes } })
const address = (changes: object) => ({ address: { ...signUpForm().address, ...changes } })

const refusals: [string, object, string][] = [
  ['a contact number of 9 characters', profile({ contact_number: '016149600' }), 'profile.contact_number'],
  ['a contact number of 14 characters', profile({ contact_number: '01614960000000' }), 'profile.contact_number'],
  ['letters in the contact number', profile({ contact_number: '0161call-me' }), 'profile.contact_number'],
  ['terms not accepted', profile({ terms_accepted: false }), 'profile.terms_accepted'],
  ['a birthday in the future', profile({ date_of_birth: '2190-01-01' }), 'profile.date_of_birth'],
  ['a child', profile({ date_of_birth: `${new Date().getFullYear() - 10}-01-01` }), 'profile.date_of_birth'],
  ['a year that does not exist', profile({ date_of_birth: '0000-01-01' }), 'profile.date_of_birth'],
  ['somebody born before 1900', profile({ date_of_birth: '1899-12-31' }), 'profile.date_of_birth'],
  ['a day that does not exist', profile({ date_of_birth: '1985-02-30' }), 'profile.date_of_birth'],
  ['an empty company name', profile({ company_name: '   ' }), 'profile.company_name'],
  ['a blank first name', { first_name: ' ' }, 'first_name'],
  ['a name that turns the text round', { surname: 'Smith\u202etxt.exe' }, 'surname'],
  ['an e-mail without a domain', { email: 'jo@' }, 'email'],
  ['an unknown business type', { business_type: 'charity' }, 'business_type'],
  ['an unknown activity', { business_activity: 'pirate' }, 'business_activity'],
  ['two passwords that differ', { password_confirmation: 'Copper-Bright-8' }, 'password_confirmation'],
  ['no VAT number and no tick', { vat_number: null }, 'vat_number'],
  ['an empty VAT number and no tick', { vat_number: '' }, 'vat_number'],
  ['a VAT number of seven digits', { vat_number: 'GB1234567' }, 'vat_number'],
  ['a postcode of another country', address({ post_code: '75008' }), 'address.post_code'],
  ['a place outside the UK', address({ latitude: 48.85, longitude: 2.35 }), 'address.latitude'],
  ['an address without a town', address({ town: '' }), 'address.town'],
]

for (const [what, changes, field] of refusals) {
  test(`sign-up refuses ${what} under ${field}`, async () => {
    const { status, body } = await register(signUpForm(changes as Record<string, unknown>))
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body.errors), [field])
  })
}

const kept: [string, object][] = [
  ['not VAT registered', { vat_number: null, not_vat_registered: true }],
  ['not VAT registered with the field left out', { vat_number: undefined, not_vat_registered: true }],
  ['a VAT number with spaces and without the country', { vat_number: '123 4567 89' }],
  ['a contact number of 10 characters', profile({ contact_number: '0161496000' })],
  ['a contact number of 13 characters', profile({ contact_number: '+441614960000' })],
  ['no activity', { business_activity: undefined }],
  ['an individual', { business_type: 'individual' }],
  ['a postcode without its space', address({ post_code: 'm14bt' })],
]

for (const [what, changes] of kept) {
  test(`sign-up takes ${what}`, async () => assert.equal((await register(signUpForm(changes as Record<string, unknown>))).status, 201))
}

test('an e-mail is one account, whatever its case or look-alike letters, under many sign-ups at once', async () => {
  const email = 'race@example.test'
  const spellings = [email, 'RACE@example.test', 'Race@Example.TEST', 'ｒａｃｅ@example.test']
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, nth) => register(signUpForm({ email: spellings[nth % spellings.length] }))),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  const others = answers.filter(({ status }) => status !== 201)
  assert.ok(others.every(({ status, body }) => status === 422 && body.errors.email))
  const { rows } = await yard.owner.query(`select count(*)::int as accounts from users where lower(email) like 'race@%'`)
  assert.equal(rows[0].accounts, 1)
})

test('the e-mail address is confirmed by the link that was sent to it, also when it is followed twice', async () => {
  const { client, email } = await signUp(yard)
  const token = await linkInMail(yard, email, '/verify-email')
  assert.equal((await client.get('/api/v1/auth/me')).body.data.email_verified, false)
  for (const _time of [1, 2]) assert.equal((await yard.client().get(`/api/v1/auth/verify-email?token=${token}`)).status, 200)
  assert.equal((await client.get('/api/v1/auth/me')).body.data.email_verified, true)
  assert.equal((await yard.client().get('/api/v1/auth/verify-email?token=nonsense')).status, 409)
  assert.equal((await client.post('/api/v1/auth/verify-email')).status, 409, 'nothing to send again')
})

const changeEmail = (client: Client, email: string) => client.put('/api/v1/auth/me', { email, current_password: goodPassword })
const follow = (token: string) => yard.client().get(`/api/v1/auth/verify-email?token=${token}`)

async function confirmed() {
  const person = await signUp(yard)
  await follow(await linkInMail(yard, person.email, '/verify-email'))
  return person
}

test('a new email takes over when it is confirmed, not before; until then the old one logs in', async () => {
  const { client, email } = await confirmed()
  const fresh = `new-${email}`
  const asked = await changeEmail(client, fresh)
  assert.deepEqual(
    [asked.status, asked.body.data.email, asked.body.data.email_verified, asked.body.data.new_email],
    [200, email, true, fresh],
  )
  assert.equal((await yard.client().logIn(fresh, goodPassword)).status, 401)
  assert.equal((await yard.client().logIn(email, goodPassword)).status, 200)
  const token = await linkInMail(yard, fresh, '/verify-email')
  for (const _time of [1, 2]) assert.equal((await follow(token)).status, 200)
  const { data } = (await client.get('/api/v1/auth/me')).body
  assert.deepEqual([data.email, data.email_verified, data.new_email], [fresh, true, null])
  assert.equal((await yard.client().logIn(email, goodPassword)).status, 401)
})

test('the old address is told of the change and takes it back, before it is confirmed and after', async () => {
  for (const isConfirmed of [false, true]) {
    const { client, email } = await confirmed()
    const fresh = `new-${email}`
    await changeEmail(client, fresh)
    const forward = await linkInMail(yard, fresh, '/verify-email')
    if (isConfirmed) assert.equal((await follow(forward)).status, 200)
    const token = await linkInMail(yard, email, '/undo-email-change')
    const undo = () => yard.client().post('/api/v1/auth/undo-email-change', { token })
    assert.equal((await undo()).status, 200)
    assert.equal((await client.get('/api/v1/auth/me')).status, 401, 'whoever changed it is logged out')
    assert.equal((await follow(forward)).status, 409)
    assert.equal((await undo()).status, 409)
    const again = await yard.client().logIn(email, goodPassword)
    assert.deepEqual([again.status, again.body.data.user.email_verified], [200, true])
  }
})

test('an address that was never confirmed is told of the change, and gets no way to take the account', async () => {
  const { client, email } = await signUp(yard)
  await changeEmail(client, `new-${email}`)
  await yard.jobsDone()
  const told = (await yard.outbox.list(email)).filter(({ subject }) => subject.startsWith('Your email address is being changed'))
  assert.equal(told.length, 1)
  assert.doesNotMatch(told[0]?.text ?? '', /undo-email-change/)
})

test('a change of email is called off by giving the old address again, and its link is then worth nothing', async () => {
  const { client, email } = await confirmed()
  await changeEmail(client, `new-${email}`)
  const token = await linkInMail(yard, `new-${email}`, '/verify-email')
  const { body } = await client.put('/api/v1/auth/me', { email })
  assert.deepEqual([body.data.email, body.data.new_email], [email, null])
  assert.equal((await follow(token)).status, 409)
})

test('an address that somebody else has meanwhile is not taken over by the link', async () => {
  const { client, email } = await confirmed()
  await changeEmail(client, `new-${email}`)
  const token = await linkInMail(yard, `new-${email}`, '/verify-email')
  await signUp(yard, { email: `new-${email}` })
  assert.deepEqual([(await follow(token)).status, (await client.get('/api/v1/auth/me')).body.data.email], [409, email])
})

test('five changes of email a day per user, and three a day to one target, from whomever', async () => {
  const { client, email } = await confirmed()
  const answers = []
  for (let nth = 0; nth < 7; nth++) answers.push((await changeEmail(client, `${nth}-${email}`)).status)
  assert.deepEqual(answers, [200, 200, 200, 200, 200, 429, 429])
  const victim = `victim-${email}`
  const others = []
  for (let nth = 0; nth < 5; nth++) others.push((await changeEmail((await signUp(yard)).client, victim)).status)
  assert.deepEqual(others, [200, 200, 200, 429, 429])
  await yard.jobsDone()
  assert.equal((await yard.outbox.list(victim)).length, 3)
})

for (const [field, value] of [
  ['first_name', 'Win £500 at http://evil.test'],
  ['surname', 'jo@evil.test'],
  ['company_name', 'Free money: www.evil.test'],
  ['company_name', 'evil.com/prize'],
] as const)
  test(`a ${field} with a link or an email is refused: '${value}'`, async () => {
    const isCompany = field === 'company_name'
    const key = isCompany ? 'profile.company_name' : field
    const form = signUpForm()
    const signedUp = await register(
      isCompany ? { ...form, profile: { ...form.profile, company_name: value } } : { ...form, [field]: value },
    )
    assert.deepEqual([signedUp.status, Object.keys(signedUp.body.errors)], [422, [key]])
    const { client } = await signUp(yard)
    const changed = await client.put('/api/v1/auth/me', isCompany ? { profile: { company_name: value } } : { [field]: value })
    assert.deepEqual([changed.status, Object.keys(changed.body.errors)], [422, [key]])
  })

test('names with dots and initials are names', async () => {
  await signUp(yard, {
    first_name: 'J.R.',
    surname: "St.John-O'Hara",
    profile: { ...signUpForm().profile, company_name: 'A.B. Smith & Co. Ltd' },
  })
})

test('the profile changes by what is given and keeps the rest', async () => {
  const { client } = await signUp(yard)
  const { body } = await client.put('/api/v1/auth/me', { surname: 'Jones', profile: { company_name: 'Jones & Daughters' } })
  assert.deepEqual(
    [body.data.first_name, body.data.surname, body.data.company_name, body.data.profile.contact_number],
    ['Jo', 'Jones', 'Jones & Daughters', '01614960000'],
  )
  const vat = await client.put('/api/v1/auth/me', { not_vat_registered: true })
  assert.deepEqual([vat.body.data.vat_number, vat.body.data.not_vat_registered], [null, true])
  assert.equal((await client.put('/api/v1/auth/me', { not_vat_registered: false })).status, 422)
  assert.equal(
    (await client.put('/api/v1/auth/me', { not_vat_registered: false, vat_number: 'GB987654321' })).body.data.vat_number,
    'GB987654321',
  )
})

test('an e-mail that another account has is refused when the profile changes', async () => {
  const { client } = await signUp(yard)
  const answer = await client.put('/api/v1/auth/me', { email: 'SELLER@yardbid.test', current_password: goodPassword })
  assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['email']])
})

test('the company address is replaced; the default address stays unless it is asked for', async () => {
  const { client, id } = await signUp(yard)
  const next = {
    ...signUpForm().address,
    address_line_1: '5 Canal Road',
    town: 'Leeds',
    post_code: 'ls1 4ap',
    latitude: 53.79,
    longitude: -1.54,
    set_default_address: false,
  }
  const answer = await client.put('/api/v1/auth/me/company-address', next)
  assert.deepEqual([answer.status, answer.body.data.post_code], [200, 'LS1 4AP'])
  assert.equal((await client.get('/api/v1/auth/me')).body.data.company_address.town, 'Leeds')
  assert.equal((await client.get('/api/v1/auth/me/default-address')).body.data.town, 'Manchester')
  await client.put('/api/v1/auth/me/company-address', { ...next, set_default_address: true })
  assert.equal((await client.get('/api/v1/auth/me/default-address')).body.data.town, 'Leeds')
  const { rowCount } = await yard.owner.query('select from addresses where user_id = $1', [id])
  assert.equal(rowCount, 1, 'addresses that nothing uses are gone')
})

test('many changes of the company address at once all succeed, and one address stays', async () => {
  const { client, id } = await signUp(yard)
  const answers = await Promise.all(Array.from({ length: 12 }, () => client.put('/api/v1/auth/me/company-address', signUpForm().address)))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const { rowCount } = await yard.owner.query('select from addresses where user_id = $1', [id])
  assert.equal(rowCount, 1)
})

test('a user without a default address has none', async () => {
  const { client } = await signUp(yard, address({ set_default_address: false }))
  assert.equal((await client.get('/api/v1/auth/me/default-address')).body.data, null)
})

test('the five demo sides are set up as the demo says', async () => {
  const tierOf = async (name: 'seller' | 'basic' | 'trade' | 'new') =>
    (await (await demoUser(yard, name)).get('/api/v1/auth/me/lite?isWebRequest=1')).body.data
  assert.deepEqual([(await tierOf('seller')).subscription.tier, (await tierOf('seller')).onboarded], ['full', true])
  assert.equal((await tierOf('basic')).subscription.tier, 'basic')
  assert.equal((await tierOf('trade')).permissions.market_view_enquiry.enabled, false)
  assert.equal((await tierOf('new')).onboarded, false)
})

test('a changed tier counts at the next request, in the open session too', async () => {
  const { client, id } = await signUp(yard)
  assert.equal((await client.get('/api/v1/auth/me')).body.data.permissions.auction_bid.enabled, false)
  await yard.owner.query(`update users set tier = 'full' where id = $1`, [id])
  assert.equal((await client.get('/api/v1/auth/me')).body.data.permissions.auction_bid.enabled, true)
})

test('a trailing slash changes nothing', async () => {
  const { client } = await signUp(yard)
  assert.equal((await client.get('/api/v1/auth/me/')).status, 200)
})

test('two password changes at once: one wins, the other is told', async () => {
  const { client, email } = await signUp(yard)
  const change = (password: string) =>
    client.put('/api/v1/auth/me/password', { current_password: goodPassword, password, password_confirmation: password })
  const answers = await Promise.all([change('Zinc-and-Lead-1'), change('Zinc-and-Lead-2')])
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.ok(answers.every(({ status }) => [200, 401, 409, 419].includes(status)))
  const works = await Promise.all(['Zinc-and-Lead-1', 'Zinc-and-Lead-2'].map((password) => yard.client().logIn(email, password)))
  assert.equal(works.filter(({ status }) => status === 200).length, 1)
})
