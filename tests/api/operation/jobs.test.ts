import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { openDatabase } from '#server/db/db.ts'
import { commandTrail } from '#server/db/audit.ts'
import { actAsAdmin } from '#server/features/account/admin.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { smtpMailer } from '#server/providers/mail.ts'
import { goodPassword, signUp } from '#tests/support/people.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

const received: Email[] = []
let refuseNext = 0
let takeOver: (() => Promise<unknown>) | undefined
/** While there is a list, whoever is to be written to waits in it. */
let held: { address: string; release: () => void }[] | undefined
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo: async ({ address }, _session, done) => {
    await new Promise<void>((release) => (held ? held.push({ address, release }) : release()))
    await takeOver?.()
    takeOver = undefined
    return refuseNext-- > 0 ? done(new Error('try later')) : done()
  },
  onData: async (stream, _session, done) => {
    received.push(await PostalMime.parse(await buffer(stream)))
    done()
  },
})

let yard: Yard
before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  yard = await openYard({ mailer: smtpMailer({ url: `smtp://127.0.0.1:${port}`, from: 'Yardbid <no-reply@yardbid.test>' }) })
})
after(async () => {
  await yard.close()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})

test('a confirmation e-mail goes out over SMTP, as text and as HTML that say the same', async () => {
  const { email } = await signUp(yard, { first_name: 'Jo <b>' })
  await yard.jobsDone()
  const mail = received.find(({ to }) => to?.[0]?.address === email)
  assert.equal(mail?.from?.address, 'no-reply@yardbid.test')
  assert.equal(mail?.subject, 'Confirm your email address · Yardbid')
  const link = /http:\/\/localhost:3000\/verify-email\?token=[\w-]{43}/.exec(mail?.text ?? '')?.[0] ?? 'no link'
  assert.ok(mail?.html?.includes(link))
  assert.ok(mail?.html?.includes('Hello Jo &lt;b&gt;,'), 'names are text, never markup')
})

test('an e-mail that the mail server refuses is kept and tried again later', async () => {
  refuseNext = 1
  const { email } = await signUp(yard)
  const pending = () => yard.owner.query(`select attempts, last_error from jobs where kind = 'send_verification'`)
  while ((await pending()).rows[0]?.last_error == null) await pause(5)
  const { rows } = await pending()
  assert.equal(rows[0].attempts, 1)
  assert.match(rows[0].last_error, /try later/)
  assert.ok(!received.some(({ to }) => to?.[0]?.address === email))

  await yard.owner.query(`update jobs set run_at = app_now()`)
  await yard.owner.query(`notify jobs`)
  await yard.jobsDone()
  assert.ok(received.some(({ to }) => to?.[0]?.address === email))
})

test('a temporary password that could not be sent changes nothing', async () => {
  const { client, email } = await signUp(yard)
  await yard.jobsDone()
  const db = openDatabase(yard.databaseUrl, 1)
  refuseNext = 1
  await actAsAdmin(db, { act: 'temporary-password', email, reason: '', audit: commandTrail('test') })
  await db.destroy()
  await yard.jobsDone()
  assert.equal((await client.get('/api/v1/auth/me')).status, 200)
  assert.equal((await yard.client().logIn(email, goodPassword)).status, 200)

  await yard.owner.query(`update jobs set run_at = app_now() where kind = 'send_temporary_password'`)
  await yard.owner.query(`notify jobs`)
  await yard.jobsDone()
  assert.equal((await client.get('/api/v1/auth/me')).status, 401)
  assert.equal((await yard.client().logIn(email, goodPassword)).status, 401)
})

test('a mail server that never says a word is given up', async (t) => {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  const mailer = smtpMailer({ url: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`, from: 'no-reply@yardbid.test' })
  const sending = mailer.send({ to: 'jo@example.test', subject: 'x', text: 'x', html: 'x' }).then(() => 'sent', String)
  assert.match(await Promise.race([sending, pause(20_000, 'still waiting', { ref: false })]), /Greeting never received|timeout/i)
})

test('a job that fails after its lease ran out leaves the lease of its next worker alone', async () => {
  const { id } = await signUp(yard)
  await yard.jobsDone()
  const ours = `where kind = 'send_account_opened'`
  // the first worker meets a mail server that refuses, and by then the job is another's
  refuseNext = 1
  takeOver = () => yard.owner.query(`update jobs set attempts = attempts + 1, leased_until = app_now() + interval '25 seconds' ${ours}`)
  const db = openDatabase(yard.databaseUrl, 1)
  await enqueue(db, 'send_account_opened', { user_id: id })
  await db.destroy()
  const isLogged = (line: string) => line.includes('"job_failed"') && line.includes('send_account_opened')
  while (!yard.logs.some(isLogged)) await pause(5)
  // what the worker does about the failure it does at once: before another job is begun and done
  await signUp(yard)
  while ((await yard.owner.query(`select from jobs where kind = 'send_verification'`)).rowCount) await pause(5)
  const { rows } = await yard.owner.query(`select attempts, leased_until is not null as leased, last_error from jobs ${ours}`)
  await yard.owner.query(`delete from jobs ${ours}`)
  assert.deepEqual(rows, [{ attempts: 2, leased: true, last_error: null }])
})

test('a job whose process died runs again when its lease ends', async () => {
  const { id } = await signUp(yard)
  await yard.jobsDone()
  const sent = received.length
  // what a killed process leaves behind: a lease that nobody will end
  await yard.owner.query(
    `insert into jobs (kind, payload, leased_until, attempts) values ('send_account_opened', jsonb_build_object('user_id', $1::text), app_now(), 1)`,
    [id],
  )
  await yard.owner.query(`notify jobs`)
  await yard.jobsDone()
  assert.equal(received.length, sent + 1)
})

test('the lease of a job ends within 10 seconds, and is renewed as long as the job takes', async () => {
  const { id } = await signUp(yard)
  await yard.jobsDone()
  held = []
  await queueLetters(1, id)
  await untilHeld(1)
  const lease = async () => {
    const { rows } = await yard.owner.query(
      `select leased_until, leased_until - app_now() <= interval '10 seconds' as is_short from jobs where kind = 'send_account_opened'`,
    )
    return rows[0]
  }
  const first = await lease()
  assert.equal(first.is_short, true)
  for (let now = first; now.leased_until <= first.leased_until; now = await lease()) await pause(20)
  const [letter] = held
  held = undefined
  letter?.release()
  await yard.jobsDone()
})

test('a job that is rolled back never was', async () => {
  const { id } = await signUp(yard)
  await yard.jobsDone()
  const sent = received.length
  const db = openDatabase(yard.databaseUrl, 1)
  await assert.rejects(
    db.transaction().execute(async (tx) => {
      await enqueue(tx, 'send_account_opened', { user_id: id })
      throw new Error('changed my mind')
    }),
  )
  await db.destroy()
  await yard.jobsDone()
  assert.equal(received.length, sent)
})

test('19: a job of a kind that this process does not know is left to one that does', async () => {
  const { id } = await signUp(yard)
  await yard.owner.query(`insert into jobs (kind, payload, urgent) values ('invented_later', '{}', true)`)
  await queueLetters(1, id)
  while ((await yard.owner.query(`select from jobs where kind = 'send_account_opened'`)).rowCount) await pause(5)
  const { rows } = await yard.owner.query(`delete from jobs where kind = 'invented_later' returning attempts, leased_until, last_error`)
  assert.deepEqual(rows, [{ attempts: 0, leased_until: null, last_error: null }])
})

test('22: a job of a kind that no release has any more is given up after two days, and the log says so', async () => {
  await yard.owner.query(
    `insert into jobs (kind, payload, run_at) values ('send_email_changed', '{}', app_now() - interval '3 days'), ('invented_later', '{}', app_now())`,
  )
  const another = await yard.another({ ROLE: 'worker' })
  const givenUp = () => yard.owner.query(`select kind, last_error from jobs where failed_at is not null and kind = 'send_email_changed'`)
  while (!(await givenUp()).rowCount) await pause(5)
  await another.stop()
  assert.deepEqual((await givenUp()).rows, [{ kind: 'send_email_changed', last_error: 'no process knows this kind of job' }])
  assert.ok(yard.logs.some((line) => line.includes('job_unknown') && line.includes('send_email_changed')))
  const left = await yard.owner.query(
    `delete from jobs where kind in ('invented_later', 'send_email_changed') returning kind, failed_at is null as open`,
  )
  assert.deepEqual(
    left.rows.filter(({ open }) => open),
    [{ kind: 'invented_later', open: true }],
  )
})

test('19: an e-mail that a job sends twice has one Message-ID, and two jobs have two', async () => {
  const { id } = await signUp(yard)
  await yard.jobsDone()
  const sent = received.length
  const one = `insert into jobs (id, kind, payload) overriding system value values ($1, 'send_account_opened', jsonb_build_object('user_id', $2::text))`
  for (const job of [9_000_001, 9_000_001, 9_000_002]) {
    await yard.owner.query(one, [job, id])
    await yard.owner.query('notify jobs')
    await yard.jobsDone()
  }
  const ids = received.slice(sent).map(({ messageId }) => messageId)
  assert.equal(ids.length, 3)
  assert.match(ids[0] ?? '', /^<job-[0-9a-f]{32}@localhost>$/)
  assert.equal(ids[1], ids[0])
  assert.notEqual(ids[2], ids[0])
})

test('many workers on one database run each job once', async () => {
  const { id } = await signUp(yard)
  const others = await Promise.all([yard.another(), yard.another()])
  await yard.jobsDone()
  const sent = received.length
  const db = openDatabase(yard.databaseUrl, 4)
  await Promise.all(Array.from({ length: 60 }, () => enqueue(db, 'send_account_opened', { user_id: id })))
  await yard.jobsDone()
  await db.destroy()
  assert.equal(received.length, sent + 60)
  await Promise.all(others.map(({ stop }) => stop()))
})

/** Letters that are not urgent, due at once. */
const queueLetters = async (count: number, userId: string) => {
  await yard.owner.query(
    `insert into jobs (kind, payload) select 'send_account_opened', jsonb_build_object('user_id', $1::text) from generate_series(1, $2)`,
    [userId, count],
  )
  await yard.owner.query('notify jobs')
}
const untilHeld = async (count: number) => {
  while ((held ?? []).length < count) await pause(5)
}

test('five letters are under way at once, and the e-mail that somebody waits for goes out beside them', async () => {
  const { id } = await signUp(yard)
  const { email, id: waiting } = await signUp(yard)
  await yard.jobsDone()
  held = []
  await queueLetters(12, id)
  await untilHeld(5)
  const db = openDatabase(yard.databaseUrl, 1)
  await enqueue(db, 'send_password_reset', { user_id: waiting })
  await db.destroy()
  await untilHeld(6)
  assert.equal(held[5]?.address, email)
  const { rows } = await yard.owner.query('select count(*)::int as leased from jobs where leased_until > app_now()')
  assert.equal(rows[0].leased, 6)
  assert.equal(held.length, 6)
  const letters = held
  held = undefined
  for (const { release } of letters) release()
  await yard.jobsDone()
})

test('a server that stops finishes the jobs that it has begun, and leaves the others to the next', async () => {
  const { id } = await signUp(yard)
  const other = await yard.another()
  await yard.jobsDone()
  const sent = received.length
  held = []
  await queueLetters(14, id)
  await untilHeld(10)
  const stopped = other.stop()
  const letters = held
  held = undefined
  for (const { release } of letters) release()
  await stopped
  await yard.jobsDone()
  assert.equal(received.length, sent + 14)
})
