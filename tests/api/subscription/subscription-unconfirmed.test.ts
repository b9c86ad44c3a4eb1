import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import {
  closeBalanced,
  confirm,
  faults,
  newPayer,
  noFaults,
  setSetting,
  subscribed,
  userRow,
  type Payer,
} from '#tests/support/payments/paying.ts'
import { payWithCard } from '#tests/support/payments/stripe.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

// A subscription that was never confirmed holds its trial and its coupon no longer than somebody may still come back to it.

let yard: Yard
before(async () => (yard = await openYard()))
afterEach(async () => {
  await noFaults(yard)
  await pass('0 seconds')
})
after(() => closeBalanced(yard))

async function pass(interval: string) {
  // nobody else stays logged in for so long
  await yard.owner.query('update sessions set last_seen_at = clock_timestamp() + $1::interval', [interval])
  await yard.travel(interval)
  await yard.owner.query('notify jobs')
  await yard.bankSettled()
}

const ASKS_THE_CARDHOLDER = '4000002500003155'

/** A code for one, which outlasts a trial; free ones need no payment at first, like a trial. */
async function coupon(percent_off = 10): Promise<string> {
  const code = `ONE-${Math.random().toString(36).slice(2, 10)}`
  await yard.owner.query(`insert into coupons (code, percent_off, duration, max_redemptions) values ($1, $2, 'forever', 1)`, [
    code,
    percent_off,
  ])
  return code
}

const subscribe = ({ client }: Payer, coupon_code: string) => client.post('/api/v1/stripe/subscription', { coupon_code })
const isFree = async ({ client }: Payer, code: string) =>
  (await client.post('/api/v1/stripe/subscription/coupons/validate', { code })).body.data.valid

/** The bank's question was never answered. */
async function begin(code: string): Promise<Payer & { secret: string }> {
  const payer = await newPayer(yard)
  const { client_secret: secret } = (await subscribe(payer, code)).body
  assert.match(secret, /^seti_/)
  await payWithCard(yard.bank, secret, ASKS_THE_CARDHOLDER)
  await yard.bankSettled()
  return { ...payer, secret }
}

for (const [what, until, percentOff] of [
  ['a trial', '2099-01-01T00:00:00Z', 10],
  ['a first month that costs nothing', null, 100],
] as const) {
  test(`42: ${what} that is not confirmed within 23 hours ends, and its coupon is free again`, async () => {
    await setSetting(yard, 'trial_available_until', until)
    const code = await coupon(percentOff)
    const [first, second] = [await begin(code), await newPayer(yard)]
    await pass('22 hours')
    assert.equal(await isFree(second, code), false)
    await pass('24 hours')
    assert.equal(await isFree(second, code), true)
    assert.equal((await userRow(yard, first.id)).trial_used_at, null)
    await subscribed(yard, second, { coupon_code: code })
    assert.equal((await subscribe(first, code)).status, 422)
    const { status } = await yard.payment.stripe.setupIntents.retrieve(first.secret.split('_secret_')[0] ?? '')
    assert.equal(status, 'canceled')
  })
}

test('42: one that is given up frees its coupon at once', async () => {
  await setSetting(yard, 'trial_available_until', '2099-01-01T00:00:00Z')
  const code = await coupon()
  const [first, second] = [await begin(code), await newPayer(yard)]
  assert.equal((await first.client.post('/api/v1/stripe/subscription/delete')).status, 200)
  assert.equal(await isFree(second, code), true)
})

test('42: one that is replaced by another frees its coupon at once', async () => {
  const [code, better] = [await coupon(), await coupon(50)]
  const [first, second] = [await begin(code), await newPayer(yard)]
  await subscribed(yard, first, { coupon_code: better })
  assert.deepEqual([await isFree(second, code), await isFree(second, better)], [true, false])
  await pass('24 hours')
  assert.equal((await userRow(yard, first.id)).tier, 'full')
})

test('one that was confirmed without our hearing of it stays', async () => {
  const code = await coupon()
  const first = await begin(code)
  await faults(yard, { webhooks: { lose: true } })
  await payWithCard(yard.bank, first.secret)
  await yard.bank.settled()
  await noFaults(yard)
  assert.equal((await userRow(yard, first.id)).tier, 'basic')
  await pass('24 hours')
  assert.equal((await userRow(yard, first.id)).tier, 'full')
})

test('38: when the provider is down for days, it is ended when everything is looked at', async () => {
  const code = await coupon()
  const [first, second] = [await begin(code), await newPayer(yard)]
  await yard.owner.query(`delete from jobs where kind = 'end_unconfirmed'`)
  await pass('23 hours 30 minutes')
  assert.equal(await isFree(second, code), false)
  await yard.owner.query(`insert into jobs (kind, payload) values ('reconcile_provider', '{}')`)
  await pass('24 hours')
  assert.equal(await isFree(second, code), true)
  await confirm(yard, (await first.client.post('/api/v1/stripe/subscription', {})).body.client_secret)
})
