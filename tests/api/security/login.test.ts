import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { demoPassword } from '#database/demo/users.ts'
import { openDatabase } from '#server/db/db.ts'
import { commandTrail } from '#server/db/audit.ts'
import { actAsAdmin } from '#server/features/account/admin.ts'
import { newClient } from '#tests/support/client.ts'
import { demoUser, goodPassword, linkInMail, signUp, signUpForm } from '#tests/support/people.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

// The security checklist, items 13 to 20: authentication.

let yard: Yard
// every test its own address: the proxy in front is trusted, so X-Forwarded-For is believed
before(async () => (yard = await openYard({ demo: true, env: { TRUST_PROXY: '127.0.0.1' } })))
after(() => yard.close())

/** Done by an administrator; answers the password in the e-mail. */
async function giveTemporaryPassword(at: Yard, email: string): Promise<string> {
  const db = openDatabase(at.databaseUrl, 1)
  await actAsAdmin(db, { act: 'temporary-password', email, reason: '', audit: commandTrail('test') })
  await db.destroy()
  await at.jobsDone()
  const mail = (await at.outbox.list(email)).find(({ subject }) => subject.startsWith('Your temporary password'))
  return /\w{4}-\w{4}-\w{4}-\w{4}/.exec(mail?.text ?? '')?.[0] ?? ''
}

const from = (ip: string) => ({ 'x-forwarded-for': ip })

test('13: an unknown e-mail and a wrong password answer alike, and both pay for one hash', async () => {
  const unknown = await yard.client().logIn('nobody@example.test', 'Wrong-pass-1', from('198.51.100.13'))
  const wrong = await yard.client().logIn('seller@yardbid.test', 'Wrong-pass-1', from('198.51.100.13'))
  assert.equal(unknown.status, 401)
  assert.deepEqual([unknown.status, unknown.body], [wrong.status, wrong.body])
  // that both run the same code is shown in passwords.test.ts: no clock is asserted here
})

test('14: the sixth bad login from one address is a 429 with Retry-After; the owner still gets in from another', async () => {
  const guess = (ip: string) => yard.client().logIn('basic@yardbid.test', 'Wrong-pass-1', from(ip))
  for (let nth = 1; nth <= 5; nth++) assert.equal((await guess('198.51.100.14')).status, 401, `guess ${nth}`)
  const sixth = await guess('198.51.100.14')
  assert.equal(sixth.status, 429)
  const wait = Number(sixth.headers.get('retry-after'))
  assert.ok(wait > 0 && wait <= 900, String(wait))
  assert.equal(
    (await yard.client().logIn('basic@yardbid.test', demoPassword, from('198.51.100.14'))).status,
    429,
    'the right password too, from there',
  )
  assert.equal((await yard.client().logIn('basic@yardbid.test', demoPassword, from('203.0.113.77'))).status, 200)
  const other = await yard.another()
  assert.equal(
    (await newClient(other.url).logIn('basic@yardbid.test', demoPassword, from('198.51.100.14'))).status,
    429,
    'another instance counts along',
  )
})

test('14: a burst of guesses cannot outrun the count', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => yard.client().logIn('rival@yardbid.test', 'Wrong-pass-1', from('198.51.100.15'))),
  )
  assert.equal(answers.filter(({ status }) => status === 401).length, 5)
  assert.equal(answers.filter(({ status }) => status === 429).length, 15)
})

test('14: fifty bad logins stop an address for every account', async () => {
  const answers = []
  for (let nth = 0; nth < 51; nth++)
    answers.push(await yard.client().logIn(`nobody-${nth}@example.test`, 'Wrong-pass-1', from('198.51.100.16')))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [...Array(50).fill(401), 429],
  )
})

test('14: another spelling of the e-mail gives no further guesses', async () => {
  const spellings = ['admin', 'ADMIN', 'ａｄｍｉｎ', 'Admin', 'aDmin', 'adMin']
  const answers = []
  for (const name of spellings) answers.push(await yard.client().logIn(`${name}@yardbid.test`, 'Wrong-pass-1', from('198.51.100.18')))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 401, 401, 401, 401, 429],
  )
  // lower('İ') is 'i' to PostgreSQL and two characters to JavaScript: what is counted apart must not be found
  assert.equal((await yard.client().logIn('admİn@yardbid.test', demoPassword, from('198.51.100.19'))).status, 401)
})

test('15: X-Forwarded-For does not reset the limit unless a trusted proxy says it', async () => {
  const untrusting = await yard.another({ TRUST_PROXY: '10.9.9.9' })
  const answers = []
  for (let nth = 0; nth < 6; nth++)
    answers.push(await newClient(untrusting.url).logIn('trade@yardbid.test', 'Wrong-pass-1', from(`192.0.2.${nth}`)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 401, 401, 401, 401, 429],
  )
})

test('16: forgot password answers alike for a known and an unknown e-mail', async () => {
  const known = await yard.client().post('/api/v1/auth/password/reset', { email: 'seller@yardbid.test' })
  const unknown = await yard.client().post('/api/v1/auth/password/reset', { email: 'nobody@example.test' })
  assert.deepEqual([known.status, known.body], [unknown.status, unknown.body])
  assert.equal(known.body.message, 'Please check your email.')
})

test('16: asking for somebody else’s new password does not stop the owner from asking', async () => {
  const ask = (ip: string) => yard.client().post('/api/v1/auth/password/reset', { email: 'trade@yardbid.test' }, from(ip))
  for (const status of [200, 200, 200, 429]) assert.equal((await ask('198.51.100.20')).status, status)
  assert.equal((await ask('203.0.113.20')).status, 200)
})

test('16: a reset token works once, ends every session, and only its hash is stored', async () => {
  const { client, email } = await signUp(yard)
  await yard.client().post('/api/v1/auth/password/reset', { email }, { host: 'evil.test' })
  const token = await linkInMail(yard, email, '/reset-password')
  // the letter that confirms the address may be sent later: both are due at once
  const mail = (await yard.outbox.list(email)).find(({ text }) => text.includes(token))
  assert.match(mail?.text ?? '', /http:\/\/localhost:3000\/reset-password/)
  assert.ok(!mail?.text.includes('evil.test'), 'the Host header does not reach the link')
  assert.ok(Buffer.from(token, 'base64url').length >= 16)
  assert.equal(await inAnyTable(token), false)

  const body = { token, password: 'Brass-Swarf-22', password_confirmation: 'Brass-Swarf-22' }
  const both = await Promise.all([
    yard.client().post('/api/v1/auth/password/update', body),
    yard.client().post('/api/v1/auth/password/update', body),
  ])
  assert.deepEqual(
    both.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409],
  )
  assert.equal((await yard.client().post('/api/v1/auth/password/update', body)).status, 409)
  assert.equal((await client.get('/api/v1/auth/me')).status, 401)
  assert.equal((await yard.client().logIn(email, 'Brass-Swarf-22')).status, 200)
})

test('17: common passwords, the e-mail and weak ones are refused; long and Unicode ones are kept exactly', async () => {
  const tryWith = (password: string, email?: string) =>
    yard.client().post('/api/v1/auth/register/web', signUpForm({ password, password_confirmation: password, ...(email && { email }) }))
  for (const password of ['Password1!', 'P@ssw0rd!', 'short1!', 'nouppercase1!', 'NOLOWERCASE1!', 'NoNumber!', 'NoSpecial11']) {
    const answer = await tryWith(password)
    assert.equal(answer.status, 422, password)
    assert.ok(answer.body.errors.password, password)
  }
  assert.equal((await tryWith('Own.Mail-1@example.test', 'own.mail-1@example.test')).status, 422)
  assert.equal((await tryWith(`${'x'.repeat(300)}A1!`)).status, 422)
  assert.equal((await tryWith('x'.repeat(1_000_000))).status, 413)

  const long = `Aa1!${'é漢字🏗'.repeat(31)}`
  const { email } = await signUp(yard, { password: long, password_confirmation: long })
  assert.equal((await yard.client().logIn(email, long, from('198.51.100.17'))).status, 200)
  assert.equal((await yard.client().logIn(email, long.slice(0, -1), from('198.51.100.17'))).status, 401)
})

test('18: a temporary password opens nothing but its own replacement', async () => {
  const client = await demoUser(yard, 'temp')
  const allowed = new Set([
    'GET /api/v1/auth/me',
    'GET /api/v1/auth/me/lite',
    'POST /auth/logout',
    'PUT /api/v1/auth/me/password',
    'POST /api/v1/auth/password/update',
  ])
  for (const { method, url, config } of yard.app.routeTable) {
    if (config?.access === 'anyone' || allowed.has(`${String(method)} ${url}`) || method === 'HEAD') continue
    const answer = await client.ask(String(method), url, { ...(method !== 'GET' && { body: {} }) })
    assert.equal(answer.status, 403, `${String(method)} ${url}`)
  }
  assert.equal((await client.get('/api/v1/auth/me')).body.data.is_using_temporary_password, true)
})

test('18: a temporary password is e-mailed, works once within 24 hours, and is replaced without being asked for again', async () => {
  const { client: before, email } = await signUp(yard)
  const password = await giveTemporaryPassword(yard, email)
  assert.equal((await before.get('/api/v1/auth/me')).status, 401, 'sessions of the old password ended')
  assert.equal(await inAnyTable(password), false)

  const client = yard.client()
  assert.equal((await client.logIn(email, password)).body.data.user.is_using_temporary_password, true)
  const again = await yard.client().logIn(email, password)
  assert.deepEqual([again.status, again.body.code], [401, 'temporary_password_spent'])
  const done = await client.post('/api/v1/auth/password/update', { password: 'Nickel-Alloy-31', password_confirmation: 'Nickel-Alloy-31' })
  assert.deepEqual([done.status, done.body.message], [200, 'Successfully updated password'])
  assert.equal((await client.get('/api/v1/auth/me')).body.data.is_using_temporary_password, false)
  assert.equal((await yard.client().logIn(email, 'Nickel-Alloy-31')).status, 200)
})

test('19: a new e-mail needs the current password, and so does a new password', async () => {
  const { client, email } = await signUp(yard)
  const fresh = `new-${email}`
  const without = await client.put('/api/v1/auth/me', { email: fresh })
  assert.deepEqual([without.status, Object.keys(without.body.errors)], [422, ['current_password']])
  assert.equal((await client.put('/api/v1/auth/me', { email: fresh, current_password: 'Wrong-pass-1' })).status, 422)
  const wrong = await client.put('/api/v1/auth/me/password', {
    current_password: 'Wrong-pass-1',
    password: 'Zinc-and-Lead-9',
    password_confirmation: 'Zinc-and-Lead-9',
  })
  assert.deepEqual([wrong.status, Object.keys(wrong.body.errors)], [422, ['current_password']])
  const changed = await client.put('/api/v1/auth/me', { email: fresh, current_password: goodPassword })
  assert.deepEqual([changed.status, changed.body.data.email, changed.body.data.new_email], [200, email, fresh])
  await yard.jobsDone()
  assert.ok(
    (await yard.outbox.list(email)).some(({ subject }) => subject.startsWith('Your email address is being changed')),
    'the old address is told',
  )
})

test('20: passwords are argon2id at m ≥ 19456 and t ≥ 2, however they were set', async () => {
  const strong = await openYard({ demo: true, strongPasswords: true })
  const { client, email } = await signUp(strong)
  const hashes = new Set<string>()
  const look = async () => {
    const { rows } = await strong.owner.query<{ password_hash: string }>('select password_hash from users')
    for (const { password_hash } of rows) {
      const [, m, t] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(password_hash) ?? []
      assert.ok(Number(m) >= 19_456 && Number(t) >= 2, password_hash)
      hashes.add(password_hash)
    }
  }
  await look()
  const before_ = hashes.size
  const password = 'Brass-Swarf-22'
  const changed = await client.put('/api/v1/auth/me/password', {
    current_password: goodPassword,
    password,
    password_confirmation: password,
  })
  assert.equal(changed.status, 200, JSON.stringify(changed.body))
  await look()
  await strong.client().post('/api/v1/auth/password/reset', { email })
  const token = await linkInMail(strong, email, '/reset-password')
  const reset = await strong
    .client()
    .post('/api/v1/auth/password/update', { token, password: goodPassword, password_confirmation: goodPassword })
  assert.equal(reset.status, 200, JSON.stringify(reset.body))
  await look()
  await giveTemporaryPassword(strong, email)
  await look()
  assert.equal(hashes.size, before_ + 3, 'each way made a hash of its own')
  await strong.close()
})

test('20: no token lies in any table', async () => {
  const client = await demoUser(yard, 'seller')
  assert.equal(await inAnyTable(client.cookies.get('sid') ?? ''), false)
  assert.equal(await inAnyTable(demoPassword), false)
  assert.equal(await inAnyTable('seller@yardbid.test'), true, 'the search finds what is there')
})

// last: the clock does not come back
test('16, 18: reset tokens end after 10 minutes, temporary passwords after 24 hours', async () => {
  const { email } = await signUp(yard)
  await yard.client().post('/api/v1/auth/password/reset', { email })
  const token = await linkInMail(yard, email, '/reset-password')
  const { email: other } = await signUp(yard)
  const password = await giveTemporaryPassword(yard, other)

  await yard.travel('11 minutes')
  const late = await yard
    .client()
    .post('/api/v1/auth/password/update', { token, password: 'Brass-Swarf-22', password_confirmation: 'Brass-Swarf-22' })
  assert.deepEqual([late.status, late.body.code], [409, 'token_spent'])
  await yard.travel('25 hours')
  assert.equal((await yard.client().logIn(other, password)).body.code, 'temporary_password_spent')
})

/** Looks through every column of every table. */
async function inAnyTable(text: string): Promise<boolean> {
  const { rows } = await yard.owner.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  )
  for (const { name } of rows) {
    const found = await yard.owner.query(`select from ${name} as r where strpos(row_to_json(r)::text, $1) > 0 limit 1`, [text])
    if (found.rowCount) return true
  }
  return false
}
