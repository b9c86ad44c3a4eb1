import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { hmrcVatRegister, noVatRegister, VatRegisterUnavailable } from '#server/providers/vat.ts'
import { act, acts, codesOf, ended, left, newMember, see, setUser, stepsOf } from '#tests/support/auctions/sale.ts'
import { failedVat } from '#tests/support/payments/vat.ts'
import { closeSound, openYard } from '#tests/support/yard.ts'

// The adapter of HMRC's register against a server that speaks its language, then the product with it.

type Reply = (response: ServerResponse) => void
const json =
  (status: number, value: unknown): Reply =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

const registered = json(200, {
  target: { name: 'Anvil Metals Ltd', vatNumber: '1' },
  requester: '2',
  consultationNumber: 'Y3A-XJ2-FFF',
  processingDate: '2026-11-15T12:00:00Z',
})
const unknown = json(404, { code: 'NOT_FOUND', message: 'targetVrn does not match a registered company' })

/** What it says of a number; those that it was not told of are registered. */
const says = new Map<string, Reply>()
let asked: { path: string; accept: string | undefined; authorization: string | undefined }[] = []
let tokens: URLSearchParams[] = []

const register = createServer((request, response) => void serve(request, response))
async function serve(request: IncomingMessage, response: ServerResponse) {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const path = request.url ?? ''
  if (path === '/oauth/token') {
    tokens.push(new URLSearchParams(body))
    return json(200, { access_token: `token-${tokens.length}`, expires_in: 14_400, token_type: 'bearer' })(response)
  }
  asked.push({ path, accept: request.headers.accept, authorization: request.headers.authorization })
  return (says.get(path.split('/')[5] ?? '') ?? registered)(response)
}
register.listen(0, '127.0.0.1')
await once(register, 'listening')
const url = `http://127.0.0.1:${(register.address() as AddressInfo).port}`
const credentials = { url, clientId: 'the-client', clientSecret: 'the-secret', ownNumber: 'GB111222333' }

const yard = await openYard({ vatRegister: hmrcVatRegister(credentials), env: { SETTINGS: JSON.stringify({ vat_window: '3d' }) } })
after(async () => {
  await closeSound(yard)
  register.closeAllConnections()
  register.close()
})

const fresh = () => {
  ;[asked, tokens] = [[], []]
  return hmrcVatRegister(credentials)
}
const vatOf = async (id: string) =>
  (await yard.owner.query('select vat_number, not_vat_registered, vat_status from users where id = $1', [id])).rows[0]
const lettersTo = async (email: string) =>
  (await yard.outbox.list(email)).filter(({ subject }) => subject.startsWith('We could not find your VAT number')).length
const member = async (vat: Record<string, unknown> = {}) => {
  const made = await newMember(yard, vat)
  await yard.jobsDone()
  return made
}

test('the register is asked with our own number, whose answer carries a reference; one token serves many', async () => {
  const hmrc = fresh()
  assert.deepEqual(await hmrc.check('GB123456789'), { outcome: 'valid', reference: 'Y3A-XJ2-FFF', registeredName: 'Anvil Metals Ltd' })
  await hmrc.check('XI123456789012')
  assert.deepEqual(
    asked.map(({ path, accept, authorization }) => [path, accept, authorization]),
    ['123456789', '123456789012'].map((number) => [
      `/organisations/vat/check-vat-number/lookup/${number}/111222333`,
      'application/vnd.hmrc.2.0+json',
      'Bearer token-1',
    ]),
  )
  assert.deepEqual(
    tokens.map((sent) => Object.fromEntries(sent)),
    [{ grant_type: 'client_credentials', client_id: 'the-client', client_secret: 'the-secret' }],
  )
})

test('without a number of our own there is no reference; a department has none to look up; no register says nothing', async () => {
  says.set('123456781', json(200, { target: { name: 'Anvil', vatNumber: '123456781' }, processingDate: '2026-11-15T12:00:00Z' }))
  const hmrc = hmrcVatRegister({ ...credentials, ownNumber: undefined })
  assert.deepEqual(await hmrc.check('GB123456781'), { outcome: 'valid', reference: null, registeredName: 'Anvil' })
  assert.ok(asked.at(-1)?.path.endsWith('/lookup/123456781'))
  assert.deepEqual([await hmrc.check('GBGD001'), await noVatRegister.check('GB123456789')], [undefined, undefined])
})

test('only the register’s own word makes a number fail', async () => {
  says.set('123456782', unknown)
  assert.deepEqual(await fresh().check('GB123456782'), { outcome: 'failed' })
})

const silences: [string, Reply][] = [
  ['a 404 of somebody else', json(404, { code: 'MATCHING_RESOURCE_NOT_FOUND' })],
  ['a fault', json(500, { code: 'INTERNAL_SERVER_ERROR' })],
  ['too many requests', json(429, { code: 'MESSAGE_THROTTLED_OUT' })],
  ['an answer without a name', json(200, { target: {} })],
  ['nonsense', (response) => void response.writeHead(200).end('<html>')],
  ['a redirect', (response) => void response.writeHead(302, { location: url }).end()],
  ['a broken connection', (response) => void response.destroy()],
]
for (const [what, reply] of silences) {
  test(`${what} says nothing about a number`, async () => {
    says.set('123456783', reply)
    await assert.rejects(fresh().check('GB123456783'), VatRegisterUnavailable)
  })
}

test('a token that is no longer taken is asked for anew', async () => {
  says.set('123456784', json(401, { code: 'INVALID_CREDENTIALS' }))
  const hmrc = fresh()
  await assert.rejects(hmrc.check('GB123456784'), VatRegisterUnavailable)
  says.delete('123456784')
  assert.equal((await hmrc.check('GB123456784'))?.outcome, 'valid')
  assert.deepEqual([tokens.length, asked.at(-1)?.authorization], [2, 'Bearer token-2'])
})

test('a number is checked when it is given and when it is changed; one that fails is told of once', async () => {
  says.set('555000111', unknown)
  const { client, id, email } = await member()
  assert.equal((await vatOf(id)).vat_status, 'valid')
  await client.put('/api/v1/auth/me', { vat_number: 'GB555000111' })
  await yard.jobsDone()
  assert.deepEqual(await vatOf(id), { vat_number: 'GB555000111', not_vat_registered: false, vat_status: 'failed' })
  assert.equal((await client.get('/api/v1/auth/me')).body.data.vat_status, 'failed')
  assert.equal(await lettersTo(email), 1)
  // the form sends the whole profile: a number that stays the same stays what it is
  const before = asked.length
  await client.put('/api/v1/auth/me', { vat_number: 'GB555000111', first_name: 'Ada' })
  await yard.jobsDone()
  assert.deepEqual([(await vatOf(id)).vat_status, asked.length, await lettersTo(email)], ['failed', before, 1])
  const held = new Promise<ServerResponse>((resolve) => says.set('555000222', resolve))
  await client.put('/api/v1/auth/me', { vat_number: 'GB555000222' })
  const response = await held
  assert.equal((await vatOf(id)).vat_status, 'unchecked')
  registered(response)
  await yard.jobsDone()
  assert.equal((await vatOf(id)).vat_status, 'valid')
})

test('what the register says of a number that was changed meanwhile says nothing of the new one', async () => {
  const { client, id } = await member()
  const held = new Promise<ServerResponse>((resolve) => says.set('555000333', resolve))
  await client.put('/api/v1/auth/me', { vat_number: 'GB555000333' })
  const response = await held
  await client.put('/api/v1/auth/me', { vat_number: 'GB555000444' })
  while ((await vatOf(id)).vat_status !== 'valid') await pause(5)
  unknown(response)
  await yard.jobsDone()
  assert.deepEqual(await vatOf(id), { vat_number: 'GB555000444', not_vat_registered: false, vat_status: 'valid' })
})

test('a register that is silent is asked again later, and nobody is stopped by it', async () => {
  says.set('555000555', json(503, {}))
  const { client, id } = await member()
  await client.put('/api/v1/auth/me', { vat_number: 'GB555000555' })
  await yard.jobsDone()
  assert.equal((await vatOf(id)).vat_status, 'unchecked')
  const { rows } = await yard.owner.query(`select attempts from jobs where kind = 'check_vat_number' and payload ->> 'user_id' = $1`, [id])
  assert.deepEqual(rows, [{ attempts: 1 }])
  assert.equal(await left(yard, await ended(yard, { client, id, email: '' }, [[await member(), 200_00]]), 'Active'), 'PendingPayment')
})

const waiting = async (vat: Record<string, unknown> = failedVat) => {
  says.set('123456700', unknown)
  const [seller, buyer] = [await member(vat), await member()]
  const id = await ended(yard, seller, [[buyer, 200_00]])
  assert.equal((await see(seller.client, id)).status.name, 'AwaitingVatNumberVerification')
  return { seller, buyer, id }
}
const correct = (client: Parameters<typeof act>[0], id: string, body: object) => act(client, id, 'correct_vat_number', body)

test('a correction counts when the register knows the number, and its reference is kept with the sale', async () => {
  const { seller, buyer, id } = await waiting()
  says.set('555000666', unknown)
  const wrong = await correct(seller.client, id, { vat_number: 'GB555000666' })
  assert.deepEqual([wrong.status, Object.keys(wrong.body.errors)], [422, ['vat_number']])
  says.set('555000777', json(500, {}))
  const silent = await correct(seller.client, id, { vat_number: 'GB555000777' })
  assert.deepEqual([silent.status, silent.body.code], [503, 'unavailable'])
  assert.deepEqual(await vatOf(seller.id), { ...failedVat, not_vat_registered: false })
  const before = asked.length
  assert.equal((await correct(buyer.client, id, { vat_number: 'GB555000888' })).status, 404)
  assert.equal(asked.length, before, 'nobody asks the register for somebody else')

  const both = await Promise.all([1, 2].map(() => correct(seller.client, id, { vat_number: 'GB555000888' })))
  assert.deepEqual(codesOf(both), [200, 409])
  assert.deepEqual(await stepsOf(yard, id), ['end_sold', 'correct_vat_number'])
  const { rows } = await yard.owner.query(
    `select a.charges_vat, c.reference, c.registered_name, c.vat_number from awards a join vat_checks c on c.id = a.vat_check_id where a.listing_id = $1`,
    [id],
  )
  assert.deepEqual(rows, [{ charges_vat: true, reference: 'Y3A-XJ2-FFF', registered_name: 'Anvil Metals Ltd', vat_number: 'GB555000888' }])
})

test('a number that was corrected in the account lets every sale go on that waited for it', async () => {
  const { seller, buyer, id } = await waiting()
  const second = await ended(yard, seller, [[buyer, 300_00]])
  await seller.client.put('/api/v1/auth/me', { vat_number: 'GB555000999' })
  assert.equal(await left(yard, id, 'AwaitingVatNumberVerification'), 'PendingPayment')
  assert.equal(await left(yard, second, 'AwaitingVatNumberVerification'), 'PendingPayment')
  assert.deepEqual(await stepsOf(yard, id), ['end_sold', 'recheck_vat_number'])
})

test('a seller who is not VAT registered after all charges none, also for the other sales that wait', async () => {
  const { seller, buyer, id } = await waiting()
  const second = await ended(yard, seller, [[buyer, 300_00]])
  await acts(seller.client, id, 'correct_vat_number', 'PendingPayment', { not_vat_registered: true })
  assert.equal(await left(yard, second, 'AwaitingVatNumberVerification'), 'PendingPayment')
  for (const [sale, total] of [
    [id, 200_00],
    [second, 300_00],
  ] as const) {
    const { amounts } = await see(buyer.client, sale)
    assert.deepEqual([amounts.vat.value, amounts.total.value], [0, total])
  }
})

test('what the buyer owes is frozen: it does not change with the seller’s VAT registration', async () => {
  const [charging, free, buyer] = [await member(), await member({ vat_number: null, not_vat_registered: true }), await member()]
  const [one, other] = [await ended(yard, charging, [[buyer, 200_00]]), await ended(yard, free, [[buyer, 200_00]])]
  await charging.client.put('/api/v1/auth/me', { not_vat_registered: true })
  await free.client.put('/api/v1/auth/me', { not_vat_registered: false, vat_number: 'GB555001111' })
  await yard.jobsDone()
  assert.deepEqual(
    [(await see(buyer.client, one)).amounts.total.value, (await see(buyer.client, other)).amounts.total.value],
    [240_00, 200_00],
  )
})

test('a number that a sale waits for is asked for again, once however many wait, until it is found', async () => {
  const { seller, buyer, id } = await waiting()
  await ended(yard, seller, [[buyer, 300_00]])
  await yard.jobsDone()
  const planned = () =>
    yard.owner.query(
      `select run_at > app_now() + interval '5 hours' as later from jobs where kind = 'check_vat_number' and payload ->> 'user_id' = $1`,
      [seller.id],
    )
  assert.deepEqual((await planned()).rows, [{ later: true }])
  says.delete('123456700')
  await yard.travel('7 hours')
  await yard.owner.query(`select pg_notify('jobs', '')`)
  assert.equal(await left(yard, id, 'AwaitingVatNumberVerification'), 'PendingPayment')
  await yard.jobsDone()
  assert.equal((await planned()).rowCount, 0)
  await yard.travel('0 seconds')
})

test('the register is not a toy: twenty numbers an hour', async () => {
  const { seller, id } = await waiting()
  says.set('555002222', unknown)
  for (let nth = 0; nth < 20; nth++) assert.equal((await correct(seller.client, id, { vat_number: 'GB555002222' })).status, 422)
  const refused = await correct(seller.client, id, { vat_number: 'GB555002222' })
  assert.deepEqual([refused.status, refused.body.code], [429, 'too_many_attempts'])
  await setUser(yard, seller.id, { not_vat_registered: true, vat_number: null })
})
