import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, test } from 'node:test'
import { newClient, type Client } from '#tests/support/client.ts'
import { demoUser, goodPassword, signUp } from '#tests/support/people.ts'
import { authenticator, enrolled, fromBase32, logInWith, SECOND_FACTOR } from '#tests/support/second-factor.ts'
import { closeSound, openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
before(async () => (yard = await openYard({ demo: true })))
afterEach(() => yard.travel('0 seconds'))
after(() => closeSound(yard))

const logIn = (email: string, otp?: string, client: Client = yard.client()) => logInWith(client, email, goodPassword, otp)
const stateOf = async (client: Client) => (await client.get(SECOND_FACTOR)).body.data
const subjects = async (email: string) => {
  await yard.jobsDone()
  return (await yard.outbox.list(email)).map(({ subject }) => subject).filter((subject) => /second factor/.test(subject))
}

/** Somebody with a second factor, 30 seconds after it was set up: the code of the moment is unused. */
async function newPerson() {
  const person = await signUp(yard)
  const app = await enrolled(yard, person.client)
  await yard.travel('30 seconds')
  return { ...person, app }
}

test('a second factor counts once its first code was sent, and is then asked for at the log-in', async () => {
  const { client, email } = await signUp(yard)
  assert.deepEqual(await stateOf(client), { enabled: false, since: null, required: false, recovery_codes_left: 0 })
  const notBegun = await client.post(`${SECOND_FACTOR}/confirm`, { otp: '123456' })
  assert.deepEqual([notBegun.status, notBegun.body.code], [409, 'second_factor_not_begun'])

  const first = (await client.post(SECOND_FACTOR)).body.data
  const { secret, otpauth_url } = (await client.post(SECOND_FACTOR)).body.data
  assert.notEqual(secret, first.secret)
  assert.equal(fromBase32(secret).length, 20)
  assert.match(otpauth_url, new RegExp(`^otpauth://totp/Yardbid:${encodeURIComponent(email)}\\?secret=${secret}&`))
  assert.equal((await logIn(email)).status, 200)

  const app = authenticator(yard, secret)
  for (const otp of [await authenticator(yard, first.secret).code(), await app.code(-2), 'abcd-efgh-ijkl-mnop']) {
    const wrong = await client.post(`${SECOND_FACTOR}/confirm`, { otp })
    assert.deepEqual([wrong.status, Object.keys(wrong.body.errors)], [422, ['otp']])
  }
  const confirmed = await client.post(`${SECOND_FACTOR}/confirm`, { otp: await app.code() })
  const { recovery_codes } = confirmed.body.data
  assert.deepEqual([confirmed.status, new Set(recovery_codes).size], [200, 10])
  const { since, ...state } = await stateOf(client)
  assert.deepEqual(state, { enabled: true, required: false, recovery_codes_left: 10 })
  assert.ok(since)
  assert.equal((await client.get('/api/v1/auth/me/lite')).body.data.has_second_factor, true)
  assert.deepEqual(await subjects(email), ['Your second factor is on · Yardbid'])

  const asked = await logIn(email)
  assert.deepEqual(
    [asked.status, Object.keys(asked.body.errors), asked.cookies.some((cookie) => cookie.startsWith('sid='))],
    [422, ['otp'], false],
  )
  const again = await client.post(SECOND_FACTOR)
  assert.deepEqual([again.status, again.body.code], [409, 'second_factor_enabled'])
})

test('a wrong password is said before a code is asked for', async () => {
  const { email, app } = await newPerson()
  const { status, body } = await logInWith(yard.client(), email, 'Wrong-pass-1', await app.code())
  assert.deepEqual([status, body.errors], [401, undefined])
})

test('a code works once, one 30 seconds early or late too, none of any other time', async () => {
  const { email, app } = await newPerson()
  assert.equal((await logIn(email, await app.code(2))).status, 422)
  assert.equal((await logIn(email, await app.code())).status, 200)
  assert.equal((await logIn(email, await app.code())).status, 422, 'the same code')
  assert.equal((await logIn(email, await app.code(-1))).status, 422, 'a code before one that was used')
  assert.equal((await logIn(email, await app.code(1))).status, 200)
  const code = await app.code(2)
  await yard.travel('3 minutes')
  assert.equal((await logIn(email, code)).status, 422)
  assert.equal((await logIn(email, ` ${(await app.code()).slice(0, 3)} ${(await app.code()).slice(3)} `)).status, 200, 'with spaces')
})

test('of many log-ins at once with the same code one gets in', async () => {
  const { email, app } = await newPerson()
  const code = await app.code()
  const answers = await Promise.all(Array.from({ length: 5 }, () => logIn(email, code)))
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((one, other) => one - other),
    [200, 422, 422, 422, 422],
  )
})

test('a log-in that is sent again with its idempotency key answers as before, with the code that was used', async () => {
  const { email, app } = await newPerson()
  const otp = await app.code()
  const headers = { 'idempotency-key': randomUUID() }
  const send = () => yard.client().post('/auth/login', { email, password: goodPassword, otp }, headers)
  assert.deepEqual([(await send()).status, (await send()).status], [200, 200])
})

test('each recovery code works once, however it is typed', async () => {
  const { client, email, app } = await newPerson()
  const [first = '', second = ''] = app.recoveryCodes
  assert.match(first, /^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
  assert.equal((await logIn(email, first)).status, 200)
  assert.equal((await logIn(email, first)).status, 422)
  assert.equal((await logIn(email, second.toUpperCase().replaceAll('-', ' '))).status, 200)
  assert.equal((await stateOf(client)).recovery_codes_left, 8)
  const { email: stranger } = await newPerson()
  assert.equal((await logIn(stranger, app.recoveryCodes[2])).status, 422)
})

test('after five wrong codes even the right one waits a quarter of an hour', async () => {
  const { email, app } = await newPerson()
  for (let nth = 0; nth < 5; nth++) assert.equal((await logIn(email, await app.code(5 + nth))).status, 422)
  const stopped = await logIn(email, await app.code())
  assert.equal(stopped.status, 429)
  assert.ok(Number(stopped.headers.get('retry-after')) > 0)
  await yard.travel('16 minutes')
  assert.equal((await logIn(email, await app.code())).status, 200)
})

test('it is switched off by password and code, and an email says so; other sessions end with either change', async () => {
  const { client, email } = await signUp(yard)
  const elsewhere = yard.client()
  await logIn(email, undefined, elsewhere)
  const app = await enrolled(yard, client)
  assert.deepEqual([(await client.get('/api/v1/auth/me')).status, (await elsewhere.get('/api/v1/auth/me')).status], [200, 401])
  await logIn(email, await app.code(1), elsewhere)

  const disable = (password: string, otp: string) => client.post(`${SECOND_FACTOR}/disable`, { password, otp })
  const wrong = await disable('Wrong-pass-1', app.recoveryCodes[0] ?? '')
  assert.deepEqual([wrong.status, Object.keys(wrong.body.errors)], [422, ['password']])
  const noCode = await disable(goodPassword, await app.code(5))
  assert.deepEqual([noCode.status, Object.keys(noCode.body.errors)], [422, ['otp']])
  assert.equal((await disable(goodPassword, app.recoveryCodes[0] ?? '')).status, 200)
  assert.deepEqual([(await client.get('/api/v1/auth/me')).status, (await elsewhere.get('/api/v1/auth/me')).status], [200, 401])
  assert.equal((await logIn(email)).status, 200)
  assert.deepEqual((await subjects(email)).toSorted(), ['Your second factor is off · Yardbid', 'Your second factor is on · Yardbid'])
  assert.equal((await disable(goodPassword, app.recoveryCodes[1] ?? '')).status, 409)
  assert.equal(
    (await yard.owner.query('select from recovery_codes c join users u on u.id = c.user_id where u.email = $1', [email])).rowCount,
    0,
  )
})

test('setting one up asks for the password if it was given a quarter of an hour ago', async () => {
  const { client } = await signUp(yard)
  await yard.travel('16 minutes')
  const refused = await client.post(SECOND_FACTOR)
  assert.deepEqual([refused.status, refused.body.code], [403, 'reauthentication_required'])
  assert.equal((await client.post('/api/v1/auth/reauthenticate', { password: goodPassword })).status, 200)
  assert.equal((await client.post(SECOND_FACTOR)).status, 201)
})

test('neither the log nor the database holds a secret or a recovery code that could be used', async () => {
  const { id, email, app } = await newPerson()
  await logIn(email, app.recoveryCodes[0])
  await yard.jobsDone()
  const bytes = fromBase32(app.secret)
  const { rows } = await yard.owner.query(
    `select f.secret, array_agg(encode(c.code_hash, 'hex')) as codes, (select jsonb_agg(j)::text from jobs j) as jobs
     from second_factors f join recovery_codes c using (user_id) where user_id = $1 group by f.user_id`,
    [id],
  )
  assert.equal((rows[0].secret as Buffer).includes(bytes), false)
  const stored = JSON.stringify([rows, yard.logs, await yard.outbox.list(email)])
  for (const secret of [app.secret, bytes.toString('hex'), bytes.toString('base64'), ...app.recoveryCodes])
    assert.ok(!stored.includes(secret))
})

test('when the server has another secret, codes of the app no longer work and recovery codes do', async () => {
  const { email, app } = await newPerson()
  const { url, stop } = await yard.another({ SESSION_SECRET: 'another secret, of a server that was set up anew' })
  assert.equal((await logIn(email, await app.code(), newClient(url))).status, 422)
  assert.equal((await logIn(email, app.recoveryCodes[0], newClient(url))).status, 200)
  await stop()
})

test('outside the sandbox an admin without a second factor may only enrol, and then work', async () => {
  const { url, stop } = await yard.another({ SANDBOX: '0' })
  for (const name of ['admin2', 'support'] as const) {
    const inSandbox = await demoUser(yard, name)
    assert.equal((await inSandbox.get('/api/v1/admin/coupons')).status, 200)
    const client = newClient(url, Object.fromEntries(inSandbox.cookies))
    const refused = await client.get('/api/v1/admin/coupons')
    assert.deepEqual([refused.status, refused.body.code], [403, 'second_factor_required'])
    assert.equal((await client.get('/api/v1/my-listings')).status, 403)
    assert.equal((await client.get('/api/v1/auth/me')).status, 200)
    assert.equal((await stateOf(client)).required, true)
    await enrolled(yard, client)
    assert.equal((await client.get('/api/v1/admin/coupons')).status, 200)
  }
  const { client } = await signUp(yard)
  assert.equal((await newClient(url, Object.fromEntries(client.cookies)).get('/api/v1/my-listings')).status, 200)
  await stop()
})

test('an erased account has none', async () => {
  const { id, client, app, email } = await newPerson()
  assert.equal((await client.delete('/api/v1/auth/me')).status, 204)
  assert.equal((await logIn(email)).status, 422, 'a deleted account is restored with its code')
  assert.equal((await logIn(email, app.recoveryCodes[0])).status, 200)
  await yard.travel('31 days')
  await yard.jobsDone()
  assert.equal((await yard.owner.query('select from second_factors where user_id = $1', [id])).rowCount, 0)
})
