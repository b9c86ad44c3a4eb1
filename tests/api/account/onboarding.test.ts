import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '#tests/support/client.ts'
import { demoUser, signUp } from '#tests/support/people.ts'
import { closeSound, openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
before(async () => (yard = await openYard({ demo: true })))
after(() => closeSound(yard))

const move = (client: Client, stage: unknown) => client.post('/api/v1/auth/onboard-user', { stage })
const stageOf = async (client: Client) => (await client.get('/api/v1/auth/me/lite')).body.data.onboarding.step
const stages = [0, 1, 2, 3, 4, null]

for (const from of stages) {
  test(`from stage ${from} every other one can be set directly, and set again`, async () => {
    const { client } = await signUp(yard)
    for (const to of stages) {
      assert.equal((await move(client, from)).status, 200)
      for (let nth = 0; nth < 2; nth++) {
        const { status, body } = await move(client, to)
        const step = to === null ? null : { stage: to, subscription_page: to }
        assert.deepEqual([status, body.data.onboarding.step], [200, step])
        assert.equal(body.data.onboarded, false, 'the payment account is still to be completed')
      }
    }
  })

  test(`dismissing the benefits at stage ${from} leads to ${from === 2 ? 3 : from}, however often`, async () => {
    const { client } = await signUp(yard)
    await move(client, from)
    const answers = await Promise.all(Array.from({ length: 5 }, () => client.post('/api/v1/auth/me/dismiss-benefits')))
    for (const { status } of answers) assert.equal(status, 200)
    assert.equal((await stageOf(client))?.stage ?? null, from === 2 ? 3 : from)
  })
}

test('onboarding is complete when the payment account is completed and the step is null', async () => {
  const { client, id } = await signUp(yard)
  await move(client, null)
  assert.equal((await client.get('/api/v1/auth/me')).body.data.onboarded, false)
  // whatever the sign-up has set off is over: from now on nobody else says how far the account is
  await yard.jobsDone()
  await yard.owner.query('update users set payment_account_completed = true where id = $1', [id])
  assert.equal((await client.get('/api/v1/auth/me')).body.data.onboarded, true)
  assert.equal((await move(client, 2)).body.data.onboarded, false)
  assert.equal((await move(client, null)).body.data.onboarded, true)
})

for (const stage of [-1, 5, 2.5, '2', true, {}, undefined]) {
  test(`${JSON.stringify(stage) ?? 'no stage'} is no stage`, async () => {
    const { client } = await signUp(yard)
    const { status, body } = await client.post('/api/v1/auth/onboard-user', { stage })
    assert.deepEqual([status, Object.keys(body.errors)], [422, ['stage']])
    assert.equal((await stageOf(client)).stage, 0)
  })
}

test('nobody moves for a visitor, nor with a field that is not known', async () => {
  const visitor = yard.client()
  assert.equal((await move(visitor, 1)).status, 401)
  assert.equal((await visitor.post('/api/v1/auth/me/dismiss-benefits')).status, 401)
  assert.equal((await visitor.get('/api/v1/onboarding/profile')).status, 401)
  assert.equal((await visitor.post('/api/v1/onboarding/profile', {})).status, 401)
  const { client } = await signUp(yard)
  assert.equal((await client.post('/api/v1/auth/onboard-user', { stage: 1, user_id: 'x' })).status, 422)
})

const address = {
  address_line_1: 'Unit 2, Feeder Road',
  address_line_2: null,
  town: 'Bristol',
  county: 'England',
  country: null,
  post_code: 'BS2 0TQ',
  latitude: 51.4475,
  longitude: -2.5688,
}
const whole = {
  activities: ['demolition', 'skip_hire', 'waste_collector'],
  company_number: '01234567',
  sites: [
    { name: 'Main yard', address },
    { name: 'Weighbridge', address: { ...address, address_line_1: '9 Jersey Street', town: 'Manchester', post_code: 'M4 6JA' } },
  ],
  licence_number: 'SMD/2031',
  licence_council: 'Bristol City Council',
  licence_expires_at: '2035-03-31',
  waste_carrier_number: 'CBDU123456',
}
const save = (client: Client, changes: Record<string, unknown> = {}) => client.post('/api/v1/onboarding/profile', { ...whole, ...changes })

test('the profile starts with the activity of the sign-up, and keeps what is saved, the main activity first', async () => {
  const client = await demoUser(yard, 'new')
  const empty = (await client.get('/api/v1/onboarding/profile')).body.data
  assert.deepEqual([empty.activities, empty.sites, empty.company_number, empty.licence_expires_at], [['demolition'], [], null, null])

  const { status, body } = await save(client, { activities: ['skip_hire', 'demolition'] })
  assert.equal(status, 200, JSON.stringify(body))
  // the last day counts to its end, by London's clock: summer time has begun
  assert.deepEqual(body.data, { ...whole, activities: ['skip_hire', 'demolition'], licence_expires_at: '2035-03-31T23:00:00.000Z' })
  assert.deepEqual((await client.get('/api/v1/onboarding/profile')).body, body)
  assert.equal((await client.get('/api/v1/auth/me/lite')).body.data.business_activity, 'skip_hire')

  await save(client, { sites: whole.sites.slice(1), company_number: '', licence_expires_at: '' })
  const after = (await client.get('/api/v1/onboarding/profile')).body.data
  assert.deepEqual([after.sites, after.company_number, after.licence_expires_at], [whole.sites.slice(1), null, null])
})

test('everything but the activity may be left out', async () => {
  const { client } = await signUp(yard)
  const { status, body } = await client.post('/api/v1/onboarding/profile', { activities: ['broker'] })
  assert.equal(status, 200)
  assert.deepEqual(body.data, {
    activities: ['broker'],
    company_number: null,
    sites: [],
    licence_number: null,
    licence_council: null,
    licence_expires_at: null,
    waste_carrier_number: null,
  })
})

const companyNumbers: [typed: string, kept: string | null][] = [
  ['01234567', '01234567'],
  ['1234567', '01234567'],
  ['123456', '00123456'],
  [' 0123 4567 ', '01234567'],
  ['sc123456', 'SC123456'],
  ['NI012345', 'NI012345'],
  ['OC301234', 'OC301234'],
  ['R0000123', 'R0000123'],
  ['IP12345R', 'IP12345R'],
  ['12345', null],
  ['123456789', null],
  ['S1234567', null],
  ['ABCDEFGH', null],
  ['SC12345', null],
  ['0123456７', null],
]
for (const [typed, kept] of companyNumbers) {
  test(`the company number '${typed}' is ${kept ? `kept as ${kept}` : 'refused under its field'}`, async () => {
    const { client } = await signUp(yard)
    const { status, body } = await save(client, { company_number: typed })
    if (kept) assert.deepEqual([status, body.data.company_number], [200, kept])
    else
      assert.deepEqual(
        [status, Object.keys(body.errors), /Companies House/.test(body.errors.company_number)],
        [422, ['company_number'], true],
      )
  })
}

const wrong: [string, Record<string, unknown>, string[]][] = [
  ['no activity', { activities: [] }, ['activities']],
  ['an activity that does not exist', { activities: ['piracy'] }, ['activities.0']],
  ['an activity twice', { activities: ['broker', 'broker'] }, ['activities']],
  ['a site without a name', { sites: [{ name: ' ', address }] }, ['sites.0.name']],
  [
    'a site outside the UK',
    { sites: [{ name: 'Calais', address: { ...address, post_code: '62100', latitude: 48 } }] },
    ['sites.0.address.post_code', 'sites.0.address.latitude'],
  ],
  ['eleven sites', { sites: Array.from({ length: 11 }, () => whole.sites[0]) }, ['sites']],
  ['a licence that has expired', { licence_expires_at: '2020-01-01' }, ['licence_expires_at']],
  ['a day that does not exist', { licence_expires_at: '2035-02-30' }, ['licence_expires_at']],
  ['a day beyond the century', { licence_expires_at: '9999-12-31' }, ['licence_expires_at']],
  ['a licence number beyond all measure', { licence_number: 'x'.repeat(61) }, ['licence_number']],
  ['a waste carrier number that is none', { waste_carrier_number: '<b>1</b>' }, ['waste_carrier_number']],
  ['several at once', { company_number: '1', waste_carrier_number: '?' }, ['company_number', 'waste_carrier_number']],
  ['a field that is not known', { tier: 'full' }, ['tier']],
]
for (const [what, changes, fields] of wrong) {
  test(`${what} is refused under its field, and nothing is saved`, async () => {
    const { client } = await signUp(yard)
    const { status, body } = await save(client, changes)
    assert.deepEqual([status, Object.keys(body.errors)], [422, fields], JSON.stringify(body))
    assert.deepEqual((await client.get('/api/v1/onboarding/profile')).body.data.sites, [])
  })
}

test('without a subscription the tier follows the main activity; with one it stays', async () => {
  const { client, id } = await signUp(yard)
  const tierOf = async () => (await client.get('/api/v1/auth/me/lite')).body.data.subscription.tier
  await save(client, { activities: ['electrician', 'broker'] })
  assert.equal(await tierOf(), 'seller')
  await save(client, { activities: ['broker', 'electrician'] })
  assert.equal(await tierOf(), 'basic')
  await yard.owner.query(`update users set tier = 'full' where id = $1`, [id])
  await save(client, { activities: ['electrician'] })
  assert.equal(await tierOf(), 'full')
})

test('what somebody says of their licence does not let them bid', async () => {
  const { client, id } = await signUp(yard)
  await save(client)
  const { rows } = await yard.owner.query('select licence_status, licence_expires_at from users where id = $1', [id])
  assert.deepEqual(rows, [{ licence_status: 'none', licence_expires_at: null }])
})

test('many saves at once leave one profile with the sites of one of them', async () => {
  const { client } = await signUp(yard)
  const counts = [1, 2, 3, 4, 5, 6]
  const answers = await Promise.all(
    counts.map((count) => save(client, { licence_number: `No ${count}`, sites: Array.from({ length: count }, () => whole.sites[0]) })),
  )
  for (const { status } of answers) assert.equal(status, 200)
  const { licence_number, sites } = (await client.get('/api/v1/onboarding/profile')).body.data
  assert.equal(licence_number, `No ${sites.length}`)
})
