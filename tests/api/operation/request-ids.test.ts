import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { signUp } from '#tests/support/people.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
before(async () => void (yard = await openYard()))
after(() => yard.close())

type Line = { reqId?: string; event?: string; route?: string; status?: number; user_id?: string; ms?: number }
const lines = () => yard.logs.flatMap((chunk) => chunk.trim().split('\n')).map((line) => JSON.parse(line) as Line)

/** The line is written after the answer. */
async function lineOf(id: string | null, event: string): Promise<Line> {
  for (;;) {
    const line = lines().find((each) => each.reqId === id && each.event === event)
    if (line) return line
    await pause(5)
  }
}

test('every answer carries an id of its own, and the log has a line with it that says who, where and how long', async () => {
  const { client, id: userId } = await signUp(yard)
  const [one, other] = [await client.get('/api/v1/auth/me'), await client.get('/api/v1/auth/me')]
  const [first, second] = [one, other].map(({ headers }) => headers.get('x-request-id'))
  assert.match(first ?? '', /^[\da-f]{8}-[\da-f]{4}$/)
  assert.notEqual(first, second)
  const line = await lineOf(first ?? '', 'request')
  assert.deepEqual([line.route, line.status, line.user_id], ['/api/v1/auth/me', 200, userId])
  assert.equal(typeof line.ms, 'number')
})

test('an id that the caller sends is not taken over', async () => {
  const { headers } = await yard.client().get('/api/v1/config', { 'x-request-id': 'mine', 'request-id': 'mine' })
  assert.match(headers.get('x-request-id') ?? '', /^[\da-f]{8}-[\da-f]{4}$/)
})

/** As it stands: fetch would put the address right. */
const rawGet = (path: string) =>
  new Promise<{ status: number | undefined; id: unknown }>((resolve, reject) => {
    const { hostname, port } = new URL(yard.url)
    request({ hostname, port, path }, (answer) => {
      answer.resume()
      resolve({ status: answer.statusCode, id: answer.headers['x-request-id'] })
    })
      .on('error', reject)
      .end()
  })

for (const [what, path, status] of [
  ['a page that is not there', '/api/v1/nowhere', 404],
  ['a refusal', '/api/v1/auth/me', 401],
  ['an address that cannot be read', '/api/v1/listings/%zz', 400],
] as const)
  test(`${what} has an id too`, async () => {
    const answer = await rawGet(path)
    assert.equal(answer.status, status)
    assert.match(String(answer.id), /^[\da-f]{8}-[\da-f]{4}$/)
  })

test('a fault names its id in header, body and sentence, and the log has its cause under it', async () => {
  const { client } = await signUp(yard)
  await yard.owner.query('alter table addresses rename to addresses_away')
  try {
    const { status, headers, body } = await client.get('/api/v1/auth/me')
    const id = headers.get('x-request-id')
    assert.deepEqual([status, body.request_id], [500, id])
    assert.ok(body.message.includes(`quote ${id}`), body.message)
    assert.equal((await lineOf(id, 'fault')).route, '/api/v1/auth/me')
  } finally {
    await yard.owner.query('alter table addresses_away rename to addresses')
  }
})

test('a refusal says the same each time it is asked for: its id is in the header alone', async () => {
  const [one, other] = [await yard.client().get('/api/v1/auth/me'), await yard.client().get('/api/v1/auth/me')]
  assert.deepEqual(one.body, other.body)
  assert.notEqual(one.headers.get('x-request-id'), other.headers.get('x-request-id'))
})

test('a worker answers with an id as well', async () => {
  const worker = await yard.another({ ROLE: 'worker' })
  const answer = await fetch(`${worker.url}/healthz`)
  assert.match(answer.headers.get('x-request-id') ?? '', /^[\da-f]{8}-[\da-f]{4}$/)
  await worker.stop()
})
