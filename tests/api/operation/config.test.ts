import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Fastify from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { DB } from '#database/schema.gen.ts'
import { openPool } from '#server/db/db.ts'
import { configRoutes } from '#server/features/config/routes.ts'
import { settingsReader } from '#server/features/settings/public.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
before(async () => (yard = await openYard({ demo: true })))
after(() => yard.close())

test('config tells a client what it needs before anybody logs in', async () => {
  const { body } = await yard.client().get('/api/v1/config')
  assert.deepEqual(body.data.subscription_price, { value: 16_500, currency: 'GBP' })
  assert.ok(Date.parse(body.data.trial_available_until) > Date.now(), 'the sandbox offers the trial')
  assert.equal(body.data.business_activities.length, 15)
  assert.deepEqual(
    [body.data.sandbox, body.data.app_version, body.data.privacy_url, body.data.terms_url, body.data.support_email],
    [true, 'test', '/privacy', '/terms', 'support@yardbid.test'],
  )
  assert.ok(Math.abs(Date.parse(body.data.server_time) - Date.now()) < 60_000)
})

test('config names the materials, and the durations and rates in force', async () => {
  const other = await yard.another({ SETTINGS: '{"listing_durations":[2,4],"vat_rate":17.5,"appointment_max_ahead":"21d"}' })
  const { data } = (await (await fetch(`${other.url}/api/v1/config`)).json()) as { data: any }
  assert.deepEqual([data.listing_durations, data.vat_rate, data.appointment_max_ahead], [[2, 4], 17.5, '21d'])
  assert.deepEqual(
    [data.listing_min_duration, data.listing_max_duration, data.late_bid_window, data.late_bid_extension],
    ['1h', '14d', '5m', '5m'],
  )
  assert.deepEqual(
    data.materials.find(({ id }: { id: string }) => id === 'catalytic_converters'),
    {
      id: 'catalytic_converters',
      name: 'Catalytic converters',
      group: 'Catalytic converters',
      ewc_code: '16 08 01',
      is_scrap: true,
      is_restricted: true,
    },
  )
})

test('the trial ends when the setting is null, and SETTINGS overrides the row', async () => {
  await yard.owner.query(`update settings set value = 'null' where key = 'trial_available_until'`)
  assert.equal((await yard.client().get('/api/v1/config')).body.data.trial_available_until, null)
  const other = await yard.another({ SETTINGS: '{"trial_available_until":"2099-01-01T00:00:00Z","subscription_price":9900}' })
  const { data } = (await (await fetch(`${other.url}/api/v1/config`)).json()) as { data: Record<string, unknown> }
  assert.equal(data['trial_available_until'], '2099-01-01T00:00:00Z')
  assert.deepEqual(data['subscription_price'], { value: 9_900, currency: 'GBP' })
})

test('20: config is one query', async (t) => {
  const queries: string[] = []
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: openPool(yard.databaseUrl, 1) }),
    log: ({ query }) => void queries.push(query.sql),
  })
  t.after(() => db.destroy())
  const app = Fastify()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  const config = { privacyUrl: '/privacy', termsUrl: '/terms', supportEmail: 'help@yard.test', sandbox: true }
  const readSetting = settingsReader(new Map())
  configRoutes(app, { db, config, readSetting, cookies: {} as never, payment: yard.payment, appVersion: 'test', pushPublicKey: null })
  assert.equal((await app.inject('/api/v1/config')).statusCode, 200)
  assert.equal(queries.length, 1)
})

test('readyz says no while migrations are missing, healthz still yes', async () => {
  await yard.owner.query(`update migrations set name = 'later' where name = '0001-accounts.sql'`)
  const ready = await yard.client().get('/readyz')
  assert.deepEqual([ready.status, ready.headers.get('retry-after')], [503, '2'])
  assert.equal((await yard.client().get('/healthz')).status, 200)
  await yard.owner.query(`update migrations set name = '0001-accounts.sql' where name = 'later'`)
  assert.equal((await yard.client().get('/readyz')).status, 200)
})

test('a database that went away is a 503 that says when to try again, and all is well when it is back', async (t) => {
  const away = await openYard({ demo: true })
  t.after(() => away.close())
  const name = new URL(away.databaseUrl).pathname.slice(1)
  const elsewhere = new pg.Client({ connectionString: away.databaseUrl.replace(name, 'postgres') })
  await elsewhere.connect()
  t.after(() => elsewhere.end())
  await elsewhere.query(`alter database ${name} allow_connections false`)
  await elsewhere.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name <> 'owner'`, [name])
  const { status, headers } = await away.client().get('/api/v1/config')
  assert.deepEqual([status, headers.get('retry-after')], [503, '2'])
  await elsewhere.query(`alter database ${name} allow_connections true`)
  assert.equal((await away.client().get('/api/v1/config')).status, 200)
})

test('the CSRF cookie can be read by the page and is bound to the session', async () => {
  const client = yard.client()
  const { status, cookies } = await client.get('/sanctum/csrf-cookie')
  assert.equal(status, 204)
  const line = cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN=')) ?? ''
  assert.doesNotMatch(line, /HttpOnly/)
  assert.match(line, /SameSite=Lax/)
  const visitorsToken = client.cookies.get('XSRF-TOKEN')
  await client.logIn('seller@yardbid.test', 'Yardbid-demo-1')
  assert.notEqual(client.cookies.get('XSRF-TOKEN'), visitorsToken)
})

test('the sandbox shows its mail in the browser, and text in it stays text', async () => {
  await yard.outbox.send({
    to: 'x@example.test',
    subject: '<script>alert(1)</script>',
    text: 'see http://localhost:3000/verify-email?token=a&b "c"',
    html: '',
  })
  const { data } = (await yard.client().get('/sandbox/mail.json?to=x@example.test&to=y')).body
  assert.equal(data.length, 1)
  const [list, mail] = [await yard.client().get('/sandbox/mail'), await yard.client().get(`/sandbox/mail/${data[0].id}`)]
  for (const page of [list, mail]) {
    assert.equal(page.status, 200)
    assert.ok(!page.body.includes('<script>'))
  }
  assert.ok(mail.body.includes('href="http://localhost:3000/verify-email?token=a&amp;b"'))
  const design = await yard.client().get(`/sandbox/mail/${data[0].id}/html`)
  assert.match(design.headers.get('content-security-policy') ?? '', /default-src 'none'; .*sandbox/)
  for (const id of ['none', '..%2f..%2fsession-secret', '%00'])
    assert.equal((await yard.client().get(`/sandbox/mail/${id}`)).status, 404, id)
})
