import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { callersAllowed, rolesAllowed, type Access } from '#contract/endpoint.ts'
import { permissionsOf, type Permission, type Role, type Tier } from '#contract/values/permissions.ts'
import { demoPassword } from '#database/demo/users.ts'
import { buildApp } from '#server/app.ts'
import { newClient, type Client } from '#tests/support/client.ts'
import { demoUser, goodPassword, signUp, type DemoName } from '#tests/support/people.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
before(async () => (yard = await openYard({ demo: true, env: { READ_WITHIN_SECONDS: '1' } })))
after(() => yard.close())

async function suspended(): Promise<Client> {
  const { client, id } = await signUp(yard)
  await yard.owner.query('update users set suspended_at = app_now() where id = $1', [id])
  return client
}

async function deleted(): Promise<Client> {
  const { client, email } = await signUp(yard)
  await client.delete('/api/v1/auth/me')
  await client.logIn(email, goodPassword)
  return client
}

/** An admin without a second factor, on a server that is not a sandbox. */
async function unenrolled(): Promise<Client> {
  const { url } = await yard.another({ SANDBOX: '0' })
  const client = newClient(url)
  await client.logIn('admin@yardbid.test', demoPassword)
  return client
}

const member = (name: DemoName, tier: Tier, role: Role | null = null) =>
  ({ caller: 'member', tier, role, come: () => demoUser(yard, name) }) as const

const people = {
  visitor: { caller: 'visitor', tier: null, role: null, come: async () => yard.client() },
  suspended: { caller: 'visitor', tier: null, role: null, come: suspended },
  full: member('seller', 'full'),
  basic: member('basic', 'basic'),
  seller: member('trade', 'seller'),
  unfinished: member('new', 'basic'),
  admin: member('admin', 'full', 'admin'),
  support: member('support', 'full', 'support'),
  unenrolled: { caller: 'unenrolled', tier: null, role: 'admin', come: unenrolled },
  temporary: { caller: 'temporary_password', tier: null, role: null, come: () => demoUser(yard, 'temp') },
  deleted: { caller: 'deleted', tier: null, role: null, come: deleted },
} as const

// where these are allowed they end the session that walks: deletion.test.ts and the security tests walk through them
const leaves = new Set(['POST /auth/logout', 'DELETE /api/v1/auth/me', 'POST /api/v1/auth/me/delete', 'POST /api/v1/auth/me/restore'])

for (const [who, { caller, tier, role, come }] of Object.entries(people)) {
  test(`every route lets ${who} in or refuses, as it declares`, async () => {
    const client = await come()
    for (const { method, url, config } of routes()) {
      const hasPermission = !config.permission || (tier !== null && permissionsOf(tier)[config.permission].enabled)
      const isCaller = (callersAllowed[config.access] as readonly string[]).includes(caller) && hasPermission
      const roles = rolesAllowed[config.access]
      const isAllowed = isCaller && (!roles || roles.some((one) => one === role))
      if (isAllowed && leaves.has(`${method} ${url}`)) continue
      const { status } = await client.ask(method, url.replace('*', 'x'), { ...(method !== 'GET' && { body: {} }) })
      if (isAllowed) assert.ok(![403, 419].includes(status) && status < 500, `${method} ${url}: ${status}`)
      // the back office is not there for members without a role
      else if (isCaller && role === null) assert.equal(status, 404, `${method} ${url}`)
      else assert.equal(status, caller === 'visitor' ? 401 : 403, `${method} ${url}`)
    }
  })
}

test('a route that does not say who may call it fails the start', async () => {
  await assert.rejects(
    buildApp({
      deps: { cookies: {}, config: {}, files: {}, payment: {} } as never,
      trustProxy: [],
      connections: { most: 10, mostPerAddress: 10, readWithinMs: 1_000 },
      logger: false,
      webDir: null,
      more: (app) => void app.get('/api/v1/forgotten', async () => 'open to all'),
    }),
    /do not say who may call them: .*\/api\/v1\/forgotten/,
  )
})

test('the interface lists every endpoint that is routed, and its page is there', async () => {
  const { body } = await yard.client().get('/api/openapi.json')
  assert.equal(body.openapi, '3.1.0')
  const listed = new Set(
    Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    ),
  )
  const endpoints = routes().filter(({ schema }) => schema && !(schema as { hide?: boolean }).hide)
  for (const { method, url } of endpoints) assert.ok(listed.has(`${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`), `${method} ${url}`)
  const login = body.paths['/auth/login'].post.requestBody.content['application/json'].schema
  assert.deepEqual(login.required, ['email', 'password'])
  const page = await yard.client().get('/api/docs/')
  assert.equal(page.status, 200)
  const start = await fetch(`${yard.url}/api/docs/start.js`)
  assert.match(await start.text(), /openapi\.json/)
})

const docsScript = async () => /src="(\/api\/docs\/scalar-\w+\.js)"/.exec(await (await fetch(`${yard.url}/api/docs`)).text())?.[1] ?? ''

test('the script of the documentation is sent as a compressed file that may be kept for a year', async () => {
  const path = await docsScript()
  const packed = await fetch(yard.url + path, { headers: { 'accept-encoding': 'gzip' } })
  const plain = await fetch(yard.url + path, { headers: { 'accept-encoding': 'identity' } })
  assert.deepEqual([packed.headers.get('content-encoding'), plain.headers.get('content-encoding')], ['gzip', null])
  assert.ok(Number(packed.headers.get('content-length')) < Number(plain.headers.get('content-length')) / 3)
  assert.match(packed.headers.get('cache-control') ?? '', /max-age=31536000, immutable/)
  assert.equal(await packed.text(), await plain.text())
  assert.ok(packed.headers.get('etag'))
})

test('a client that asks for much and reads nothing is disconnected', async () => {
  const path = await docsScript()
  const { hostname, port } = new URL(yard.url)
  const accepted = once(yard.app.server, 'connection') as Promise<[Socket]>
  const client = connect(Number(port), hostname).on('error', () => undefined)
  const [socket] = await accepted
  // several answers: more than the systems on both sides hold
  client.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`.repeat(5))
  client.pause()
  await once(socket, 'close')
  client.destroy()
})

const routes = () =>
  yard.app.routeTable.flatMap(({ method, url, config, schema }) =>
    method === 'HEAD' || url.startsWith('/api/docs')
      ? []
      : [{ method: String(method), url, config: config as unknown as { access: Access; permission?: Permission }, schema }],
  )
