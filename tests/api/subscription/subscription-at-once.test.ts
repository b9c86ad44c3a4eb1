import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newClient, type Answer, type Client } from '#tests/support/client.ts'
import { allOf, confirm, newPayer, userRow, closeBalanced } from '#tests/support/payments/paying.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

// Two hundred at once, on two servers: never more than the limit. Who comes when the provider has too much to do is told to come
// again (503): that is no answer, so it is left out.

let yard: Yard
let other: Awaited<ReturnType<Yard['another']>>
before(async () => {
  yard = await openYard()
  other = await yard.another()
})
after(() => closeBalanced(yard))

const twin = (client: Client) => newClient(other.url, Object.fromEntries(client.cookies))
const told = (answers: Answer[]) => answers.filter(({ status }) => status !== 503)
const statuses = (answers: Answer[]) => [...new Set(told(answers).map(({ status }) => status))].toSorted((one, two) => one - two)
const offerTrial = (until: string | null) =>
  yard.owner.query(
    `insert into settings (key, value) values ('trial_available_until', $1) on conflict (key) do update set value = excluded.value`,
    [JSON.stringify(until)],
  )

test('40, 39: 200 attempts of one user give one trial, one subscription, one customer', async () => {
  await offerTrial('2099-01-01T00:00:00Z')
  const payer = await newPayer(yard)
  const elsewhere = twin(payer.client)
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_each, nth) => (nth % 2 ? payer.client : elsewhere).post('/api/v1/stripe/subscription', {})),
  )
  assert.deepEqual(statuses(answers), [201])
  assert.equal(new Set(told(answers).map(({ body }) => body.client_secret)).size, 1)
  const customer = (await userRow(yard, payer.id)).provider_customer_id
  const made = await allOf(yard.payment.stripe.subscriptions.list({ customer, status: 'all', limit: 100 }))
  assert.equal(made.length, 1)
  await confirm(yard, told(answers)[0]?.body.client_secret)
  const again = await Promise.all(Array.from({ length: 50 }, () => payer.client.post('/api/v1/stripe/subscription', {})))
  assert.deepEqual(statuses(again), [409])
})

test('42: a coupon for three is used by three of twenty who come at once, ten times each', async () => {
  await offerTrial(null)
  await yard.owner.query(`insert into coupons (code, percent_off, duration, max_redemptions) values ('THREE', 10, 'once', 3)`)
  const payers = await Promise.all(Array.from({ length: 20 }, () => newPayer(yard)))
  const answers = await Promise.all(
    payers
      .flatMap(({ client }) => Array.from({ length: 5 }, () => [client, twin(client)]).flat())
      .map((client) => client.post('/api/v1/stripe/subscription', { coupon_code: 'THREE' })),
  )
  assert.equal(answers.length, 200)
  assert.deepEqual(statuses(answers), [201, 422])
  const { rows } = await yard.owner.query('select count(*)::int as redeemed, count(distinct user_id)::int as users from coupon_redemptions')
  assert.deepEqual(rows, [{ redeemed: 3, users: 3 }])
  assert.equal((await yard.owner.query('select from subscriptions where coupon_id is not null and ended_at is null')).rowCount, 3)
})

test('41: 100 cancellations at once cancel once, the others are told so', async () => {
  const payer = await newPayer(yard)
  const { body } = await payer.client.post('/api/v1/stripe/subscription', {})
  await confirm(yard, body.client_secret)
  const elsewhere = twin(payer.client)
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_each, nth) => (nth % 2 ? payer.client : elsewhere).post('/api/v1/stripe/subscription/delete')),
  )
  assert.deepEqual(statuses(answers), [200, 409])
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.ok(
    told(answers).every(({ status, body: answer }) => status === 200 || answer.message === 'Your subscription is already cancelled'),
  )
})
