import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { demoUser, goodPassword, signUp, signUpForm } from '#tests/support/people.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

// The security checklist, items 25, 32-34, 37, 39, 40: input, output and operation.

let yard: Yard
before(async () => (yard = await openYard({ demo: true })))
after(() => yard.close())

const forbidden = {
  tier: 'full',
  permissions: {},
  onboarded: true,
  suspended: false,
  is_owner: true,
  status: 2,
  current_price: 1,
  seller_id: 'x',
  role: 'admin',
  subscription: {},
  is_admin: true,
  id: 'x',
  password_hash: 'x',
}

test('25: fields that are not the caller’s to set are refused by name, and nothing changes', async () => {
  const { client, id } = await signUp(yard)
  for (const [field, value] of Object.entries(forbidden)) {
    const onRegister = await yard.client().post('/api/v1/auth/register/web', signUpForm({ [field]: value }))
    assert.deepEqual([onRegister.status, Object.keys(onRegister.body.errors)], [422, [field]], field)
    const onProfile = await client.put('/api/v1/auth/me', { surname: 'Changed', [field]: value })
    assert.deepEqual([onProfile.status, Object.keys(onProfile.body.errors)], [422, [field]], field)
  }
  const nested = await client.put('/api/v1/auth/me', { profile: { company_name: 'X', tier: 'full' } })
  assert.deepEqual([nested.status, Object.keys(nested.body.errors)], [422, ['profile.tier']])
  const { rows } = await yard.owner.query('select tier, role, surname from users where id = $1', [id])
  assert.deepEqual(rows[0], { tier: 'basic', role: null, surname: 'Smith' })
})

test('32: every answer carries the security headers, whatever its kind', async () => {
  const client = await demoUser(yard, 'seller')
  const answers = [
    await client.get('/api/v1/auth/me'),
    await client.get('/api/v1/config'),
    await client.get('/nothing/here'),
    await client.put('/api/v1/auth/me', { bad: true }),
    await yard.client().get('/api/v1/auth/me'),
    await client.get('/sandbox/mail'),
    await client.get('/healthz'),
    await client.get('/%'),
    await client.get('/api/%E0%A4%A'),
  ]
  for (const { headers, status } of answers) {
    const policy = headers.get('content-security-policy') ?? ''
    for (const part of ["default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "script-src 'self'"])
      assert.ok(policy.includes(part), `${status}: ${part}`)
    assert.doesNotMatch(policy, /unsafe/)
    assert.match(headers.get('strict-transport-security') ?? '', /max-age=(\d{8,}); includeSubDomains/)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.ok(headers.get('referrer-policy'))
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('server'), null)
    assert.equal(headers.get('x-powered-by'), null)
  }
})

test('33: numbers are numbers: nothing is coerced in a body', async () => {
  const client = yard.client()
  for (const value of ['1.5', '100', null, true, [5], {}, 1e21, 9007199254740993, -91, 'NaN']) {
    const form = signUpForm()
    const answer = await client.post('/api/v1/auth/register/web', { ...form, address: { ...form.address, latitude: value } })
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['address.latitude']], JSON.stringify(value))
  }
  for (const raw of ['{"latitude": NaN}', '{"a": Infinity}', '{"a": 01}']) {
    assert.equal(
      (await client.ask('POST', '/api/v1/auth/register/web', { raw, headers: { 'content-type': 'application/json' } })).status,
      400,
    )
  }
})

test('33: keys that reach for the prototype are refused', async () => {
  const client = await demoUser(yard, 'seller')
  for (const raw of [
    '{"__proto__": {"is_admin": true}}',
    '{"profile": {"__proto__": {"x": 1}}}',
    '{"constructor": {"prototype": {"x": 1}}}',
  ]) {
    const answer = await client.ask('PUT', '/api/v1/auth/me', { raw, headers: { 'content-type': 'application/json' } })
    assert.ok([400, 422].includes(answer.status), `${raw}: ${answer.status}`)
  }
  assert.equal(({} as Record<string, unknown>)['is_admin'], undefined)
})

const heavy: [string, () => { raw: string | Buffer; headers?: Record<string, string> }][] = [
  ['a body of 1.1 MB', () => ({ raw: JSON.stringify({ first_name: 'x'.repeat(1_100_000) }) })],
  ['a body 10,000 levels deep', () => ({ raw: '['.repeat(10_000) + ']'.repeat(10_000) })],
  [
    'a body of 100,000 keys',
    () => ({ raw: JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, nth) => [`k${nth}`, 1]))) }),
  ],
  [
    'a body of thousands of unknown keys within the limit',
    () => ({ raw: JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, nth) => [`k${nth}`, 1]))) }),
  ],
  ['a gzip bomb', () => ({ raw: gzipSync(Buffer.alloc(20_000_000)), headers: { 'content-encoding': 'gzip' } })],
  ['a header of 20 kB', () => ({ raw: '{}', headers: { 'x-filler': 'x'.repeat(20_000) } })],
  ['half a JSON', () => ({ raw: '{"first_name":' })],
  ['no JSON at all', () => ({ raw: '\u0000\u0001' })],
]

for (const [what, make] of heavy) {
  test(`34: ${what} gets a plain 4xx`, async () => {
    const client = await demoUser(yard, 'seller')
    const { raw, headers } = make()
    const answer = await client.ask('PUT', '/api/v1/auth/me', { raw, headers: { 'content-type': 'application/json', ...headers } })
    assert.ok(answer.status >= 400 && answer.status < 500, String(answer.status))
    assert.ok(answer.body.message && answer.body.code)
    assert.doesNotMatch(JSON.stringify(answer.body), /node_modules|at \w+ \(|select |\.ts:/)
  })
}

test('34: ten thousand query parameters get a plain answer', async () => {
  const query = Array.from({ length: 2_000 }, (_, nth) => `a${nth}=1`).join('&')
  assert.equal((await yard.client().get(`/api/v1/config?${query}`)).status, 200)
  assert.equal((await yard.client().get(`/api/v1/config?${query.repeat(10)}`)).status, 431)
})

test('34: a connection on which nothing is asked ends with 408, after which a browser asks again on another', async () => {
  // browsers open them ahead of need; the server waits 5 s, and looks every 2 s
  assert.match(await raw(''), /^HTTP\/1\.1 408 /)
})

test('37: a location is text to look up, never an address to fetch', async () => {
  for (const text of [
    'http://169.254.169.254/latest',
    '@evil.test',
    'M1 4BT\r\nHost: evil',
    'file:///etc/passwd',
    '//evil.test',
    '%00',
    '../../x',
  ]) {
    for (const path of [`post-code?postalCode=${encodeURIComponent(text)}`, `street-details?location=${encodeURIComponent(text)}`]) {
      const { status } = await yard.client().get(`/api/v1/location/${path}`)
      assert.ok([200, 404, 422].includes(status), `${path}: ${status}`)
    }
  }
})

test('39: what is not a place of ours is not there', async () => {
  for (const path of [
    '/.git/config',
    '/.env',
    '/metrics',
    '/docs',
    '/debug',
    '/server/main.ts',
    '/package.json',
    '/node_modules/',
    '/database/migrations/0001-accounts.sql',
    '/api/',
    '/api/v1/',
    '/assets/../package.json',
    '/assets/..%2f..%2fpackage.json',
  ]) {
    const { status, body } = await yard.client().get(path)
    assert.equal(status, 404, path)
    assert.doesNotMatch(JSON.stringify(body), /"dependencies"/)
  }
  const trace = await raw('TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  assert.match(trace, /^HTTP\/1\.1 (404|405)/)
})

test('39: a fault says nothing of its cause but a number to quote', async () => {
  await yard.owner.query('alter table addresses rename to addresses_away')
  try {
    const client = await demoUser(yard, 'seller')
    const answer = await client.get('/api/v1/auth/me')
    assert.equal(answer.status, 500)
    assert.deepEqual(Object.keys(answer.body).sort(), ['code', 'message', 'request_id'])
    assert.doesNotMatch(JSON.stringify(answer.body), /addresses|relation|select/)
    const quoted = /quote (\S+?)\.?$/.exec(answer.body.message)?.[1] ?? ''
    assert.ok(
      yard.logs.some((line) => line.includes('"event":"fault"') && line.includes(`"reqId":"${quoted}"`)),
      'the log knows the number',
    )
  } finally {
    await yard.owner.query('alter table addresses_away rename to addresses')
  }
})

test('39: a request that two servers would read differently is refused', async () => {
  const smuggled =
    'POST /auth/logout HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
  const answer = await raw(smuggled)
  assert.match(answer, /^HTTP\/1\.1 400/)
  assert.doesNotMatch(answer, /"status":"ok"/)
})

test('40: a row that the database refuses is not quoted in the logs', async () => {
  const { client, email } = await signUp(yard)
  await yard.owner.query(`alter table users add constraint canary check (surname <> 'Canary')`)
  try {
    assert.equal((await client.put('/api/v1/auth/me', { surname: 'Canary' })).status, 500)
  } finally {
    await yard.owner.query('alter table users drop constraint canary')
  }
  const fault = yard.logs.find((line) => line.includes('check constraint \\"canary\\"')) ?? ''
  assert.ok(fault, 'the fault itself is logged')
  for (const secret of ['argon2id', email, '1985-05-20']) assert.ok(!fault.includes(secret), secret)
})

test('40: the logs tell who did what and when, and hold no secret', async () => {
  const secrets = { password: 'Canary-Pass-77', wrong: 'Canary-Wrong-78', born: '1961-03-09' }
  const form = signUpForm({ password: secrets.password, password_confirmation: secrets.password })
  form.profile.date_of_birth = secrets.born
  const client = yard.client()
  await client.post('/api/v1/auth/register/web', form)
  await client.logIn(form.email, secrets.wrong, { 'user-agent': 'Mozilla evil\tname' })
  await client.logIn(form.email, secrets.password)
  const token = client.cookies.get('sid') ?? ''
  await yard.client().get('/api/v1/auth/verify-email?token=canary-token-79')
  await client.ask('PUT', '/api/v1/auth/me', { body: {}, csrf: false })
  await client.put('/api/v1/auth/me', { tier: 'full' })
  for (let nth = 0; nth < 6; nth++) await yard.client().logIn('canary@example.test', secrets.wrong)

  const all = yard.logs.join('')
  for (const secret of [...Object.values(secrets), token, 'canary-token-79', goodPassword, 'argon2id'])
    assert.ok(!all.includes(secret), secret)
  const events = yard.logs.map((line) => JSON.parse(line) as Record<string, unknown>)
  const has = (wanted: Record<string, unknown>) =>
    events.some((event) => Object.entries(wanted).every(([key, value]) => event[key] === value) && event['time'] && event['ip'])
  assert.ok(has({ event: 'registered' }))
  assert.ok(has({ event: 'login' }))
  assert.ok(has({ event: 'refused', code: 'credentials_wrong' }))
  assert.ok(has({ event: 'refused', code: 'too_many_attempts' }))
  assert.ok(has({ event: 'refused', code: 'csrf_token_mismatch' }))
  assert.ok(has({ event: 'refused', code: 'invalid', status: 422 }), 'a field that is not the caller’s to set')
  assert.ok(
    yard.logs.every((line) => line.indexOf('\n') === line.length - 1),
    'one event, one line',
  )
})

/** Bytes as they are, and what comes back until the server closes. */
async function raw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(yard.url)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.on('data', (chunk) => (answer += String(chunk)))
  socket.write(bytes)
  await once(socket, 'close')
  return answer
}
