import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { addMonths } from '#domain/subscription.ts'
import { permissions, permissionsByTier, type Tier } from '#contract/values/permissions.ts'
import { newClient } from '#tests/support/client.ts'
import {
  confirm,
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
import { payWithCard } from '#tests/support/payments/stripe.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
before(async () => (yard = await openYard()))
afterEach(() => noFaults(yard))
after(() => closeBalanced(yard))

const subscribe = (payer: Payer, body: object = {}) => payer.client.post('/api/v1/stripe/subscription', body)
const offerTrial = (until: string | null) => setSetting(yard, 'trial_available_until', until)

test('without a trial the first month is paid at once, £165.00, by a payment intent', async () => {
  await offerTrial(null)
  const payer = await newPayer(yard)
  const { status, body } = await payer.client.post('/api/v1/stripe/subscription')
  assert.equal(status, 201)
  assert.match(body.client_secret, /^pi_/)
  assert.equal(body.data.client_secret, body.client_secret)
  assert.deepEqual([body.data.subscription.status, body.data.subscription.tier], ['incomplete', 'basic'])
  assert.equal((await me(payer.client)).subscription.tier, 'basic')
  await confirm(yard, body.client_secret)
  const subscription = await subscriptionOf(payer.client)
  assert.deepEqual(
    [subscription.status, subscription.tier, subscription.price, subscription.card.last4, subscription.trial_ends_at],
    ['active', 'full', { value: 16_500, currency: 'GBP' }, '4242', null],
  )
  assert.deepEqual(subscription.next_payment, { amount: { value: 16_500, currency: 'GBP' }, at: subscription.current_period_end })
  assert.equal((await me(payer.client)).subscription.tier, 'full')
})

test('40: while it is offered, a trial of 6 calendar months waits for a card, and is full with it', async () => {
  await offerTrial('2099-01-01T00:00:00Z')
  const payer = await newPayer(yard)
  const { body } = await subscribe(payer)
  assert.match(body.client_secret, /^seti_/)
  assert.deepEqual([body.data.subscription.status, (await me(payer.client)).subscription.tier], ['incomplete', 'basic'])
  await confirm(yard, body.client_secret)
  const { subscription } = await me(payer.client)
  assert.deepEqual([subscription.tier, subscription.status], ['full', 'trialing'])
  const { trial_used_at } = await userRow(yard, payer.id)
  const expected = addMonths(trial_used_at, 6)
  assert.ok(Math.abs(Date.parse(subscription.trial_ends_at) - expected.getTime()) < 60_000)
  assert.equal((await subscriptionOf(payer.client)).next_payment.at, subscription.trial_ends_at)
})

test('40: a trial is had once: who subscribes again pays, with the card of the first time, which is named', async () => {
  await offerTrial('2099-01-01T00:00:00Z')
  const payer = await newPayer(yard)
  await subscribed(yard, payer)
  assert.equal((await payer.client.ask('PATCH', '/api/v1/stripe/subscription', { body: { plan_id: 'basic' } })).status, 200)
  const { subscribing } = (await payer.client.get('/api/v1/stripe/subscription/plans')).body
  assert.deepEqual([subscribing.card.brand, subscribing.card.last4, subscribing.trial_ends_at], ['visa', '4242', null])
  const { body } = await subscribe(payer, { shown_payment: 16_500 })
  assert.deepEqual([body.client_secret, body.data.subscription.status, body.data.subscription.card.last4], [null, 'active', '4242'])
  await yard.bankSettled()
  const { provider_customer_id: customer } = await userRow(yard, payer.id)
  const paid = (await yard.payment.stripe.invoices.list({ customer })).data.map(({ amount_paid }) => amount_paid)
  assert.deepEqual(paid, [16_500, 0])
})

test('40: a trial whose card was never confirmed was not had', async () => {
  await offerTrial('2099-01-01T00:00:00Z')
  const payer = await newPayer(yard)
  await subscribe(payer)
  assert.equal((await payer.client.post('/api/v1/stripe/subscription/delete')).status, 200)
  assert.equal((await userRow(yard, payer.id)).trial_used_at, null)
  assert.match((await subscribe(payer)).body.client_secret, /^seti_/)
  await yard.bankSettled()
  assert.notEqual(
    (await userRow(yard, payer.id)).trial_used_at,
    null,
    'the end of the first is told again, and takes nothing from the second',
  )
})

test('40: an offer that is over gives no trial', async () => {
  await offerTrial('2020-01-01T00:00:00Z')
  assert.match((await subscribe(await newPayer(yard))).body.client_secret, /^pi_/)
})

test('who asks again before confirming gets the same secret; who has a subscription is refused', async () => {
  await offerTrial(null)
  const payer = await newPayer(yard)
  const first = (await subscribe(payer)).body.client_secret
  assert.equal((await subscribe(payer)).body.client_secret, first)
  const { error } = await payWithCard(yard.bank, first, '4000000000000002')
  assert.equal(error?.['code'], 'card_declined')
  await yard.bankSettled()
  assert.equal((await subscribe(payer)).body.client_secret, first)
  await confirm(yard, first)
  const { status, body } = await subscribe(payer)
  assert.deepEqual([status, body.code], [409, 'already_subscribed'])
})

test('with a card on file nothing needs confirming', async () => {
  await offerTrial(null)
  const payer = await newPayer(yard)
  const { payment_method } = await confirm(yard, (await payer.client.get('/api/v1/stripe/setup-intent')).body.data.client_secret)
  await payer.client.post('/api/v1/stripe/attach-payment-method', { payment_method })
  const { status, body } = await subscribe(payer)
  assert.deepEqual([status, body.client_secret, body.data.subscription.status, body.data.subscription.tier], [201, null, 'active', 'full'])
  await yard.bankSettled()
})

test('the same key answers the same; with another body it is refused', async () => {
  await offerTrial(null)
  const payer = await newPayer(yard)
  const keyed = (body: object) => payer.client.post('/api/v1/stripe/subscription', body, { 'idempotency-key': 'one' })
  const first = await keyed({})
  assert.deepEqual((await keyed({})).body.data.client_secret, first.body.data.client_secret)
  const other = await keyed({ coupon_code: 'YARD20' })
  assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused'])
  const { rows } = await yard.owner.query('select answer from idempotent_answers where user_id = $1', [payer.id])
  assert.equal(JSON.stringify(rows).includes('_secret_'), false)
})

test('41: cancelled twice is cancelled once; until the end it can be taken back, once', async () => {
  await offerTrial(null)
  const payer = await newPayer(yard)
  await subscribed(yard, payer)
  const cancel = () => payer.client.post('/api/v1/stripe/subscription/delete')
  const reactivate = () => payer.client.post('/api/v1/stripe/subscription/reactivate')
  const none = await reactivate()
  assert.deepEqual([none.status, none.body.code], [409, 'not_cancelled'])

  const first = await cancel()
  assert.deepEqual(
    [first.status, first.body.message, first.body.data.cancel_at_period_end],
    [200, 'Your subscription cancelled successful', true],
  )
  assert.deepEqual([first.body.data.next_payment, first.body.data.tier], [null, 'full'])
  const second = await cancel()
  assert.deepEqual([second.status, second.body.message], [409, 'Your subscription is already cancelled'])

  const back = await reactivate()
  assert.deepEqual([back.status, back.body.message, back.body.data.cancel_at_period_end], [200, 'Subscription reactivated', false])
  assert.equal((await reactivate()).status, 409)
  await yard.bankSettled()
  assert.equal((await subscriptionOf(payer.client)).status, 'active')
})

const activities = { basic: 'scrap_metal_dealer', seller: 'electrician' } as const

for (const free of ['basic', 'seller'] as const) {
  test(`43: the permissions of full and ${free} count at the next request after each change of plan, on every server`, async () => {
    await offerTrial(null)
    const payer = await newPayer(yard, { business_activity: activities[free] })
    const other = await yard.another()
    const elsewhere = newClient(other.url, Object.fromEntries(payer.client.cookies))
    const holds = async (tier: Tier) => {
      const granted: readonly string[] = permissionsByTier[tier]
      for (const client of [payer.client, elsewhere]) {
        const user = await me(client)
        assert.equal(user.subscription.tier, tier)
        for (const name of permissions) assert.equal(user.permissions[name].enabled, granted.includes(name), `${tier} ${name}`)
      }
      const { data } = (await elsewhere.get('/api/v1/stripe/subscription/plans?cache=1')).body
      assert.deepEqual(
        data.map((plan: { tier: Tier; is_current_plan: boolean }) => [plan.tier, plan.is_current_plan]),
        [
          ['full', tier === 'full'],
          [free, tier === free],
        ],
      )
    }
    const change = (plan_id: string) => payer.client.ask('PATCH', '/api/v1/stripe/subscription', { body: { plan_id } })
    await holds(free)
    const up = await change('full')
    assert.deepEqual([up.status, up.body.message], [200, 'Subscription updated successful'])
    await holds(free)
    await confirm(yard, up.body.client_secret)
    await holds('full')
    const down = await change(free)
    assert.deepEqual([down.status, down.body.client_secret, down.body.data.status], [200, null, 'canceled'])
    await holds(free)
    assert.equal((await change(free)).status, 409)
    assert.equal((await change(free === 'basic' ? 'seller' : 'basic')).status, 422)
    await other.stop()
    await yard.bankSettled()
  })
}

test('what is left of a paid month is credit, and pays the next one', async () => {
  await offerTrial(null)
  const payer = await newPayer(yard)
  await subscribed(yard, payer)
  await payer.client.ask('PATCH', '/api/v1/stripe/subscription', { body: { plan_id: 'basic' } })
  await yard.bankSettled()
  const customer = (await userRow(yard, payer.id)).provider_customer_id
  const { balance } = (await yard.payment.stripe.customers.retrieve(customer)) as { balance: number }
  assert.ok(balance <= -16_400, String(balance))
  const { rows } = await yard.owner.query(
    `select account, sum(amount)::int as amount from ledger_entries where user_id = $1 and account in ('customer_credit', 'subscription_income') group by 1 order by 1`,
    [payer.id],
  )
  assert.deepEqual(rows, [
    { account: 'customer_credit', amount: balance },
    { account: 'subscription_income', amount: 0 - (16_500 + balance) },
  ])
})

test('letters tell of the start, the cancellation and the end', async () => {
  await offerTrial(null)
  const payer = await newPayer(yard)
  await subscribed(yard, payer)
  await payer.client.post('/api/v1/stripe/subscription/delete')
  await payer.client.ask('PATCH', '/api/v1/stripe/subscription', { body: { plan_id: 'basic' } })
  await yard.bankSettled()
  const subjects = (await yard.outbox.list(payer.email))
    .map(({ subject }) => subject.replace(' · Yardbid', ''))
    .filter((text) => /subscription/.test(text))
  assert.deepEqual(subjects.toSorted(), ['Your subscription has ended', 'Your subscription has started', 'Your subscription is cancelled'])
})
