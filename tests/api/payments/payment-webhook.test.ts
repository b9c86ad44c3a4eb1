import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Stripe } from 'stripe'
import { closeSound, openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
before(async () => (yard = await openYard()))
after(() => closeSound(yard))

const payload = (id: string) =>
  JSON.stringify({ id, object: 'event', type: 'balance.available', created: 1_700_000_000, data: { object: { object: 'balance' } } })
const signed = (body: string, more: { timestamp?: number; secret?: string } = {}) =>
  Stripe.webhooks.generateTestHeaderString({ payload: body, secret: yard.payment.webhookSecret, ...more })
const now = () => Math.floor(Date.now() / 1_000)

async function send(body: string, headers: Record<string, string>) {
  const answer = await fetch(`${yard.url}/stripe/webhook`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
  return { status: answer.status, body: (await answer.json()) as any }
}
const stored = async (id: string) => (await yard.owner.query('select * from provider_events where id = $1', [id])).rows

const refused: [what: string, make: (body: string) => { body?: string; headers: Record<string, string> }][] = [
  ['no signature', () => ({ headers: {} })],
  ['a signature that is none', () => ({ headers: { 'stripe-signature': 'v1=x' } })],
  ["another's signature", (body) => ({ headers: { 'stripe-signature': signed(body, { secret: 'whsec_other' }) } })],
  [
    'a body with one byte changed',
    (body) => ({ body: body.replace('balance.available', 'balance.availablf'), headers: { 'stripe-signature': signed(body) } }),
  ],
  ['a body with one space more', (body) => ({ body: `${body} `, headers: { 'stripe-signature': signed(body) } })],
  ['a signature 301 seconds old', (body) => ({ headers: { 'stripe-signature': signed(body, { timestamp: now() - 301 }) } })],
]

for (const [what, make] of refused) {
  test(`38: a webhook with ${what} is refused, and leaves no row`, async () => {
    const id = `evt_${what.replaceAll(/\W/g, '')}`
    const body = payload(id)
    const made = make(body)
    const answer = await send(made.body ?? body, made.headers)
    assert.deepEqual([answer.status, answer.body.code], [400, 'signature_invalid'])
    assert.deepEqual(await stored(id), [])
  })
}

test('38: the same event twice is answered 200 twice, stored once and applied once', async () => {
  const body = payload('evt_twice')
  const headers = { 'stripe-signature': signed(body) }
  const answers = await Promise.all([send(body, headers), send(body, headers), send(body, headers)])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
  await yard.jobsDone()
  const rows = await stored('evt_twice')
  assert.equal(rows.length, 1)
  assert.notEqual(rows[0].applied_at, null)
})

test('38: the webhook is exempt from the CSRF token and from nothing else', async () => {
  const body = payload('evt_plain')
  const headers = { 'stripe-signature': signed(body) }
  assert.equal((await send(body, { ...headers, 'content-type': 'text/plain' })).status, 415)
  assert.equal((await send(body, { ...headers, 'content-type': 'application/x-www-form-urlencoded' })).status, 415)
  const large = payload(`evt_${'x'.repeat(600_000)}`)
  assert.equal((await send(large, { 'stripe-signature': signed(large) })).status, 413)
  assert.deepEqual(await stored('evt_plain'), [])
  const answer = await fetch(`${yard.url}/stripe/webhook`)
  assert.equal(answer.status, 404)
  const elsewhere = await fetch(`${yard.url}/stripe/webhook`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
  assert.match(elsewhere.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  assert.equal(elsewhere.headers.get('x-content-type-options'), 'nosniff')
})

test('38: events of our own account and of users’ accounts come with a secret each', async (t) => {
  const { webhookSecret } = yard.payment
  t.after(() => (yard.payment.webhookSecret = webhookSecret))
  yard.payment.webhookSecret = `${webhookSecret},whsec_users`
  for (const secret of [webhookSecret, 'whsec_users']) {
    const body = payload(`evt_by_${secret}`)
    assert.equal((await send(body, { 'stripe-signature': signed(body, { secret }) })).status, 200)
  }
  const body = payload('evt_by_all')
  assert.equal((await send(body, { 'stripe-signature': signed(body, { secret: yard.payment.webhookSecret }) })).status, 400)
})

const malformed: [what: string, body: string][] = [
  ['no JSON', 'nonsense'],
  ['null', 'null'],
  ['no object', '"evt_1"'],
  ['no id', JSON.stringify({ ...JSON.parse(payload('x')), id: undefined })],
  ['no data', JSON.stringify({ ...JSON.parse(payload('evt_bare')), data: undefined })],
  ['an object that is none', JSON.stringify({ ...JSON.parse(payload('evt_bare')), data: { object: 7 } })],
  ['a time that is none', JSON.stringify({ ...JSON.parse(payload('evt_bare')), created: 'yesterday' })],
  ['a time beyond all calendars', JSON.stringify({ ...JSON.parse(payload('evt_bare')), created: 1e300 })],
  ['a type that is a number', JSON.stringify({ ...JSON.parse(payload('evt_bare')), type: 7 })],
  ['a NUL in its id', JSON.stringify({ ...JSON.parse(payload('evt_bare')), id: 'evt_\0' })],
]

for (const [what, body] of malformed) {
  test(`25: a webhook that is signed but malformed (${what}) is a 400, and leaves no row`, async () => {
    const answer = await send(body, { 'stripe-signature': signed(body) })
    assert.deepEqual([answer.status, answer.body.code], [400, 'malformed'], JSON.stringify(answer.body))
    assert.deepEqual(await stored('evt_bare'), [])
  })
}
