import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { confirm, newPayer, subscribed, subscriptionOf, closeBalanced } from '#tests/support/payments/paying.ts'
import { demoUser } from '#tests/support/people.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'
import type { Client } from '#tests/support/client.ts'

let yard: Yard
let admin: Client
before(async () => {
  yard = await openYard({ demo: true, env: { SETTINGS: '{"trial_available_until":null}' } })
  admin = await demoUser(yard, 'admin')
  for (const coupon of coupons) assert.equal((await admin.post('/api/v1/admin/coupons', coupon)).status, 201)
})
after(() => closeBalanced(yard))

const coupons = [
  { code: 'YARD20', percent_off: 20, duration: 'repeating', duration_in_months: 3 },
  { code: 'TENNER', amount_off: 1_000 },
  { code: 'HALF', percent_off: 50, duration: 'forever' },
  { code: 'ONE-ONLY', percent_off: 10, max_redemptions: 1 },
  { code: 'OVER', percent_off: 10, redeem_by: '2020-01-01T00:00:00Z' },
  { code: 'ENDED', percent_off: 10 },
]

const validate = async (client: Client, code: string) =>
  (await client.post('/api/v1/stripe/subscription/coupons/validate', { code })).body.data

const told: [code: string, valid: boolean, says: string, first: number | null][] = [
  ['YARD20', true, '20% off for 3 months', 13_200],
  ['yard20', true, '20% off for 3 months', 13_200],
  ['TENNER', true, '£10.00 off the first payment', 15_500],
  ['HALF', true, 'Half off every month', 8_250],
  ['OVER', false, 'This code is no longer valid.', null],
  ['NEVER-HEARD-OF', false, 'We do not know this code.', null],
]
for (const [code, valid, says, first] of told) {
  test(`the coupon ${code} is told to be ${valid ? 'valid' : 'invalid'}: ${says}`, async () => {
    const { client } = await newPayer(yard)
    const coupon = await validate(client, code)
    assert.deepEqual([coupon.valid, coupon.says, coupon.first_payment?.value ?? null], [valid, says, first])
  })
}

test('a coupon lowers the first payment, is used once by each, and stands beside the subscription', async () => {
  const payer = await newPayer(yard)
  const { body } = await payer.client.post('/api/v1/stripe/subscription', { coupon_code: 'yard20' })
  const intent = await confirm(yard, body.client_secret)
  assert.equal(intent.amount, 13_200)
  const { coupon, next_payment, price } = await subscriptionOf(payer.client)
  const shown = { code: 'YARD20', says: '20% off for 3 months', duration: 'repeating', first_payment: { value: 13_200, currency: 'GBP' } }
  assert.deepEqual([coupon, next_payment.amount.value, price.value], [shown, 13_200, 16_500])
  assert.equal((await validate(payer.client, 'YARD20')).says, 'You have used this code already.')
})

test('42: a coupon with a limit is refused once it is used up, and an unconfirmed use is given back', async () => {
  const [first, second] = [await newPayer(yard), await newPayer(yard)]
  assert.equal((await first.client.post('/api/v1/stripe/subscription', { coupon_code: 'ONE-ONLY' })).status, 201)
  const refused = await second.client.post('/api/v1/stripe/subscription', { coupon_code: 'ONE-ONLY' })
  assert.deepEqual([refused.status, refused.body.errors], [422, { coupon_code: ['This code has been used up.'] }])
  await first.client.post('/api/v1/stripe/subscription/delete')
  await subscribed(yard, second, { coupon_code: 'ONE-ONLY' })
})

test('who comes back to the form with another code gets a payment of that', async () => {
  const payer = await newPayer(yard)
  const plain = (await payer.client.post('/api/v1/stripe/subscription', {})).body.client_secret
  const half = (await payer.client.post('/api/v1/stripe/subscription', { coupon_code: 'HALF' })).body.client_secret
  assert.notEqual(plain, half)
  assert.equal((await payer.client.post('/api/v1/stripe/subscription', { coupon_code: 'half' })).body.client_secret, half)
  assert.equal((await confirm(yard, half)).amount, 8_250)
})

test('a coupon that is taken out of use is valid no more; who has it keeps it', async () => {
  const [has, comes] = [await newPayer(yard), await newPayer(yard)]
  await subscribed(yard, has, { coupon_code: 'ENDED' })
  assert.equal((await admin.delete('/api/v1/admin/coupons/ended')).status, 200)
  assert.equal((await validate(comes.client, 'ENDED')).valid, false)
  assert.equal((await subscriptionOf(has.client)).coupon.code, 'ENDED')
  const { data } = (await admin.get('/api/v1/admin/coupons')).body
  const { is_active, times_redeemed } = data.find(({ code }: { code: string }) => code === 'ENDED')
  assert.deepEqual([is_active, times_redeemed], [false, 1])
})

const wrong: [what: string, coupon: object, field: string][] = [
  ['both a percentage and an amount', { code: 'A', percent_off: 5, amount_off: 5 }, 'percent_off'],
  ['neither', { code: 'A' }, 'percent_off'],
  ['months without repeating', { code: 'A', percent_off: 5, duration_in_months: 2 }, 'duration_in_months'],
  ['repeating without months', { code: 'A', percent_off: 5, duration: 'repeating' }, 'duration_in_months'],
  ['a code that is taken', { code: 'yArD20', percent_off: 5 }, 'code'],
  ['more than everything off', { code: 'A', percent_off: 101 }, 'percent_off'],
]
for (const [what, coupon, field] of wrong) {
  test(`a coupon with ${what} is refused under ${field}`, async () => {
    const { status, body } = await admin.post('/api/v1/admin/coupons', coupon)
    assert.deepEqual([status, Object.keys(body.errors)], [422, [field]])
  })
}
