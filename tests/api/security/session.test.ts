import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { demoPassword } from '#database/demo/users.ts'
import { commandTrail } from '#server/db/audit.ts'
import { actAsAdmin } from '#server/features/account/admin.ts'
import { openDatabase } from '#server/db/db.ts'
import { newClient } from '#tests/support/client.ts'
import { demoUser, goodPassword, signUp } from '#tests/support/people.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

// The security checklist, items 1 to 12: session and CSRF.

let yard: Yard
before(async () => (yard = await openYard({ demo: true, env: { PUBLIC_URL: 'https://yard.example' } })))
after(() => yard.close())

const SID = '__Host-sid'

test('1: a login sets a __Host- cookie that is Secure, HttpOnly, SameSite=Lax, and says the token nowhere else', async () => {
  const client = yard.client()
  const answer = await client.logIn('seller@yardbid.test', demoPassword)
  assert.equal(answer.status, 200)
  const cookie = answer.cookies.find((line) => line.startsWith(`${SID}=`)) ?? ''
  assert.match(cookie, /; Path=\/(;|$)/)
  assert.match(cookie, /; HttpOnly(;|$)/)
  assert.match(cookie, /; Secure(;|$)/)
  assert.match(cookie, /; SameSite=Lax(;|$)/)
  assert.doesNotMatch(cookie, /Domain=/i)
  const token = client.cookies.get(SID) ?? ''
  assert.ok(Buffer.from(token, 'base64url').length >= 16, 'at least 128 bits')
  assert.ok(!JSON.stringify(answer.body).includes(token))
  assert.equal(answer.body.data.user.permissions.auction_bid.enabled, true)
})

test('13: over plain http, also on localhost, no cookie is Secure or __Host-, because WebKit would drop it', async () => {
  for (const PUBLIC_URL of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://yard.test']) {
    const other = await yard.another({ PUBLIC_URL })
    const client = newClient(other.url)
    const { cookies } = await client.logIn('seller@yardbid.test', demoPassword)
    assert.deepEqual(new Set(cookies.map((line) => line.split('=')[0])), new Set(['XSRF-TOKEN', 'sid']), PUBLIC_URL)
    for (const line of cookies) assert.doesNotMatch(line, /Secure/i, PUBLIC_URL)
    assert.match(cookies.find((line) => line.startsWith('sid=')) ?? '', /HttpOnly.*SameSite=Lax|SameSite=Lax.*HttpOnly/)
    assert.equal((await client.get('/api/v1/auth/me')).status, 200)
    await other.stop()
  }
})

test('2: a login gives a new session id and kills the one that came with it', async () => {
  const client = await demoUser(yard, 'buyer')
  const old = client.cookies.get(SID) ?? ''
  await client.logIn('buyer@yardbid.test', demoPassword)
  assert.notEqual(client.cookies.get(SID), old)
  assert.equal((await yard.client({ [SID]: old }).get('/api/v1/auth/me')).status, 401)
  assert.equal((await client.get('/api/v1/auth/me')).status, 200)
})

test('2: a session id that a visitor brings along is not taken over', async () => {
  const planted = 'A'.repeat(43)
  const client = yard.client({ [SID]: planted })
  await client.logIn('buyer@yardbid.test', demoPassword)
  assert.notEqual(client.cookies.get(SID), planted)
  assert.equal((await yard.client({ [SID]: planted }).get('/api/v1/auth/me')).status, 401)
})

test('3: after logout the old cookie is worth nothing, on any instance', async () => {
  const client = await demoUser(yard, 'buyer')
  const old = client.cookies.get(SID) ?? ''
  const other = await yard.another()
  assert.equal((await newClient(other.url, { [SID]: old }).get('/api/v1/auth/me')).status, 200)
  assert.equal((await client.post('/auth/logout')).status, 204)
  assert.equal(client.cookies.has(SID), false)
  assert.equal((await yard.client({ [SID]: old }).get('/api/v1/auth/me')).status, 401)
  assert.equal((await newClient(other.url, { [SID]: old }).get('/api/v1/auth/me')).status, 401)
})

test('4: a changed password ends the other sessions and renews the own one', async () => {
  const { client, email } = await signUp(yard)
  const elsewhere = yard.client()
  await elsewhere.logIn(email, goodPassword)
  const before = client.cookies.get(SID) ?? ''
  const next = 'Zinc-and-Lead-9'
  const changed = await client.put('/api/v1/auth/me/password', {
    current_password: goodPassword,
    password: next,
    password_confirmation: next,
  })
  assert.equal(changed.status, 200)
  assert.equal(changed.body.message, 'Successfully updated password')
  assert.notEqual(client.cookies.get(SID), before)
  assert.equal((await client.get('/api/v1/auth/me')).status, 200)
  assert.equal((await elsewhere.get('/api/v1/auth/me')).status, 401)
  assert.equal((await yard.client({ [SID]: before }).get('/api/v1/auth/me')).status, 401)
  assert.equal((await yard.client().logIn(email, goodPassword)).status, 401)
  assert.equal((await yard.client().logIn(email, next)).status, 200)
})

test('5: suspension ends every session and refuses the next login', async () => {
  const { client, email } = await signUp(yard)
  const db = openDatabase(yard.databaseUrl, 1)
  await actAsAdmin(db, { act: 'suspend', email, reason: 'test', audit: commandTrail('test') })
  assert.equal((await client.get('/api/v1/auth/me')).status, 401)
  const refused = await yard.client().logIn(email, goodPassword)
  assert.equal(refused.status, 403)
  assert.equal(refused.body.code, 'account_suspended')
  assert.match(refused.body.message, /contact us at support@yardbid\.test/)
  await actAsAdmin(db, { act: 'unsuspend', email, reason: '', audit: commandTrail('test') })
  assert.equal((await yard.client().logIn(email, goodPassword)).status, 200)
  await db.destroy()
})

test('5: deletion ends every session', async () => {
  const { client, email } = await signUp(yard)
  const elsewhere = yard.client()
  await elsewhere.logIn(email, goodPassword)
  assert.equal((await client.post('/api/v1/auth/me/delete', { reason: 'moving on' })).status, 204)
  assert.equal((await elsewhere.get('/api/v1/auth/me')).status, 401)
  assert.equal((await client.get('/api/v1/auth/me')).status, 401)
})

test('7: every change without the CSRF token is a 419 and changes nothing', async () => {
  const { client, id } = await signUp(yard)
  const { client: stranger } = await signUp(yard)
  const strangersToken = stranger.cookies.get('XSRF-TOKEN') ?? ''
  const own = client.cookies.get('XSRF-TOKEN') ?? ''
  const body = { first_name: 'Changed' }
  assert.equal((await client.ask('PUT', '/api/v1/auth/me', { body, csrf: false })).status, 419)
  assert.equal((await client.ask('PUT', '/api/v1/auth/me', { body, csrf: `${own}x` })).status, 419)
  const swapped = yard.client({ [SID]: client.cookies.get(SID) ?? '', 'XSRF-TOKEN': strangersToken })
  assert.equal((await swapped.put('/api/v1/auth/me', body)).status, 419)
  const tampered = yard.client({ [SID]: client.cookies.get(SID) ?? '', 'XSRF-TOKEN': `${own}x` })
  assert.equal((await tampered.put('/api/v1/auth/me', body)).status, 419)
  const { rows } = await yard.owner.query('select first_name from users where id = $1', [id])
  assert.equal(rows[0].first_name, 'Jo')
  assert.equal((await client.put('/api/v1/auth/me', body)).status, 200)
})

test('7: every changing route refuses without the token', async () => {
  const client = await demoUser(yard, 'seller')
  const guarded = changingRoutes().filter(({ config }) => config?.csrf !== false)
  const others = changingRoutes().filter(({ config }) => config?.csrf === false)
  assert.deepEqual(
    others.map(({ url }) => url).sort(),
    ['/api/v1/unsubscribe/:token', '/files/upload/*', '/sandbox/push', '/sandbox/push/:id', '/sandbox/push/:id', '/stripe/webhook'],
    'but where the credential is a token or a signature, and at the sandbox’s push service, which is nobody’s session',
  )
  for (const { method, url } of guarded) {
    const answer = await client.ask(method, url, { body: {}, csrf: false })
    assert.equal(answer.status, 419, `${method} ${url}`)
  }
})

test('8: a change that comes from another site is refused', async () => {
  const client = await demoUser(yard, 'seller')
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of foreign) {
    const answer = await client.put('/api/v1/auth/me', { first_name: 'Eve' }, headers)
    assert.equal(answer.status, 403, JSON.stringify(headers))
  }
  assert.equal(
    (await client.put('/api/v1/auth/me', { first_name: 'Sarah' }, { origin: yard.url, 'sec-fetch-site': 'same-origin' })).status,
    200,
  )
})

test('9: only JSON is read as JSON, whatever the content type pretends', async () => {
  const client = await demoUser(yard, 'seller')
  const raw = JSON.stringify({ first_name: 'Sarah', is_admin: true })
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json\ta',
    'text/html',
    'application/jsonx',
    'x',
  ]) {
    const answer = await client.ask('PUT', '/api/v1/auth/me', { raw, headers: { 'content-type': type } })
    assert.ok([400, 415].includes(answer.status), `${type}: ${answer.status}`)
  }
  const { rows } = await yard.owner.query(`select role from users where email = 'seller@yardbid.test'`)
  assert.equal(rows[0].role, null)
  // variants of the right type are still held to the schema
  for (const type of ['application/json;charset=utf-8', 'APPLICATION/JSON', 'application/json; x=y']) {
    assert.equal((await client.ask('PUT', '/api/v1/auth/me', { raw, headers: { 'content-type': type } })).status, 422, type)
  }
})

test('10: GET, HEAD and OPTIONS change nothing, and a method cannot be overridden', async () => {
  const { client, id } = await signUp(yard)
  // its account at the payment provider is being made
  await yard.jobsDone()
  const state = async () =>
    JSON.stringify(
      (await yard.owner.query('select u.*, (select count(*) from sessions where user_id = u.id) from users u where id = $1', [id])).rows,
    )
  const before = await state()
  for (const { method, url } of changingRoutes()) {
    for (const safe of ['GET', 'HEAD', 'OPTIONS']) {
      const answer = await client.ask(safe, url, { headers: { 'x-http-method-override': method, 'x-method-override': method } })
      assert.ok(answer.status < 500, `${safe} ${url}: ${answer.status}`)
    }
  }
  assert.equal(await state(), before)
  assert.equal((await client.get('/api/v1/auth/me')).status, 200)
})

test('12: another origin is told nothing that would let it read answers', async () => {
  for (const origin of ['https://evil.test', 'null']) {
    for (const method of ['OPTIONS', 'GET']) {
      const answer = await yard.client().ask(method, '/api/v1/config', { headers: { origin, 'access-control-request-method': 'POST' } })
      assert.deepEqual(
        [...answer.headers.keys()].filter((name) => name.startsWith('access-control')),
        [],
      )
    }
  }
})

// last: the clock does not come back
test('6: an idle session and an old session end', async () => {
  const idle = await demoUser(yard, 'rival')
  await yard.travel('8 days')
  assert.equal((await idle.get('/api/v1/auth/me')).status, 401)

  const busy = await demoUser(yard, 'rival')
  for (const day of [13, 18, 23, 28, 33]) {
    await yard.travel(`${day} days`)
    assert.equal((await busy.get('/api/v1/auth/me')).status, 200, `day ${day}`)
  }
  await yard.travel('39 days')
  assert.equal((await busy.get('/api/v1/auth/me')).status, 401)
})

const changingRoutes = () =>
  yard.app.routeTable
    .map(({ method, url, config }) => ({ method: String(method), url, config }))
    .filter(({ method }) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
