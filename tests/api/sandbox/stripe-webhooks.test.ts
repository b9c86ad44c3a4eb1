import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { Stripe } from 'stripe'
import { freshDatabase, type FreshDatabase } from '#tests/support/processes/postgres.ts'
import { openEar, openStripeSandbox, stripeAt, type Ear, type OpenSandbox } from '#tests/support/payments/stripe.ts'

const SECRET = 'whsec_test'
let database: FreshDatabase
let sandbox: OpenSandbox
let ear: Ear
let stripe: Stripe
before(async () => {
  database = await freshDatabase()
  ear = await openEar()
  sandbox = await openStripeSandbox(database.url, { webhook: { url: ear.url, secret: SECRET, firstRetryMs: 5 } })
  stripe = sandbox.stripe
})
beforeEach(async () => {
  await sandbox.settled()
  ear.heard.length = 0
})
afterEach(async () => {
  await sandbox.call('DELETE', '/sandbox/faults')
})
after(async () => {
  await sandbox.stop()
  await ear.close()
  await database.drop()
})

const heard = () => ear.heard.map(({ body, headers }) => stripe.webhooks.constructEvent(body, headers['stripe-signature'] ?? '', SECRET))
const customersHeard = () => heard().map(({ data }) => (data.object as Stripe.Customer).name)
const isThrown = async (call: Promise<unknown>, type: string) => assert.equal(await call.then(String, (error) => error.type), type)

test('an event is posted with a signature that the SDK accepts, and can be fetched again', async () => {
  const customer = await stripe.customers.create({ name: 'Jo' }, { idempotencyKey: 'hello' })
  await sandbox.settled()
  const [event, ...more] = heard()
  assert.deepEqual(more, [])
  assert.equal(event?.type, 'customer.created')
  assert.equal(event.data.object.id, customer.id)
  assert.deepEqual(event.request, { id: customer.lastResponse.requestId, idempotency_key: 'hello' })
  assert.equal(event.api_version, Stripe.API_VERSION)
  const { lastResponse, ...again } = await stripe.events.retrieve(event.id)
  assert.deepEqual({ ...again }, event)
  assert.equal(lastResponse.statusCode, 200)
})

test('a changed body, another secret or an old signature is refused by the SDK', async () => {
  await stripe.customers.create({ name: 'Jo' })
  await sandbox.settled()
  const [{ body, headers } = assert.fail()] = ear.heard
  const signature = headers['stripe-signature'] ?? ''
  const refused = { type: 'StripeSignatureVerificationError' }
  assert.throws(() => stripe.webhooks.constructEvent(body.replace('Jo', 'Mo'), signature, SECRET), refused)
  assert.throws(() => stripe.webhooks.constructEvent(body, signature, 'whsec_other'), refused)
  const old = stripe.webhooks.generateTestHeaderString({ payload: body, secret: SECRET, timestamp: Math.floor(Date.now() / 1000) - 301 })
  assert.throws(() => stripe.webhooks.constructEvent(body, old, SECRET), refused)
})

test('what is not answered with 2xx is posted again until it is', async () => {
  ear.answerWith.push(500, 302, 404)
  await stripe.customers.create({ name: 'Again' })
  await sandbox.settled()
  assert.deepEqual(customersHeard(), ['Again', 'Again', 'Again', 'Again'])
  assert.equal(new Set(heard().map(({ id }) => id)).size, 1)
})

test('an endpoint that is not there gets its events when it comes back', async () => {
  sandbox.setWebhook('http://127.0.0.1:9/nobody')
  await stripe.customers.create({ name: 'Patient' })
  sandbox.setWebhook(ear.url)
  await sandbox.settled()
  assert.deepEqual(customersHeard(), ['Patient'])
})

test('what was not yet told when the sandbox ended is told when it runs again', async () => {
  sandbox.setWebhook('http://127.0.0.1:9/nobody')
  await stripe.customers.create({ name: 'Before the restart' })
  await sandbox.stop()
  sandbox = await openStripeSandbox(database.url, { webhook: { url: ear.url, secret: SECRET, firstRetryMs: 5 } })
  stripe = sandbox.stripe
  await sandbox.settled()
  assert.deepEqual(customersHeard(), ['Before the restart'])
})

test('nothing that was refused is told', async () => {
  await isThrown(stripe.customers.create({ payment_method: 'pm_nothing' }), 'StripeInvalidRequestError')
  await sandbox.settled()
  assert.deepEqual(heard(), [])
})

test('two processes on the same state tell each event once', async () => {
  const other = await openStripeSandbox(database.url, { webhook: { url: ear.url, secret: SECRET, firstRetryMs: 5 } })
  await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? stripe : other.stripe).customers.create({ name: `Twin ${n}` })))
  await sandbox.settled()
  assert.equal(new Set(customersHeard()).size, 20)
  assert.equal(ear.heard.length, 20)
  await other.stop()
})

test('events are lost when the sandbox is told to lose them, and only so many', async () => {
  await sandbox.call('POST', '/sandbox/faults', { webhooks: { lose: 1 } })
  await stripe.customers.create({ name: 'Lost' })
  await stripe.customers.create({ name: 'Found' })
  await sandbox.settled()
  assert.deepEqual(customersHeard(), ['Found'])
  const { data } = await stripe.events.list({ type: 'customer.created', limit: 2 })
  assert.deepEqual(
    data.map(({ data }) => (data.object as Stripe.Customer).name),
    ['Found', 'Lost'],
    'the list has both',
  )
})

test('events are doubled, newest first, or late when the sandbox is told so', async () => {
  await sandbox.call('POST', '/sandbox/faults', { webhooks: { duplicate: true } })
  await stripe.customers.create({ name: 'Twice' })
  await sandbox.settled()
  assert.deepEqual(customersHeard(), ['Twice', 'Twice'])

  ear.heard.length = 0
  await sandbox.call('POST', '/sandbox/faults', { webhooks: { reorder: true, delay_ms: 600_000 } })
  for (const name of ['first', 'second', 'third']) await stripe.customers.create({ name })
  await sandbox.settleDue()
  assert.deepEqual(ear.heard, [], 'held back')
  await sandbox.call('POST', '/sandbox/faults', { webhooks: { reorder: true } })
  await sandbox.settled()
  assert.deepEqual(customersHeard(), ['third', 'second', 'first'])
})

test('deliveries that fail on the way are tried again', async () => {
  await sandbox.call('POST', '/sandbox/faults', { webhooks: { fail: 2 } })
  await stripe.customers.create({ name: 'Stubborn' })
  await sandbox.settled()
  assert.deepEqual(customersHeard(), ['Stubborn'])
  assert.deepEqual((await sandbox.call('GET', '/sandbox/faults')).body.webhooks, { fail: 0 })
})

test('a failure before the work leaves nothing; one after it leaves the work, and the same key finds it', async () => {
  const create = (key: string) => stripe.customers.create({ name: key }, { idempotencyKey: key })
  await sandbox.call('POST', '/sandbox/faults', { fail: 'before', times: 1 })
  await isThrown(create('before'), 'StripeAPIError')
  assert.deepEqual(await sandbox.settled().then(customersHeard), [])

  await sandbox.call('POST', '/sandbox/faults', { fail: 'after', status: 503, times: 1 })
  await isThrown(create('after'), 'StripeAPIError')
  await sandbox.settled()
  assert.deepEqual(customersHeard(), ['after'])
  const again = await create('after')
  assert.equal(again.lastResponse.headers['idempotent-replayed'], 'true')
  assert.deepEqual(
    heard().map(({ data }) => (data.object as Stripe.Customer).id),
    [again.id],
  )
})

test('a dropped connection, too many requests and slowness look to the SDK as they do with Stripe', async () => {
  const hurry = stripeAt(sandbox, 'sk_test_yardbid_sandbox', { timeout: 150 })
  // the SDK itself tries once more when a connection is cut, with the same key
  await sandbox.call('POST', '/sandbox/faults', { fail: 'after', status: 'drop', times: 2 })
  await isThrown(stripe.customers.create({ name: 'dropped' }), 'StripeConnectionError')
  await sandbox.call('POST', '/sandbox/faults', { fail: 'before', status: 429, times: 1 })
  await isThrown(stripe.customers.create({ name: 'too many' }), 'StripeRateLimitError')
  await sandbox.call('POST', '/sandbox/faults', { slow_ms: 500, times: 1 })
  await isThrown(hurry.customers.create({ name: 'slow' }, { idempotencyKey: 'slow' }), 'StripeConnectionError')
  await sandbox.call('DELETE', '/sandbox/faults')
  while (ear.heard.length < 2) await sandbox.settled()
  assert.deepEqual(new Set(customersHeard()), new Set(['dropped', 'slow']), 'what timed out was done all the same')
})

test('a fault hits only the path that it names, only so often, and is shown until then', async () => {
  await sandbox.call('POST', '/sandbox/faults', { fail: 'before', path: '/v1/refunds', times: 2 })
  await stripe.customers.create()
  await isThrown(stripe.refunds.list(), 'StripeAPIError')
  assert.equal((await sandbox.call('GET', '/sandbox/faults')).body.times, 1)
  await isThrown(stripe.refunds.list(), 'StripeAPIError')
  await stripe.refunds.list()
  assert.equal((await sandbox.call('GET', '/sandbox/faults')).body.fail, undefined)
})

test('a fault that nobody knows is refused', async () => {
  const { status, body } = await sandbox.call('POST', '/sandbox/faults', { explode: true })
  assert.deepEqual([status, body.error.type], [400, 'invalid_request_error'])
})

test("the SDK's own retries get one customer out of a failure after the work", async () => {
  const patient = stripeAt(sandbox, 'sk_test_yardbid_sandbox', { maxNetworkRetries: 2 })
  await sandbox.call('POST', '/sandbox/faults', { fail: 'after', status: 500, times: 1 })
  const { id } = await patient.customers.create({ name: 'Retried' })
  await sandbox.settled()
  assert.deepEqual(
    heard().map(({ data }) => (data.object as Stripe.Customer).id),
    [id],
  )
})
