import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import {
  confirm,
  faults,
  me,
  newPayer,
  noFaults,
  setSetting,
  subscribed,
  subscriptionOf,
  userRow,
  type Payer,
  closeBalanced,
} from '#tests/support/payments/paying.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
before(async () => (yard = await openYard()))
afterEach(() => yard.travel('0 seconds'))
after(() => closeBalanced(yard))

/** Goes there and lets everything happen that is due. */
async function goTo(interval: string) {
  // nobody else stays logged in for so long
  await yard.owner.query(
    'update sessions set created_at = clock_timestamp() + $1::interval, last_seen_at = clock_timestamp() + $1::interval',
    [interval],
  )
  await yard.travel(interval)
  await yard.bankSettled()
}

const subjectsTo = async ({ email }: Payer) => (await yard.outbox.list(email)).map(({ subject }) => subject.replace(' · Yardbid', ''))
const invoicesOf = async ({ client }: Payer) => (await client.get('/api/v1/stripe/subscription/invoices')).body

/** A card that is charged the first time and refused from then on. */
const FAILS_LATER = '4000000000000341'

async function withFailingCard(): Promise<Payer> {
  const payer = await newPayer(yard)
  await subscribed(yard, payer)
  const secret = (await payer.client.get('/api/v1/stripe/setup-intent')).body.data.client_secret
  const { payment_method } = await confirm(yard, secret, FAILS_LATER)
  assert.equal((await payer.client.post('/api/v1/stripe/attach-payment-method', { payment_method })).status, 200)
  return payer
}

test('a month later it is paid again, and the invoice is there', async () => {
  const payer = await newPayer(yard)
  await subscribed(yard, payer)
  const { current_period_end } = await subscriptionOf(payer.client)
  await goTo('32 days')
  const subscription = await subscriptionOf(payer.client)
  assert.equal(subscription.status, 'active')
  assert.ok(subscription.current_period_end > current_period_end)
  const { data, meta } = await invoicesOf(payer)
  assert.deepEqual(
    data.map(({ status, total }: any) => [status, total.value]),
    [
      ['paid', 16_500],
      ['paid', 16_500],
    ],
  )
  assert.deepEqual(meta, { current_page: 1, last_page: 1, per_page: 20, total: 2 })
})

test('a cancelled one ends with its period, and the tier with it', async () => {
  const payer = await newPayer(yard)
  await subscribed(yard, payer)
  await payer.client.post('/api/v1/stripe/subscription/delete')
  await goTo('27 days')
  assert.equal((await me(payer.client)).subscription.tier, 'full')
  await goTo('32 days')
  assert.deepEqual([(await me(payer.client)).subscription.tier, await subscriptionOf(payer.client)], ['basic', null])
  assert.equal((await payer.client.post('/api/v1/stripe/subscription/reactivate')).status, 409)
  assert.deepEqual((await payer.client.post('/api/v1/stripe/subscription/delete')).body.message, 'Your subscription is already cancelled')
})

test('a failed renewal keeps full for seven days, with reminders, then falls back', async () => {
  const payer = await withFailingCard()
  await goTo('32 days')
  const { status, tier, grace_ends_at, next_payment } = await subscriptionOf(payer.client)
  assert.deepEqual([status, tier, next_payment], ['past_due', 'full', null])
  const { past_due_since } = (await yard.owner.query('select past_due_since from subscriptions where user_id = $1', [payer.id])).rows[0]
  assert.equal(Date.parse(grace_ends_at), past_due_since.getTime() + 7 * 24 * 3_600_000)
  assert.ok((await subjectsTo(payer)).includes('Your payment did not go through'))
  assert.equal((await me(payer.client)).subscription.tier, 'full')
  await goTo('36 days')
  assert.ok((await subjectsTo(payer)).includes('Your subscription is still unpaid'))
  assert.equal((await me(payer.client)).subscription.tier, 'full')
  await goTo('40 days')
  assert.deepEqual([(await me(payer.client)).subscription.tier, await subscriptionOf(payer.client)], ['basic', null])
  assert.ok((await subjectsTo(payer)).includes('Your subscription has ended'))
  const live = await yard.payment.stripe.subscriptions.list({
    customer: (await userRow(yard, payer.id)).provider_customer_id,
    status: 'active',
  })
  assert.deepEqual(live.data, [])
})

test('another card within the seven days pays what is open at once', async () => {
  const payer = await withFailingCard()
  await goTo('33 days')
  assert.equal((await subscriptionOf(payer.client)).status, 'past_due')
  const secret = (await payer.client.get('/api/v1/stripe/setup-intent')).body.data.client_secret
  const { payment_method } = await confirm(yard, secret)
  const { status, body } = await payer.client.post('/api/v1/stripe/attach-payment-method', { payment_method })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([(await subscriptionOf(payer.client)).status, (await subscriptionOf(payer.client)).grace_ends_at], ['active', null])
  await goTo('45 days')
  assert.equal((await me(payer.client)).subscription.tier, 'full')
})

test('a renewal that was paid without a word of it is not ended after the seven days', async () => {
  const payer = await withFailingCard()
  await goTo('33 days')
  const { rows } = await yard.owner.query('select provider_id from subscriptions where user_id = $1', [payer.id])
  await faults(yard, { webhooks: { lose: true } })
  const [invoice] = (await yard.payment.stripe.invoices.list({ subscription: rows[0].provider_id, status: 'open' })).data
  await yard.payment.stripe.invoices.pay(invoice?.id ?? '', { payment_method: 'pm_card_visa' })
  await yard.bank.settled()
  await noFaults(yard)
  assert.equal((await subscriptionOf(payer.client)).status, 'past_due')
  // the look of each day comes as well, and posts it
  await goTo('47 days')
  assert.deepEqual([(await subscriptionOf(payer.client))?.status, (await me(payer.client)).subscription.tier], ['active', 'full'])
})

test('a trial ends in a payment, after a letter that says so', async () => {
  await setSetting(yard, 'trial_available_until', '2099-01-01T00:00:00Z')
  const payer = await newPayer(yard)
  await subscribed(yard, payer)
  await setSetting(yard, 'trial_available_until', null)
  assert.equal((await me(payer.client)).subscription.status, 'trialing')
  await goTo('177 days')
  assert.ok((await subjectsTo(payer)).includes('Your free trial ends soon'))
  await goTo('186 days')
  const { status, trial_ends_at, tier } = (await me(payer.client)).subscription
  assert.deepEqual([status, trial_ends_at, tier], ['active', null, 'full'])
  assert.ok((await invoicesOf(payer)).data.some(({ total, status: paid }: any) => total.value === 16_500 && paid === 'paid'))
})

test('a user who deletes the account is charged no more', async () => {
  const payer = await newPayer(yard)
  await subscribed(yard, payer)
  await payer.client.delete('/api/v1/auth/me')
  await yard.bankSettled()
  const { rows } = await yard.owner.query('select cancel_at_period_end from subscriptions where user_id = $1', [payer.id])
  assert.deepEqual(rows, [{ cancel_at_period_end: true }])
})
