import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import {
  closeBalanced,
  confirm,
  faults,
  GOOD_CARD,
  newPayer,
  noFaults,
  subscribed,
  subscriptionOf,
  userRow,
  type Payer,
} from '#tests/support/payments/paying.ts'
import { goodPassword } from '#tests/support/people.ts'
import { payWithCard } from '#tests/support/payments/stripe.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

// What is asked of the provider and what it tells us meet each other late, twice, in the wrong order or never.

let yard: Yard
// a worker comes where one is wanted
before(async () => (yard = await openYard({ env: { ROLE: 'web' } })))
afterEach(async () => {
  await noFaults(yard)
  await work('0 seconds')
})
after(async () => {
  const worker = await yard.another({ ROLE: 'worker' })
  await closeBalanced(yard)
  await worker.stop()
})

/** A worker comes, does what is due after a while, and goes. */
async function work(later: string) {
  const worker = await yard.another({ ROLE: 'all' })
  await yard.travel(later)
  await yard.bankSettled()
  await worker.stop()
}

async function withWorker<T>(act: () => Promise<T>): Promise<T> {
  const worker = await yard.another({ ROLE: 'all' })
  const result = await act()
  await yard.bankSettled()
  await worker.stop()
  return result
}

const subscriber = () =>
  withWorker(async () => {
    const payer = await newPayer(yard)
    await subscribed(yard, payer)
    return payer
  })

const savedCard = async ({ client }: Payer, number?: string): Promise<string> =>
  (await confirmAlone((await client.get('/api/v1/stripe/setup-intent')).body.data.client_secret, number)).payment_method
const confirmAlone = (secret: string, number?: string) => withWorker(() => confirm(yard, secret, number))

const subscriptionRow = async (payer: Payer) =>
  (await yard.owner.query('select * from subscriptions where user_id = $1 order by created_at desc', [payer.id])).rows[0]
const subscribe = ({ client }: Payer, key: string) => client.post('/api/v1/stripe/subscription', {}, { 'idempotency-key': key })

test('an account that is restored before anything was cancelled keeps its subscription', async () => {
  const payer = await subscriber()
  await payer.client.delete('/api/v1/auth/me')
  const back = yard.client()
  await back.logIn(payer.email, goodPassword)
  assert.equal((await back.post('/api/v1/auth/me/restore')).status, 200)
  await work('1 second')
  assert.equal((await subscriptionRow(payer)).cancel_at_period_end, false)
})

test('the same key again, while the outcome is not known, sees the subscription through and answers its secret', async () => {
  const payer = await withWorker(() => newPayer(yard))
  await faults(yard, { fail: 'before', status: 500, path: '/v1/subscriptions' })
  assert.equal((await subscribe(payer, 'unsure')).status, 503)
  assert.equal((await subscribe(payer, 'unsure')).status, 503)
  await noFaults(yard)
  const { status, body } = await subscribe(payer, 'unsure')
  assert.deepEqual([status, body.data.subscription.status], [201, 'incomplete'])
  assert.match(body.client_secret ?? 'none', /^(?:pi|seti)_/)
})

test('the same key again is refused again by what the provider has refused', async () => {
  const payer = await withWorker(() => newPayer(yard))
  await faults(yard, { fail: 'before', status: 400, path: '/v1/subscriptions', times: 1 })
  const first = await subscribe(payer, 'refused')
  const again = await subscribe(payer, 'refused')
  assert.deepEqual([first.status, again.status, again.body], [409, 409, first.body])
})

test('31: the answer to a call that is repeated does not undo what happened since', async () => {
  const payer = await subscriber()
  await payer.client.ask('PATCH', '/api/v1/stripe/subscription', { body: { plan_id: 'basic' } })
  await faults(yard, { fail: 'after', status: 500, path: '/v1/subscriptions' })
  assert.equal((await subscribe(payer, 'replayed')).status, 503)
  await noFaults(yard)
  await work('1 second')
  const { provider_id } = await subscriptionRow(payer)
  await yard.payment.stripe.subscriptions.update(provider_id, { cancel_at_period_end: true })
  await work('2 seconds')
  assert.equal((await subscriptionRow(payer)).cancel_at_period_end, true)
  await work('20 seconds')
  assert.equal((await subscriptionRow(payer)).cancel_at_period_end, true)
})

test('a card that was chosen in vain does not come back over the one that was chosen after it', async () => {
  const payer = await subscriber()
  const first = await savedCard(payer, '5555555555554444')
  const second = await savedCard(payer)
  const use = (payment_method: string) => payer.client.post('/api/v1/stripe/attach-payment-method', { payment_method })
  await faults(yard, { fail: 'before', status: 500, path: '/v1/customers' })
  assert.equal((await use(first)).status, 503)
  await noFaults(yard)
  assert.equal((await use(second)).status, 200)
  await work('20 seconds')
  assert.equal((await userRow(yard, payer.id)).subscription_card.id, second)
  const customer = (await userRow(yard, payer.id)).provider_customer_id
  const known = await yard.payment.stripe.customers.retrieve(customer)
  assert.equal(!known.deleted && known.invoice_settings.default_payment_method, second)
})

/** Paid in the browser, and no word of it has come yet. */
async function paidInSilence(): Promise<Payer> {
  const payer = await withWorker(() => newPayer(yard))
  const { body } = await payer.client.post('/api/v1/stripe/subscription', {})
  const { error } = await payWithCard(yard.bank, body.client_secret, GOOD_CARD)
  assert.equal(error, undefined)
  assert.equal((await subscriptionOf(payer.client)).status, 'incomplete')
  return payer
}

test('a coupon that comes after the payment does not end what was paid for', async () => {
  const payer = await paidInSilence()
  await yard.owner.query(`insert into coupons (code, percent_off, duration) values ('LATE', 50, 'once')`)
  const { status, body } = await payer.client.post('/api/v1/stripe/subscription', { coupon_code: 'late' })
  assert.deepEqual([status, body.code], [409, 'already_subscribed'])
  assert.equal((await subscriptionOf(payer.client)).tier, 'full')
})

test('who cancels right after the payment keeps the month that was paid for', async () => {
  const payer = await paidInSilence()
  assert.equal((await payer.client.post('/api/v1/stripe/subscription/delete')).status, 200)
  const { status, tier, cancel_at_period_end } = await subscriptionOf(payer.client)
  assert.deepEqual([status, tier, cancel_at_period_end], ['active', 'full', true])
})

/** Ended at the provider's, and no word of it comes. */
async function endedInSilence(): Promise<Payer> {
  const payer = await subscriber()
  await faults(yard, { webhooks: { lose: true } })
  await yard.payment.stripe.subscriptions.cancel((await subscriptionRow(payer)).provider_id)
  await yard.bank.settled()
  await noFaults(yard)
  return payer
}

test('a subscription that has ended without a word is known to have ended when its owner changes it', async () => {
  const payer = await endedInSilence()
  assert.notEqual(await subscriptionOf(payer.client), null)
  assert.equal((await payer.client.post('/api/v1/stripe/subscription/delete')).status, 409)
  assert.equal(await subscriptionOf(payer.client), null)
  assert.equal((await userRow(yard, payer.id)).tier, 'basic')
  assert.equal((await subscribe(payer, 'once more')).status, 201)
})

const reconcile = async () => {
  await yard.owner.query(`insert into jobs (kind, payload) values ('reconcile_provider', '{}')`)
  await work('33 days')
}

test('and when its month is over and everything is looked at', async () => {
  const payer = await endedInSilence()
  await reconcile()
  assert.equal((await userRow(yard, payer.id)).tier, 'basic')
})

test('a coupon’s code may be longer than the name that the provider gives it', async () => {
  const payer = await withWorker(() => newPayer(yard))
  const code = 'A'.repeat(50)
  await yard.owner.query(`insert into coupons (code, percent_off, duration) values ($1, 50, 'once')`, [code])
  assert.equal((await payer.client.post('/api/v1/stripe/subscription', { coupon_code: code })).status, 201)
})
