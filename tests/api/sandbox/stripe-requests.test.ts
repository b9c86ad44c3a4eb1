import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Stripe } from 'stripe'
import { KEY_LOCKS, REQUEST_LOCK } from '#sandbox/stripe/engine/schema.ts'
import { SANDBOX_PUBLISHABLE_KEY } from '#sandbox/stripe/server.ts'
import { openFilesSandbox, openStripeSandbox, stripeAt } from '#tests/support/payments/stripe.ts'
import { connectTo } from '#tests/support/processes/postgres.ts'

const { databaseUrl, sandbox, stripe } = await openFilesSandbox({ isHeard: false })

async function thrownBy(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await call
  } catch (error) {
    assert.ok(error instanceof Stripe.errors.StripeError, String(error))
    return error
  }
  return assert.fail('it was not refused')
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const paidByCard = { allowed_payment_method_types: ['card' as const], confirm: true }
const customers = async () => (await stripe.customers.list({ limit: 100 })).data.length

test('the same key with the same parameters gives the same answer for 24 hours, and does nothing twice', async () => {
  const options = { idempotencyKey: 'customer:1' }
  const first = await stripe.customers.create({ name: 'Jo' }, options)
  const before = await customers()
  const second = await stripe.customers.create({ name: 'Jo' }, options)
  assert.equal(second.id, first.id)
  assert.equal(second.lastResponse.headers['idempotent-replayed'], 'true')
  assert.equal(second.lastResponse.headers['original-request'], first.lastResponse.requestId)
  assert.equal(first.lastResponse.headers['idempotent-replayed'], undefined)
  assert.equal(await customers(), before)

  await sandbox.travel('24 hours 1 minute')
  const later = await stripe.customers.create({ name: 'Jo' }, options)
  assert.notEqual(later.id, first.id)
  await sandbox.travel('0')
})

test('the same key with other parameters is refused', async () => {
  await stripe.customers.create({ name: 'Jo' }, { idempotencyKey: 'customer:2' })
  const error = await thrownBy(stripe.customers.create({ name: 'Mo' }, { idempotencyKey: 'customer:2' }))
  assert.ok(error instanceof Stripe.errors.StripeIdempotencyError)
  assert.equal(error.statusCode, 400)
})

test('the same parameters in another order are the same request', async () => {
  const send = async (body: string) => {
    const headers = { authorization: 'Bearer sk_test_yardbid_sandbox', 'idempotency-key': 'customer:order' }
    const answer = await fetch(`${sandbox.url}/v1/customers`, { method: 'POST', headers: { ...headers, ...FORM }, body })
    return { status: answer.status, id: ((await answer.json()) as { id?: string }).id }
  }
  const first = await send('name=Jo&metadata[a]=1&metadata[b]=2')
  assert.equal(first.status, 200)
  assert.deepEqual(await send('metadata[b]=2&metadata%5Ba%5D=1&name=Jo'), first)
  assert.equal((await send('metadata[b]=1&metadata[a]=2&name=Jo')).status, 400)
})

test('a refusal that came while executing is answered again under its key, and tried again under a new one', async () => {
  const payOut = (key: string) => stripe.payouts.create({ amount: 5000, currency: 'gbp' }, { idempotencyKey: key })
  assert.equal((await thrownBy(payOut('payout:1'))).code, 'balance_insufficient')
  await stripe.paymentIntents.create({ amount: 9000, currency: 'gbp', payment_method: 'pm_card_bypassPending', ...paidByCard })
  const again = await thrownBy(payOut('payout:1'))
  assert.deepEqual([again.code, again.headers?.['idempotent-replayed']], ['balance_insufficient', 'true'])
  assert.equal((await payOut('payout:2')).status, 'pending')
})

test('a request that was not valid is not remembered', async () => {
  const options = { idempotencyKey: 'customer:invalid' }
  assert.equal((await thrownBy(stripe.customers.create({ nme: 'Jo' } as Stripe.CustomerCreateParams, options))).code, 'parameter_unknown')
  assert.equal((await stripe.customers.create({ name: 'Jo' }, options)).name, 'Jo')
})

test('a failure of the provider while executing is answered again under its key, and nothing was done', async () => {
  const before = await customers()
  const create = (key: string) => stripe.customers.create({ name: 'Jo' }, { idempotencyKey: key })
  await sandbox.call('POST', '/sandbox/faults', { fail: 'kept', status: 500, times: 1, path: '/v1/customers' })
  assert.equal((await thrownBy(create('customer:kept'))).statusCode, 500)
  assert.equal((await thrownBy(create('customer:kept'))).statusCode, 500)
  assert.equal(await customers(), before)
  assert.equal((await create('customer:kept:2')).name, 'Jo')
})

test('a lock that is not had in time is refused with 429 and may be tried again under the same key', async () => {
  await sandbox.call('POST', '/sandbox/faults', { fail: 'before', status: 429, code: 'lock_timeout', times: 1 })
  const create = () => stripe.customers.create({ name: 'Jo' }, { idempotencyKey: 'customer:lock' })
  const error = await thrownBy(create())
  assert.deepEqual([error.statusCode, error.code], [429, 'lock_timeout'])
  assert.equal((await create()).name, 'Jo')
})

test('a key whose request is still being worked on is refused with 409', async (t) => {
  const holder = await connectTo(databaseUrl)
  t.after(() => holder.end())
  await holder.query('select pg_advisory_lock($1)', [REQUEST_LOCK])
  const create = () => stripe.customers.create({ name: 'Jo' }, { idempotencyKey: 'customer:3' })
  // the first request holds its key and waits for the lock that the test holds
  const second = async () => {
    const sql = `select from pg_locks where locktype = 'advisory' and classid = $1 and granted
      and database = (select oid from pg_database where datname = current_database())`
    while ((await holder.query(sql, [KEY_LOCKS])).rowCount === 0) await pause(5)
    const error = await thrownBy(create())
    await holder.query('select pg_advisory_unlock($1)', [REQUEST_LOCK])
    return error
  }
  const [{ id }, error] = await Promise.all([create(), second()])
  assert.deepEqual([error.statusCode, error.code], [409, 'idempotency_key_in_use'])
  assert.equal((await create()).id, id)
})

test('fifty requests at once with one key make one customer', async () => {
  const before = await customers()
  const calls = Array.from({ length: 50 }, () => stripe.customers.create({ name: 'At once' }, { idempotencyKey: 'customer:4' }))
  const ids = (await Promise.allSettled(calls)).flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []))
  assert.equal(new Set(ids).size, 1)
  assert.equal(await customers(), before + 1)
})

test('a declined card is answered again from memory, without a second charge', async () => {
  const intent = await stripe.paymentIntents.create({ amount: 500, currency: 'gbp', allowed_payment_method_types: ['card'] })
  const confirm = () =>
    stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_chargeDeclined' }, { idempotencyKey: `confirm:${intent.id}` })
  assert.equal((await thrownBy(confirm())).code, 'card_declined')
  assert.equal((await thrownBy(confirm())).code, 'card_declined')
  assert.equal((await stripe.charges.list({ payment_intent: intent.id })).data.length, 1)
})

test('without a key, with a wrong one or with the publishable one there is no customer', async () => {
  const unknown = await thrownBy(stripeAt(sandbox, 'sk_test_wrong').customers.list())
  assert.deepEqual([unknown.type, unknown.statusCode], ['StripeAuthenticationError', 401])
  const browser = await thrownBy(stripeAt(sandbox, SANDBOX_PUBLISHABLE_KEY).customers.list())
  assert.deepEqual([browser.statusCode, browser.code], [403, 'secret_key_required'])
  assert.equal((await fetch(`${sandbox.url}/v1/customers`)).status, 401)
  const basic = Buffer.from('sk_test_yardbid_sandbox:').toString('base64')
  assert.equal((await fetch(`${sandbox.url}/v1/customers`, { headers: { authorization: `Basic ${basic}` } })).status, 200)
})

test('a browser sees an intent with its client secret only, from any page', async () => {
  const { id, client_secret } = await stripe.paymentIntents.create({ amount: 500, currency: 'gbp' })
  const headers = { authorization: `Bearer ${SANDBOX_PUBLISHABLE_KEY}`, origin: 'https://yardbid.test' }
  const look = (secret: string) => fetch(`${sandbox.url}/v1/payment_intents/${id}?client_secret=${secret}`, { headers })
  const seen = await look(client_secret ?? '')
  assert.equal(seen.status, 200)
  assert.equal(seen.headers.get('access-control-allow-origin'), '*')
  assert.equal((await look(`${id}_secret_guess`)).status, 400)
  assert.equal((await fetch(`${sandbox.url}/v1/payment_intents/${id}`, { headers })).status, 400)
  const preflight = await fetch(`${sandbox.url}/v1/payment_intents/${id}/confirm`, { method: 'OPTIONS' })
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /authorization/)
})

test('lists are read page by page in both directions, the newest first', async () => {
  const { id: customer } = await stripe.customers.create()
  const made: string[] = []
  for (let n = 0; n < 5; n++) made.unshift((await stripe.setupIntents.create({ customer })).id)
  const ids = async (params: Stripe.SetupIntentListParams) => {
    const { data, has_more } = await stripe.setupIntents.list({ customer, ...params })
    return { ids: data.map(({ id }) => id), has_more }
  }
  assert.deepEqual(await ids({ limit: 2 }), { ids: made.slice(0, 2), has_more: true })
  assert.deepEqual(await ids({ limit: 2, starting_after: made[1] }), { ids: made.slice(2, 4), has_more: true })
  assert.deepEqual(await ids({ limit: 2, starting_after: made[3] }), { ids: made.slice(4), has_more: false })
  assert.deepEqual(await ids({ limit: 2, ending_before: made[3] }), { ids: made.slice(1, 3), has_more: true })
  const all: string[] = []
  for await (const intent of stripe.setupIntents.list({ customer, limit: 2 })) all.push(intent.id)
  assert.deepEqual(all, made)
})

test('expand puts the object in the place of its id, also in lists and more than once', async () => {
  const { id: customer } = await stripe.customers.create({ name: 'Jo' })
  const { id } = await stripe.paymentIntents.create({
    amount: 500,
    currency: 'gbp',
    customer,
    payment_method: 'pm_card_visa',
    allowed_payment_method_types: ['card'],
    confirm: true,
  })
  const intent = await stripe.paymentIntents.retrieve(id, { expand: ['customer', 'latest_charge.balance_transaction'] })
  assert.equal((intent.customer as Stripe.Customer).name, 'Jo')
  const charge = intent.latest_charge as Stripe.Charge
  assert.equal((charge.balance_transaction as Stripe.BalanceTransaction).source, charge.id)
  const list = await stripe.paymentIntents.list({ customer, expand: ['data.customer'] })
  assert.deepEqual(
    list.data.map((one) => (one.customer as Stripe.Customer).id),
    [customer],
  )
  assert.match((await thrownBy(stripe.customers.retrieve(customer, { expand: ['nonsense'] }))).message, /cannot be expanded/)
})

const refusals: [what: string, call: () => Promise<unknown>, status: number, code: string | undefined, param?: string][] = [
  ['an unknown id', () => stripe.customers.retrieve('cus_nobody'), 404, 'resource_missing', 'id'],
  ['an unknown id in a parameter', () => stripe.setupIntents.create({ customer: 'cus_nobody' }), 400, 'resource_missing', 'customer'],
  [
    'a missing parameter',
    () => stripe.paymentIntents.create({ amount: 100 } as Stripe.PaymentIntentCreateParams),
    400,
    'parameter_missing',
    'currency',
  ],
  ['an unknown parameter', () => stripe.customers.create({ nme: 'Jo' } as Stripe.CustomerCreateParams), 400, 'parameter_unknown', 'nme'],
  [
    'an amount that is no number',
    () => stripe.paymentIntents.create({ amount: 1.5, currency: 'gbp' }),
    400,
    'parameter_invalid_integer',
    'amount',
  ],
  ['an amount below 30p', () => stripe.paymentIntents.create({ amount: 29, currency: 'gbp' }), 400, 'amount_too_small', 'amount'],
  ['an unknown address', () => stripe.rawRequest('GET', '/v1/nothing'), 404, undefined],
]

for (const [what, call, status, code, param] of refusals) {
  test(`${what} is refused in Stripe's words`, async () => {
    const error = await thrownBy(call())
    assert.deepEqual([error.type, error.statusCode, error.code, error.param], ['StripeInvalidRequestError', status, code, param])
    assert.match(error.requestId ?? '', /^req_\w{14}$/)
  })
}

test('metadata is merged, and a key sent empty is removed', async () => {
  const { id } = await stripe.customers.create({ metadata: { a: '1', b: '2' } })
  const { metadata } = await stripe.customers.update(id, { metadata: { b: '', c: '3' } })
  assert.deepEqual(metadata, { a: '1', c: '3' })
})

test('a deleted customer still answers to its id', async () => {
  const { id } = await stripe.customers.create()
  await stripe.customers.del(id)
  const found = await stripe.customers.retrieve(id, { expand: ['invoice_settings.default_payment_method'] })
  assert.deepEqual({ ...found }, { id, object: 'customer', deleted: true })
})

test("the application's role has no right on the sandbox's state", async () => {
  const client = await connectTo(databaseUrl)
  await client.query('set role yardbid_app')
  await assert.rejects(client.query('select from stripe_sandbox.objects'), { code: '42501' })
  await client.end()
})

test('a second process on the same state gives the same answers', async () => {
  const other = await openStripeSandbox(databaseUrl)
  const { id } = await stripe.customers.create({ name: 'Shared' }, { idempotencyKey: 'customer:5' })
  assert.equal((await other.stripe.customers.create({ name: 'Shared' }, { idempotencyKey: 'customer:5' })).id, id)
  await other.stop()
})
