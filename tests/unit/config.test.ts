import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { readConfig } from '#server/config.ts'
import { sandboxProviderShare, shareConnections } from '#server/db/budget.ts'
import { logFault } from '#server/db/outage.ts'
import { missing, welcome } from '#server/welcome.ts'

test('without any variable it is the sandbox on port 3000', () => {
  const config = readConfig({})
  assert.deepEqual([config.sandbox, config.port, config.host, config.publicUrl], [true, 3000, '127.0.0.1', 'http://localhost:3000'])
})

test('DATABASE_URL alone leaves the sandbox; SANDBOX=1 stays in it', () => {
  const DATABASE_URL = 'postgres://x@127.0.0.1/x'
  assert.equal(readConfig({ DATABASE_URL }).sandbox, false)
  assert.equal(readConfig({ DATABASE_URL, SANDBOX: '1' }).sandbox, true)
})

test('SUPPORT_EMAIL is the address that emails come from where it is not given', () => {
  const DATABASE_URL = 'postgres://x@127.0.0.1/x'
  assert.equal(readConfig({}).supportEmail, 'support@yardbid.test')
  assert.equal(readConfig({ DATABASE_URL, MAIL_FROM: 'Yardbid <desk@yard.example>' }).supportEmail, 'desk@yard.example')
  assert.equal(readConfig({ DATABASE_URL, SUPPORT_EMAIL: 'help@yard.example' }).supportEmail, 'help@yard.example')
  assert.throws(() => readConfig({ SUPPORT_EMAIL: 'no address' }), /SUPPORT_EMAIL/)
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

for (const budget of [14, 20, 30, 97]) {
  test(`17: ${budget} connections are shared out to the last, and everybody has some`, () => {
    const shares = shareConnections(budget, false)
    assert.equal(
      Object.values(shares).reduce((sum, count) => sum + count),
      budget - 2,
      'two listen',
    )
    for (const [name, count] of Object.entries(shares)) assert.ok(count > 0, name)
    assert.ok(shares.pages >= 4)
  })
}

for (const budget of [17, 30, 97]) {
  test(`22: of ${budget} connections the sandbox’s payment provider has a share, and nobody else is left without`, () => {
    const shares = shareConnections(budget, true)
    const all = Object.values(shares).reduce((sum, count) => sum + count, sandboxProviderShare(budget))
    assert.equal(all, budget - 2, 'two listen')
    assert.ok(shares.pages >= 4 && sandboxProviderShare(budget) >= 3)
  })
}

test('22: the sandbox refuses fewer connections than it and its payment provider can work with', () => {
  assert.throws(() => readConfig({ DATABASE_CONNECTIONS: '16' }), /DATABASE_CONNECTIONS must be at least 17 in the sandbox/)
  assert.equal(readConfig({ DATABASE_CONNECTIONS: '16', DATABASE_URL: 'postgres://x@127.0.0.1/x' }).databaseConnections, 16)
})

test('17: fewer connections than a process can work with are refused', () =>
  assert.throws(() => readConfig({ DATABASE_CONNECTIONS: '13' }), /DATABASE_CONNECTIONS must be at least 14/))

test('19: while the database is away its first fault is logged, and then how many there were each minute', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const lines: unknown[] = []
  const log = { error: (...line: unknown[]) => lines.push(line) } as never
  const err = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
  for (let nth = 0; nth < 100; nth++) logFault(log, { err, event: 'closer_fault' }, 'listings could not be closed')
  assert.deepEqual(lines, [[{ err, event: 'closer_fault' }, 'listings could not be closed']])
  t.mock.timers.tick(60_000)
  assert.deepEqual(lines[1], [{ event: 'closer_fault', times: 99 }, 'listings could not be closed: 99 more in the last minute'])
  t.mock.timers.tick(60_000)
  assert.equal(lines.length, 2, 'nothing happened since')
  logFault(log, { err: new Error('a bug'), event: 'closer_fault' }, 'x')
  logFault(log, { err: new Error('a bug'), event: 'closer_fault' }, 'x')
  assert.equal(lines.length, 4, 'other faults are logged each time')
})

const misspelt: [string, string][] = [
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['STRIPE_SECRET', 'STRIPE_SECRET_KEY'],
  ['SESION_SECRET', 'SESSION_SECRET'],
  ['database_url', 'DATABASE_URL'],
]
for (const [name, meant] of misspelt) {
  test(`21: ${name} is refused, and named in an explicit sandbox`, () => {
    const says = `${name} is not a variable of Yardbid: is ${meant} meant?`
    assert.throws(() => readConfig({ [name]: 'x' }), new RegExp(says.replace('?', '\\?')))
    const config = readConfig({ [name]: 'x', SANDBOX: '1' })
    assert.deepEqual(config.misspelt, [says])
    assert.ok(welcome(config).includes(says))
  })
}

test('21: variables of others are left alone', () => {
  const others = [
    'PATH',
    'HOME',
    'HOSTNAME',
    'PGHOST',
    'NODE_ENV',
    'LOGNAME',
    'COLORTERM',
    'npm_config_prefix',
    'DATABASE_URL_REPLICA',
    'AWS_REGION',
  ]
  assert.deepEqual(readConfig(Object.fromEntries(others.map((name) => [name, 'x']))).misspelt, [])
})

test('21: a sandbox listens on this machine alone unless SANDBOX=1 says that it is one', () => {
  for (const HOST of ['0.0.0.0', '::', '192.168.1.20'])
    assert.throws(() => readConfig({ HOST }), /HOST must be this machine alone.*SANDBOX=1 allows it/)
  for (const HOST of ['127.0.0.1', '::1', 'localhost']) assert.equal(readConfig({ HOST }).host, HOST)
  assert.equal(readConfig({ HOST: '0.0.0.0', SANDBOX: '1' }).host, '0.0.0.0')
  assert.equal(readConfig({ HOST: '0.0.0.0', DATABASE_URL: 'postgres://x@127.0.0.1/x' }).host, '0.0.0.0')
})

test('21: a sandbox says in capitals that it is one', () => assert.match(welcome(readConfig({})), /^THIS IS A SANDBOX: DEMO DATA/m))

const lacks: [string, Record<string, string>, RegExp][] = [
  ['uploads on local disk', {}, /^S3_BUCKET is not set: uploads are files on this machine/],
  ['no TRUST_PROXY behind a proxy', { PUBLIC_URL: 'https://yardbid.example' }, /^TRUST_PROXY is not set, and PUBLIC_URL is behind a proxy/],
  ['MAIL_FROM on .test', {}, /^MAIL_FROM is Yardbid <no-reply@yardbid\.test>/],
]
for (const [what, env, says] of lacks) {
  test(`21: production is warned of ${what}`, () => {
    const warnings = missing(readConfig({ DATABASE_URL: 'postgres://x@127.0.0.1/x', ...env }))
    assert.ok(
      warnings.some((line) => says.test(line)),
      warnings.join('\n'),
    )
  })
}

test('21: production that has everything is warned of nothing', () => {
  const config = readConfig({
    ...stripe,
    DATABASE_URL: 'postgres://x@127.0.0.1/x',
    PUBLIC_URL: 'https://yardbid.example',
    TRUST_PROXY: '10.0.0.1',
    MAIL_FROM: 'Yardbid <no-reply@yardbid.example>',
    SMTP_URL: 'smtp://127.0.0.1',
    ADDRESS_API_KEY: 'x',
    SESSION_SECRET: 'x'.repeat(32),
    S3_BUCKET: 'x',
    S3_ACCESS_KEY_ID: 'x',
    S3_SECRET_ACCESS_KEY: 'x',
  })
  assert.deepEqual(missing(config), [])
})
