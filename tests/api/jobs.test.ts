import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { openDatabase } from '#server/db.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { smtpMailer } from '#server/providers/mail.ts'
import { signUp } from '#tests/support/people.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

const received: Email[] = []
let refuseNext = 0
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo: (_address, _session, done) => (refuseNext-- > 0 ? done(new Error('try later')) : done()),
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

test('a job whose process died runs again when its lease ends, within 30 seconds', async () => {
  const { id } = await signUp(yard)
  await yard.jobsDone()
  const sent = received.length
  // what a killed process leaves behind: a lease that nobody will end
  await yard.owner.query(
    `insert into jobs (kind, payload, leased_until, attempts) values ('send_account_opened', jsonb_build_object('user_id', $1::text), app_now() + interval '25 seconds', 1)`,
    [id],
  )
  const { rows } = await yard.owner.query(
    `select leased_until - app_now() <= interval '30 seconds' as soon from jobs where leased_until is not null`,
  )
  assert.equal(rows[0].soon, true)
  await yard.owner.query(`update jobs set leased_until = app_now()`)
  await yard.owner.query(`notify jobs`)
  await yard.jobsDone()
  assert.equal(received.length, sent + 1)
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
