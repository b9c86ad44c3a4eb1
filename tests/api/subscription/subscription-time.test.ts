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

const trialCoupons = [
  { code: 'ONCE', duration: 'once', months: null, payment: 16_500, isUsable: false },
  { code: 'THREE', duration: 'repeating', months: 3, payment: 16_500, isUsable: false },
  { code: 'SIX', duration: 'repeating', months: 6, payment: 16_500, isUsable: false },
  { code: 'SEVEN', duration: 'repeating', months: 7, payment: 13_200, isUsable: true },
  { code: 'TWELVE', duration: 'repeating', months: 12, payment: 13_200, isUsable: true },
  { code: 'ALWAYS', duration: 'forever', months: null, payment: 13_200, isUsable: true },
]

const newCoupon = (code: string, duration: string, months: number | null) =>
  yard.owner.query('insert into coupons (code, percent_off, duration, duration_in_months) values ($1, 20, $2, $3)', [
    code,
    duration,
    months,
  ])

const pounds = (pence: number) => `£${(pence / 100).toFixed(2)}`
const nextAmountOf = async ({ client }: Payer) => (await subscriptionOf(client)).next_payment.amount.value

test('a coupon with a trial: the price shown before, during the trial and in the letters is the price taken at its end', async () => {
  await setSetting(yard, 'trial_available_until', '2099-01-01T00:00:00Z')
  const cases = []
  for (const { code, duration, months, payment, isUsable } of trialCoupons) {
    await newCoupon(code, duration, months)
    const payer = await newPayer(yard)
    const shown = (await payer.client.post('/api/v1/stripe/subscription/coupons/validate', { code })).body.data
    assert.deepEqual([code, shown.valid, shown.first_payment?.value], [code, isUsable, isUsable ? payment : undefined])
    const refused = isUsable ? null : await payer.client.post('/api/v1/stripe/subscription', { coupon_code: code })
    if (refused) assert.deepEqual([refused.status, refused.body.errors], [422, { coupon_code: [shown.says] }])
    await subscribed(yard, payer, isUsable ? { coupon_code: code } : {})
    assert.deepEqual([code, await nextAmountOf(payer)], [code, payment])
    cases.push({ code, payer, payment })
  }
  await setSetting(yard, 'trial_available_until', null)
  await goTo('177 days')
  for (const { code, payer, payment } of cases) {
    assert.deepEqual([code, await nextAmountOf(payer)], [code, payment])
    for (const subject of ['Your subscription has started', 'Your free trial ends soon']) {
      const mail = (await yard.outbox.list(payer.email)).find((sent) => sent.subject.startsWith(subject))
      assert.ok(mail?.text.includes(pounds(payment)), `${code}: ${subject}: ${mail?.text}`)
    }
  }
  await goTo('186 days')
  for (const { code, payer, payment } of cases) {
    const paid = (await invoicesOf(payer)).data.find(({ total }: any) => total.value > 0)
    assert.deepEqual([code, paid.status, paid.total.value], [code, 'paid', payment])
    const customer = (await userRow(yard, payer.id)).provider_customer_id
    const { data: charges } = await yard.payment.stripe.charges.list({ customer })
    assert.deepEqual([code, charges.map(({ amount }) => amount)], [code, [payment]])
  }
  const seven = cases.find(({ code }) => code === 'SEVEN')
  assert.equal(seven && (await nextAmountOf(seven.payer)), 16_500, 'the seventh month of the coupon is over at the second payment')
})

test('a coupon for one month: the next payment is shown without it', async () => {
  await newCoupon('MONTH', 'repeating', 1)
  const payer = await newPayer(yard)
  await subscribed(yard, payer, { coupon_code: 'MONTH' })
  assert.equal(await nextAmountOf(payer), 16_500)
  await goTo('32 days')
  assert.deepEqual(
    (await invoicesOf(payer)).data.map(({ total }: any) => total.value),
    [16_500, 13_200],
  )
})

test('credit of a month that was left early lowers the payment that is shown and the one that is taken', async () => {
  const payer = await newPayer(yard)
  await subscribed(yard, payer)
  const saved = (await payer.client.get('/api/v1/stripe/setup-intent')).body.data.client_secret
  const { payment_method } = await confirm(yard, saved)
  await payer.client.post('/api/v1/stripe/attach-payment-method', { payment_method })
  await payer.client.ask('PATCH', '/api/v1/stripe/subscription', { body: { plan_id: 'basic' } })
  await yard.bankSettled()
  const { subscribing } = (await payer.client.get('/api/v1/stripe/subscription/plans')).body
  const { credit, card, trial_ends_at } = subscribing
  assert.ok(credit.value > 0, 'most of the month is left')
  assert.deepEqual([card.brand, card.last4, trial_ends_at], ['visa', '4242', null])
  const due = Math.max(0, 16_500 - credit.value)
  const wrong = await payer.client.post('/api/v1/stripe/subscription', { shown_payment: due + 1 })
  assert.deepEqual([wrong.status, wrong.body.code], [409, 'price_changed'])
  const { status, body } = await payer.client.post('/api/v1/stripe/subscription', { shown_payment: due })
  assert.deepEqual([status, body.client_secret], [201, null])
  await yard.bankSettled()
  const [latest] = (await yard.payment.stripe.invoices.list({ customer: (await userRow(yard, payer.id)).provider_customer_id })).data
  assert.equal(latest?.amount_due, due)
  assert.equal(await nextAmountOf(payer), 16_500, 'the credit is spent')
})

for (const kind of ['end_grace', 'end_unconfirmed']) {
  test(`a job ${kind} of an earlier time does not end the subscription within its grace`, async () => {
    const payer = await withFailingCard()
    await goTo('32 days')
    await yard.owner.query(
      `insert into jobs (kind, payload) select $2, jsonb_build_object('subscription_id', id) from subscriptions where user_id = $1`,
      [payer.id, kind],
    )
    await goTo('32 days')
    const subscription = await subscriptionOf(payer.client)
    assert.deepEqual([subscription?.status, subscription?.tier], ['past_due', 'full'])
  })
}

test('a user who deletes the account is charged no more', async () => {
  const payer = await newPayer(yard)
  await subscribed(yard, payer)
  await payer.client.delete('/api/v1/auth/me')
  await yard.bankSettled()
  const { rows } = await yard.owner.query('select cancel_at_period_end from subscriptions where user_id = $1', [payer.id])
  assert.deepEqual(rows, [{ cancel_at_period_end: true }])
})
