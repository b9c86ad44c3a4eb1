import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '#tests/support/client.ts'
import { demoUser } from '#tests/support/people.ts'
import { closeSound, openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
let admin: Client
let sellerId: string
before(async () => {
  yard = await openYard({ demo: true })
  admin = await demoUser(yard, 'admin')
  sellerId = (await (await demoUser(yard, 'seller')).get('/api/v1/auth/me')).body.data.id
})
after(() => closeSound(yard))

/** Given up so long ago. */
async function givenUp(ago: string, kind = 'send_account_opened', payload: object = { user_id: sellerId }): Promise<string> {
  const { rows } = await yard.owner.query(
    `insert into jobs (kind, payload, attempts, last_error, run_at, failed_at)
     values ($1, $2, 12, 'Error: the mail server is away', app_now() - $3::interval, app_now() - $3::interval)
     returning id`,
    [kind, JSON.stringify(payload), ago],
  )
  return rows[0].id
}

const list = async (query = '') => (await admin.get(`/api/v1/admin/jobs${query}`)).body
const retry = (id: string, who = admin) => who.post(`/api/v1/admin/jobs/${id}/retry`)

test('jobs that were given up are listed newest first, page by page, with why and without addresses', async () => {
  const jobs: string[] = []
  for (const hours of [1, 2, 3, 4, 5]) jobs.push(await givenUp(`${hours} hours`))
  const changing = await givenUp('6 hours', 'send_email_changing', {
    user_id: sellerId,
    old_email: 'old@x.test',
    new_email: 'new@x.test',
    can_undo: true,
  })
  await yard.owner.query(`insert into jobs (kind, payload, run_at) values ('invented_later', '{}', app_now() + interval '1 day')`)
  const seen: any[] = []
  let cursor: string | null = null
  do {
    const page: any = await list(`?per_page=2${cursor ? `&cursor=${cursor}` : ''}`)
    assert.ok(page.data.length <= 2)
    seen.push(...page.data)
    cursor = page.meta.next_cursor
  } while (cursor)
  assert.deepEqual(
    seen.map(({ id }) => id),
    [...jobs, changing],
  )
  const { failed_at, created_at, ...first } = seen[0]
  assert.ok(failed_at && created_at)
  assert.deepEqual(first, {
    id: jobs[0],
    kind: 'send_account_opened',
    subject: { user_id: sellerId },
    attempts: 12,
    last_error: 'Error: the mail server is away',
  })
  assert.deepEqual(seen.at(-1).subject, { user_id: sellerId })
  await yard.owner.query('delete from jobs where failed_at is not null')
})

test('malformed cursor → 422', async () => {
  for (const cursor of ['x', '1', '1.', '1.x', `${'9'.repeat(17)}.1`, '-1.1'])
    assert.equal((await admin.get(`/api/v1/admin/jobs?cursor=${cursor}`)).status, 422, cursor)
})

test('a job that is retried runs with all of its attempts, once, and the audit log says who asked', async () => {
  const id = await givenUp('1 hour')
  const letters = async () =>
    (await yard.outbox.list('seller@yardbid.test')).filter(({ subject }) => subject.startsWith('Your account is open'))
  const answers = await Promise.all([retry(id), retry(id), retry(id)])
  const codes = answers.map(({ status, body }) => (status === 200 ? 'retried' : body.code))
  assert.equal(codes.filter((code) => code === 'retried').length, 1, String(codes))
  // the others found it waiting, or done and gone
  assert.ok(
    codes.every((code) => ['retried', 'job_not_failed', 'not_found'].includes(code)),
    String(codes),
  )
  await yard.jobsDone()
  assert.equal((await letters()).length, 1)
  assert.deepEqual((await list()).data, [])
  const { rows } = await yard.owner.query(`select actor, details from audit_entries where act = 'retry-job'`)
  assert.deepEqual(rows, [{ actor: 'admin@yardbid.test', details: { job_id: id, kind: 'send_account_opened', attempts: 12 } }])
})

test('a job that waits for its attempts after a retry is not listed, and cannot be retried again', async () => {
  const id = await givenUp('1 hour', 'invented_later', {})
  assert.equal((await retry(id)).status, 200)
  const { rows } = await yard.owner.query('select attempts, failed_at from jobs where id = $1', [id])
  assert.deepEqual(rows, [{ attempts: 0, failed_at: null }])
  assert.deepEqual((await list()).data, [])
  assert.equal((await retry(id)).body.code, 'job_not_failed')
  await yard.owner.query('delete from jobs where id = $1', [id])
})

test('to anybody else, and of a job that is not there, it is a 404', async () => {
  const id = await givenUp('1 hour')
  const seller = await demoUser(yard, 'seller')
  assert.equal((await seller.get('/api/v1/admin/jobs')).status, 404)
  assert.equal((await retry(id, seller)).status, 404)
  for (const none of ['999999999', 'x', '-1', '1e3', '9'.repeat(30)]) assert.equal((await retry(none)).status, 404, none)
  await yard.owner.query('delete from jobs where id = $1', [id])
})
