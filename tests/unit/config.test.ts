import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { readConfig } from '#server/config.ts'
import { shareConnections } from '#server/db/budget.ts'

test('without any variable it is the sandbox on port 3000', () => {
  const config = readConfig({})
  assert.deepEqual([config.sandbox, config.port, config.host, config.publicUrl], [true, 3000, '127.0.0.1', 'http://localhost:3000'])
})

test('DATABASE_URL alone leaves the sandbox; SANDBOX=1 stays in it', () => {
  const DATABASE_URL = 'postgres://x@127.0.0.1/x'
  assert.equal(readConfig({ DATABASE_URL }).sandbox, false)
  assert.equal(readConfig({ DATABASE_URL, SANDBOX: '1' }).sandbox, true)
})

const stripe = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_PUBLISHABLE_KEY: 'pk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' }

test('keys of Stripe leave the sandbox, unless it is asked for, and need a database', () => {
  const DATABASE_URL = 'postgres://x@127.0.0.1/x'
  assert.equal(readConfig({ ...stripe, DATABASE_URL }).sandbox, false)
  assert.equal(readConfig({ ...stripe, SANDBOX: '1' }).sandbox, true)
  assert.throws(() => readConfig(stripe), /DATABASE_URL is needed/)
})

for (const name of Object.keys(stripe)) {
  test(`the three keys of Stripe come together: without ${name} it is named`, () =>
    assert.throws(() => readConfig({ ...stripe, [name]: '', SANDBOX: '1' }), new RegExp(`${name} is needed too`)))
}

test('every wrong variable is named in one message', () => {
  const wrong = {
    PORT: 'http',
    PUBLIC_URL: 'ftp://x',
    DATABASE_URL: 'mysql://x',
    SESSION_SECRET: 'short',
    SMTP_URL: 'x',
    ROLE: 'king',
    LOG_LEVEL: 'loud',
    TRUST_PROXY: '10.0.0.1, nginx',
    SETTINGS: '{"no_such":1}',
    SANDBOX: '1',
  }
  assert.throws(
    () => readConfig(wrong),
    (error: Error) => Object.keys(wrong).every((name) => name === 'SANDBOX' || error.message.includes(name)),
  )
})

const settingsRefused: [string, RegExp][] = [
  ['{', /SETTINGS is not JSON/],
  ['[]', /must be a JSON object/],
  ['{"restore_window":"soon"}', /'restore_window' is wrong/],
]
for (const [SETTINGS, message] of settingsRefused)
  test(`SETTINGS=${SETTINGS} is refused`, () => assert.throws(() => readConfig({ SETTINGS }), message))

test('DATABASE_URL may not carry options, which would replace the role that the server takes on', () => {
  const DATABASE_URL = 'postgres://x@127.0.0.1/x?sslmode=disable&options=-c%20statement_timeout%3D5s'
  assert.throws(() => readConfig({ DATABASE_URL }), /DATABASE_URL may not carry options/)
})

test('SETTINGS is refused outside the sandbox', () => {
  assert.throws(() => readConfig({ DATABASE_URL: 'postgres://x@127.0.0.1/x', SETTINGS: '{}' }), /sandbox alone/)
})

for (const TRUST_PROXY of ['true', '10.0.0.1/33', '10.0.0.0/8/8', '::1/129', '10.0.0'])
  test(`TRUST_PROXY=${TRUST_PROXY} is refused`, () => assert.throws(() => readConfig({ TRUST_PROXY }), /TRUST_PROXY takes addresses/))

test('TRUST_PROXY takes addresses, networks and their names', () => {
  assert.deepEqual(readConfig({ TRUST_PROXY: '10.0.0.0/8, ::1,loopback' }).trustProxy, ['10.0.0.0/8', '::1', 'loopback'])
})

test('an empty variable is one that is not set', () => {
  assert.equal(readConfig({ DATABASE_URL: '', PORT: '' }).sandbox, true)
})

test('.env.example names every variable that is read, and no other', async () => {
  const named = [...(await readFile('.env.example', 'utf8')).matchAll(/^#? ?([A-Z\d_]+)=/gm)].map(([, name = '']) => name)
  const source = await readFile('server/config.ts', 'utf8')
  const read = [...source.matchAll(/^ {2}([A-Z\d_]+): /gm)].map(([, name = '']) => name)
  assert.deepEqual(new Set(named), new Set(read))
})

for (const budget of [13, 20, 30, 97]) {
  test(`17: ${budget} connections are shared out to the last, and everybody has some`, () => {
    const shares = shareConnections(budget)
    assert.equal(
      Object.values(shares).reduce((sum, count) => sum + count),
      budget - 2,
      'two listen',
    )
    for (const [name, count] of Object.entries(shares)) assert.ok(count > 0, name)
    assert.ok(shares.pages >= 4)
  })
}

test('17: fewer connections than a process can work with are refused', () =>
  assert.throws(() => readConfig({ DATABASE_CONNECTIONS: '12' }), /DATABASE_CONNECTIONS must be at least 13/))
