import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { hashPassword } from '#server/features/account/passwords.ts'
import { goodPassword, linkInMail, signUp } from '#tests/support/people.ts'
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

/** Holds the user's row until the request waits for it, then makes the changes that a holder makes. */
async function whileChanging<Answer>(userId: string, request: () => Promise<Answer>, changes: string[]): Promise<Answer> {
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
