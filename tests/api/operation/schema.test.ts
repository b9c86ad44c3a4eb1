import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { APP_ROLE, migrate, MIGRATION_LOCK } from '#database/migrate.ts'
import { connectTo, freshDatabase, type FreshDatabase } from '#tests/support/processes/postgres.ts'

let database: FreshDatabase
let app: pg.Client
before(async () => {
  database = await freshDatabase()
  app = new pg.Client({ connectionString: database.url, options: `-c role=${APP_ROLE}` })
  await app.connect()
})
after(async () => {
  await app.end()
  await database.drop()
})

test('18: a migration that was changed after it ran is refused by its name; a database from before there were checksums takes them once', async () => {
  const owner = await connectTo(database.url)
  const name = '0003-storage.sql'
  const checksum = async () => (await owner.query('select checksum from migrations where name = $1', [name])).rows[0]?.checksum
  const right = await checksum()
  await owner.query(`update migrations set checksum = 'other' where name = $1`, [name])
  await assert.rejects(migrate(database.url), new RegExp(`changed after they ran on this database: ${name}\\.`))
  await owner.query('alter table migrations drop column checksum')
  assert.deepEqual(await migrate(database.url), [])
  assert.equal(await checksum(), right)
  await owner.end()
})

test('the generated types are those of the migrations', async () => {
  await promisify(execFile)('node', ['scripts/schema.ts', '--verify'])
})

test('migrating again does nothing, and two at once do it once', async () => {
  assert.deepEqual(await migrate(database.url), [])
  assert.deepEqual(await Promise.all([migrate(database.url), migrate(database.url)]), [[], []])
})

test('a connection that breaks fails the migration, and not the process', async (t) => {
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  t.after(() => holder.end())
  await holder.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
  const waiting = () => holder.query(`select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`)

  const { hostname, port } = new URL(database.url)
  const near = new Set<Socket>()
  const line = createServer((socket) => {
    near.add(socket)
    const far = connect(Number(port), hostname)
    socket.pipe(far).pipe(socket)
    socket.on('close', () => far.destroy())
  }).listen(0, '127.0.0.1')
  await once(line, 'listening')
  t.after(() => line.close())
  const url = new URL(database.url)
  url.port = String((line.address() as AddressInfo).port)

  const migrating = assert.rejects(migrate(url.href), /terminated|ECONNRESET/)
  while ((await waiting()).rowCount === 0) await pause(5)
  for (const socket of near) socket.destroy()
  await migrating
})

test('a database user who may grant the application’s role but not take it on is granted it', async () => {
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  const name = `deployer_${process.pid}`
  await owner.query(`create role ${name} login createrole password 'x'`)
  try {
    await owner.query(`grant ${APP_ROLE} to ${name} with admin true, set false, inherit false`)
    await owner.query(`grant all on schema public to ${name}`)
    await owner.query(`alter table migrations owner to ${name}`)
    const url = new URL(database.url)
    Object.assign(url, { username: name, password: 'x' })
    await migrate(url.href)
    const theirs = new pg.Client({ connectionString: url.href, options: `-c role=${APP_ROLE}` })
    await theirs.connect()
    await theirs.end()
  } finally {
    await owner.query('alter table migrations owner to current_user')
    await owner.query(`revoke all on schema public from ${name}`)
    await owner.query(`revoke ${APP_ROLE} from ${name} cascade`)
    await owner.query(`drop role ${name}`)
    await owner.end()
  }
})

for (const sql of [
  "update audit_entries set act = 'x'",
  'delete from audit_entries',
  'truncate audit_entries',
  'drop table users',
  'create table mine ()',
  "update migrations set name = 'x'",
]) {
  test(`the application's role may not: ${sql}`, async () => {
    await assert.rejects(app.query(sql), /permission denied|must be owner/)
  })
}

const broken: [string, string][] = [
  ['a password that is not argon2id', `insert into users (email, password_hash) values ('a@b.c', 'md5')`],
  ['a tier that does not exist', `update users set tier = 'gold'`],
  ['an onboarding stage beyond the five', `update users set onboarding_stage = 5`],
  ['no VAT number and no tick', `update users set vat_number = null, not_vat_registered = false`],
]
for (const [what, sql] of broken) {
  test(`the database refuses ${what}`, async () => {
    await app.query('begin')
    await app.query(`insert into users (email, password_hash, first_name, surname, business_type, company_name, date_of_birth, contact_number, not_vat_registered, terms_accepted_at, tier)
      values ('x@example.test', '$argon2id$x', 'a', 'b', 'company', 'c', '1980-01-01', '0', true, app_now(), 'basic')`)
    await assert.rejects(app.query(sql), /violates (check|not-null) constraint/)
    await app.query('rollback')
  })
}
