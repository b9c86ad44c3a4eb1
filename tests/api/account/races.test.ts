import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { hashPassword } from '#server/features/account/passwords.ts'
import { goodPassword, linkInMail, signUp, signUpForm } from '#tests/support/people.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

// Two changes of one account at the same moment. The first one is played by a connection of the test, which stops half-way.

let yard: Yard
before(async () => (yard = await openYard()))
after(() => yard.close())

test('a login that replaces a session and a password change wait for each other, and neither fails', async () => {
  const { client, email, id } = await signUp(yard)
  const login = await whileChanging(id, () => client.logIn(email, goodPassword), [`delete from sessions where user_id = $1`])
  assert.equal(login.status, 200)
  assert.equal((await client.get('/api/v1/auth/me')).status, 200)
})

test('a reset by e-mail and a password change wait for each other, and neither fails', async () => {
  const { email, id } = await signUp(yard)
  await yard.client().post('/api/v1/auth/password/reset', { email })
  const token = await linkInMail(yard, email, '/reset-password')
  const password = 'Brass-Swarf-22'
  const reset = () => yard.client().post('/api/v1/auth/password/update', { token, password, password_confirmation: password })
  const answer = await whileChanging(id, reset, [`delete from email_tokens where user_id = $1`])
  assert.deepEqual([answer.status, answer.body.code], [409, 'token_spent'])
})

test('the old password changes no e-mail once a new password is set', async () => {
  const { client, email, id } = await signUp(yard)
  const hash = await hashPassword('Zinc-and-Lead-9')
  const change = () => client.put('/api/v1/auth/me', { email: `mine-${email}`, current_password: goodPassword })
  const answer = await whileChanging(id, change, [`update users set password_hash = '${hash}' where id = $1`])
  assert.equal(answer.status, 409)
  const { rows } = await yard.owner.query('select email from users where id = $1', [id])
  assert.equal(rows[0].email, email)
})

const countOf = async (table: 'users' | 'sessions', where: string, value: string) =>
  (await yard.owner.query(`select from ${table} where ${where}`, [value])).rowCount

for (const isAtOnce of [false, true])
  test(`a sign-up sent again under its key ${isAtOnce ? 'at the same moment' : 'after a lost answer'} makes one account and logs in`, async () => {
    const form = signUpForm()
    const key = { 'idempotency-key': randomUUID() }
    const send = (client = yard.client()) => client.post('/api/v1/auth/register/web', form, key)
    const client = yard.client()
    const answers = isAtOnce ? await Promise.all([send(), send(client)]) : [await send(), await send(client)]
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.data.user.email, body.data.logged_in]),
      answers.map(() => [201, form.email, true]),
    )
    const id = answers[0]?.body.data.user.id
    assert.deepEqual([await countOf('users', 'email = $1', form.email), await countOf('sessions', 'user_id = $1', id)], [1, 1])
    if (!isAtOnce) assert.equal((await client.get('/api/v1/auth/me')).status, 200)
  })

test('a sign-up of an email that is taken is refused without the key, or without the password, of the first', async () => {
  const form = signUpForm()
  const key = { 'idempotency-key': randomUUID() }
  const send = (changes: object, headers: Record<string, string>) =>
    yard.client().post('/api/v1/auth/register/web', { ...form, ...changes }, headers)
  assert.equal((await send({}, key)).status, 201)
  const others = { password: 'Brass-Swarf-22', password_confirmation: 'Brass-Swarf-22' }
  for (const answer of [await send({}, {}), await send({}, { 'idempotency-key': randomUUID() }), await send(others, key)])
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['email']])
  assert.equal((await send({ surname: 'Jones' }, key)).body.code, 'idempotency_key_reused')
})

test('a login sent again under its key spends a temporary password once and leaves one session', async () => {
  const { client: first, email, id } = await signUp(yard)
  await first.post('/auth/logout')
  await yard.owner.query(
    `update users set temporary_password_expires_at = app_now() + interval '1 day', temporary_logins_left = 1 where id = $1`,
    [id],
  )
  const key = { 'idempotency-key': randomUUID() }
  assert.equal((await yard.client().logIn(email, goodPassword, key)).status, 200)
  const client = yard.client()
  assert.equal((await client.logIn(email, goodPassword, key)).status, 200)
  assert.equal(await countOf('sessions', 'user_id = $1', id), 1)
  assert.equal((await yard.client().logIn(email, 'Wrong-pass-1', key)).status, 401, 'the key is no password')
})

test('a key keeps nothing of a password: the same form with another password leaves the same row', async () => {
  const form = signUpForm()
  const keptOf = async (password: string) => {
    const body = { ...form, password, password_confirmation: password }
    const { id } = (await yard.client().post('/api/v1/auth/register/web', body, { 'idempotency-key': 'one' })).body.data.user
    await yard.owner.query(`update users set email = id || email where id = $1`, [id])
    return (await yard.owner.query('select body_hash from idempotent_answers where user_id = $1', [id])).rows
  }
  const [first, second] = [await keptOf(goodPassword), await keptOf('Brass-Swarf-22')]
  assert.equal(first.length, 1)
  assert.deepEqual(first, second)
})

/** Holds the user's row until the request waits for it, then makes the changes that a holder makes. */
async function whileChanging<Answer>(userId: string, request: () => Promise<Answer>, changes: string[]): Promise<Answer> {
  // a job of the sign-up would wait for the user too, and be taken for the request
  await yard.jobsDone()
  const holder = new pg.Client({ connectionString: yard.databaseUrl })
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query('select from users where id = $1 for update', [userId])
    const answer = request()
    while ((await waiting()) === 0) await pause(5)
    for (const change of changes) await holder.query(change, [userId])
    await holder.query('commit')
    return await answer
  } finally {
    await holder.end()
  }
}

const waiting = async () =>
  (await yard.owner.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).rowCount
