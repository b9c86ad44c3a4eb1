import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import pg from 'pg'
import { compareAudit, findViolations } from '#database/check.ts'
import { APP_ROLE } from '#database/migrate.ts'
import { runCommand } from '#scripts/run-command.ts'
import { commandTrail } from '#server/db/audit.ts'
import { openDatabase, type Db } from '#server/db/db.ts'
import { actAsAdmin } from '#server/features/account/admin.ts'
import { entriesOf, lastEntry } from '#tests/support/audit.ts'
import { newMember, type Merchant } from '#tests/support/auctions/sale.ts'
import { newClient, type Client } from '#tests/support/client.ts'
import { demoUser } from '#tests/support/people.ts'
import { closeSound, openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
let db: Db
let admin: Client
let other: Client
let member: Merchant
before(async () => {
  yard = await openYard({ demo: true })
  db = openDatabase(yard.databaseUrl, 5)
  admin = await demoUser(yard, 'admin')
  other = await demoUser(yard, 'admin2')
  member = await newMember(yard)
})
afterEach(() => yard.travel('0 seconds'))
after(async () => {
  await db.destroy()
  await closeSound(yard)
})

const AUDIT = '/api/v1/admin/audit'
const see = async (query: Record<string, string> = {}) => {
  const { status, body } = await admin.get(`${AUDIT}?${new URLSearchParams(query).toString()}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body as { data: { id: string; act: string; kind: string; subject: { id: string } | null }[]; meta: { next_cursor: string | null } }
}
const grant = (client: Client, days: number) => client.put(`/api/v1/admin/users/${member.id}/deferred-terms`, { days, limit: 100_00 })

test('acts and looks at once, of two admins on two servers, form one chain', async () => {
  const second = await yard.another()
  const elsewhere = newClient(second.url, Object.fromEntries(other.cookies))
  const entries = await entriesOf(yard, () =>
    Promise.all(
      Array.from({ length: 40 }, (_, nth) =>
        nth % 2 ? grant(nth % 4 === 1 ? admin : elsewhere, nth) : (nth % 4 ? admin : elsewhere).get('/api/v1/admin/coupons'),
      ),
    ),
  )
  await second.stop()
  assert.equal(entries.length, 40)
  assert.equal(entries.filter(({ kind }) => kind === 'act').length, 20)
  assert.deepEqual(await findViolations(yard.owner), [])
})

for (const sql of [
  `update audit_entries set act = 'other'`,
  'update audit_entries set act = act where false',
  'delete from audit_entries where id = 1',
  'truncate audit_entries',
]) {
  test(`neither the application nor the owner of the table may: ${sql}`, async () => {
    const app = new pg.Client({ connectionString: yard.databaseUrl, options: `-c role=${APP_ROLE}` })
    await app.connect()
    try {
      await assert.rejects(app.query(sql), /permission denied/)
      await assert.rejects(app.query('update audit_head set entry_id = 0'), /permission denied/)
      await assert.rejects(app.query(`select chain_audit_entry(null, now())`), /permission denied/)
    } finally {
      await app.end()
    }
    await assert.rejects(yard.owner.query(sql), /never changed or removed/)
  })
}

test('an entry’s place, time and hashes are the database’s, whatever was sent', async () => {
  const place = await lastEntry(yard)
  await db
    .insertInto('audit_entries')
    .values({
      id: '7000000',
      at: new Date(0),
      actor: 'somebody',
      actor_role: 'command',
      kind: 'act',
      act: 'forge',
      previous_hash: Buffer.alloc(32),
      hash: Buffer.alloc(32),
    })
    .execute()
  const { rows } = await yard.owner.query(`select id, at > app_now() - interval '1 hour' as is_now from audit_entries where act = 'forge'`)
  assert.deepEqual(rows, [{ id: String(BigInt(place) + 1n), is_now: true }])
})

test('the list is cut into pages that show each entry once, newest first, while new ones come', async () => {
  for (let nth = 0; nth < 5; nth++) await grant(admin, nth + 1)
  const filter = { 'filter[what]': 'grant-deferred-terms', 'filter[about]': member.id, per_page: '7' }
  const first = await see(filter)
  const ids = first.data.map(({ id }) => Number(id))
  for (let cursor = first.meta.next_cursor; cursor;) {
    await grant(other, 9)
    const page = await see({ ...filter, cursor })
    ids.push(...page.data.map(({ id }) => Number(id)))
    cursor = page.meta.next_cursor
  }
  const { rows } = await yard.owner.query<{ id: string }>(
    `select id from audit_entries where act = 'grant-deferred-terms' and subject_user_id = $1 and id <= $2 order by id desc`,
    [member.id, ids[0]],
  )
  assert.deepEqual(
    ids,
    rows.map(({ id }) => Number(id)),
  )
})

test('each filter finds what it names, alone and together', async () => {
  await yard.travel('2 hours')
  const from = new Date(Date.now() + 3_600_000).toISOString()
  await grant(other, 3)
  await other.get(`/api/v1/admin/users/${member.id}/strikes`)
  await yard.travel('4 hours')
  const to = new Date(Date.now() + 3 * 3_600_000).toISOString()
  await grant(admin, 4)
  await yard.travel('5 hours')
  const acts = async (query: Record<string, string>) => (await see({ 'filter[from]': from, ...query })).data.map(({ act }) => act)
  const { id: otherId } = (await other.get('/api/v1/auth/me/lite')).body.data
  const [terms, strikes, list] = ['grant-deferred-terms', 'see-strikes', 'see-audit']
  assert.deepEqual(await acts({}), [terms, strikes, terms])
  assert.deepEqual(await acts({ 'filter[to]': to }), [strikes, terms])
  assert.deepEqual(await acts({ 'filter[who]': 'admin2@yardbid.test' }), [strikes, terms])
  assert.deepEqual(await acts({ 'filter[who]': otherId, 'filter[kind]': 'act' }), [terms])
  assert.deepEqual(await acts({ 'filter[about]': member.email, 'filter[kind]': 'look' }), [strikes])
  assert.deepEqual(await acts({ 'filter[what]': terms, 'filter[to]': to }), [terms])
  assert.deepEqual(await acts({ 'filter[about]': 'nobody@example.test' }), [])
  assert.deepEqual(new Set(await acts({ 'filter[what]': list })), new Set([list]))
  assert.deepEqual((await see({ 'filter[from]': '2099-01-01T00:00:00Z' })).data, [])
})

for (const query of [
  'cursor=x',
  'cursor=eyJiZWZvcmUiOjF9',
  'filter[kind]=other',
  'filter[from]=yesterday',
  'filter[to]=0000-01-01T00:00:00Z',
]) {
  test(`the list refuses ${query}`, async () => assert.equal((await admin.get(`${AUDIT}?${query}`)).status, 422))
}

test('the export has every entry of the filter, and no cell that a spreadsheet would compute', async () => {
  await actAsAdmin(db, { act: 'suspend', email: member.email, reason: '=cmd()', audit: commandTrail('command line: test') })
  await actAsAdmin(db, { act: 'unsuspend', email: member.email, reason: '', audit: commandTrail('command line: test') })
  const { status, headers, body } = await admin.get(`${AUDIT}.csv?filter[about]=${member.id}&filter[who]=command line: test`)
  const lines = (body as string).trim().split('\r\n')
  assert.deepEqual([status, headers.get('content-type'), lines.length], [200, 'text/csv; charset=utf-8', 3])
  assert.match(lines[0] ?? '', /^"id","at","actor","role","kind","act","about","reason","details","hash"$/)
  assert.match(lines[1] ?? '', /"unsuspend","[^"]+@example\.test",""/)
  assert.match(lines[2] ?? '', /"'=cmd\(\)"/)
})

/** As somebody does who owns the database and knows how the chain is made. */
async function cutTail(entries: number): Promise<void> {
  await yard.owner.query(`
    alter table audit_entries disable trigger never_changed;
    delete from audit_entries where id > (select max(id) - ${entries} from audit_entries);
    update audit_head set (entry_id, hash) = (select id, hash from audit_entries order by id desc limit 1);
    alter table audit_entries enable trigger never_changed`)
}

test('the hash that admins get each day proves that the log was cut, though the database was mended', async () => {
  await grant(admin, 5)
  await yard.jobsDone()
  await yard.travel('2 days')
  await yard.jobsDone()
  const [mail] = (await yard.outbox.list('admin2@yardbid.test')).filter(({ subject }) => /Audit log/.test(subject))
  const [kept = ''] = /^\d+:[0-9a-f]{64}$/m.exec(mail?.text ?? '') ?? []
  assert.deepEqual(await compareAudit(yard.owner, [kept]), [])
  assert.ok(yard.logs.some((line) => line.includes('audit_head') && line.includes(kept.split(':')[1] ?? '?')))

  await cutTail(1)
  assert.deepEqual(await findViolations(yard.owner), [])
  assert.equal((await compareAudit(yard.owner, [kept]))[0]?.rule, '28: audit: the entries whose hashes were kept elsewhere are there')
  const check = (place: string) =>
    runCommand(process.execPath, ['scripts/check.ts', place], { DATABASE_URL: yard.databaseUrl, SANDBOX: '1', SETTINGS: '' })
  const { code, output } = await check(kept)
  assert.deepEqual([code, output.includes('28: audit: the entries whose hashes')], [1, true], output)
  assert.match((await check('12')).output, /'12' is not an entry of the audit log and its hash/)
})

test('no second letter says the same; one is sent when there is more', async () => {
  const letters = async () => (await yard.outbox.list('admin@yardbid.test')).filter(({ subject }) => /Audit log/.test(subject)).length
  await yard.travel('3 days')
  await yard.jobsDone()
  const before = await letters()
  await yard.travel('4 days')
  await yard.jobsDone()
  assert.equal(await letters(), before)
  await actAsAdmin(db, { act: 'suspend', email: member.email, reason: 'Unpaid', audit: commandTrail('command line: test') })
  await yard.travel('5 days')
  await yard.jobsDone()
  assert.equal(await letters(), before + 1)
})
