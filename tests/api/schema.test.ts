import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { APP_ROLE, migrate } from '#database/migrate.ts'
import { freshDatabase, type FreshDatabase } from '#tests/support/postgres.ts'

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

test('the generated types are those of the migrations', async () => {
  const args = [
    '--dialect',
    'postgres',
    '--date-parser',
    'string',
    '--out-file',
    'database/schema.gen.ts',
    '--url',
    database.url,
    '--verify',
  ]
  await promisify(execFile)('kysely-codegen', args)
})

test('migrating again does nothing, and two at once do it once', async () => {
  assert.deepEqual(await migrate(database.url), [])
  assert.deepEqual(await Promise.all([migrate(database.url), migrate(database.url)]), [[], []])
})

for (const sql of [
  "update audit_log set act = 'x'",
  'delete from audit_log',
  'truncate audit_log',
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
