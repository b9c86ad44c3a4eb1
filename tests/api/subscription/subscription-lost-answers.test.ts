import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import {
  allOf,
  closeBalanced,
  confirm,
  faults,
  newPayer,
  noFaults,
  subscriptionOf,
  userRow,
  type Payer,
} from '#tests/support/payments/paying.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

// A card on file is charged by the call itself: whatever happens to the answer, once.

let yard: Yard
before(async () => (yard = await openYard()))
afterEach(async () => {
  await noFaults(yard)
  await yard.travel('0 seconds')
})
after(() => closeBalanced(yard))

async function withCard(): Promise<Payer> {
  const payer = await newPayer(yard)
  const { payment_method } = await confirm(yard, (await payer.client.get('/api/v1/stripe/setup-intent')).body.data.client_secret)
  await payer.client.post('/api/v1/stripe/attach-payment-method', { payment_method })
  await yard.bankSettled()
  return payer
}

const mishaps: [what: string, fault: object][] = [
  ['the answer is lost', { fail: 'after', status: 'drop', times: 2 }],
  ['a 500 comes after it was done', { fail: 'after', status: 500, times: 1 }],
  ['a 500 comes before it was done', { fail: 'before', status: 500, times: 1 }],
  ['the provider is called too often', { fail: 'before', status: 429, times: 1 }],
]
for (const [what, fault] of mishaps) {
  test(`when ${what}, a subscription is charged once, and is there`, async () => {
    const payer = await withCard()
    await faults(yard, { ...fault, path: '/v1/subscriptions' })
    const first = await payer.client.post('/api/v1/stripe/subscription', {}, { 'idempotency-key': 'first' })
    // the provider's own word of it may have come before we asked again
    assert.ok([201, 503].includes(first.status), String(first.status))
    await noFaults(yard)
    await yard.travel('20 seconds')
    await yard.bankSettled()
    const { status, tier } = await subscriptionOf(payer.client)
    assert.deepEqual([status, tier], ['active', 'full'])
    const { provider_customer_id: customer } = await userRow(yard, payer.id)
    const charges = await allOf(yard.payment.stripe.charges.list({ customer, limit: 100 }))
    assert.deepEqual(
      charges.map(({ amount, paid }) => [amount, paid]),
      [[16_500, true]],
    )
    const again = await payer.client.post('/api/v1/stripe/subscription', {}, { 'idempotency-key': 'first' })
    assert.deepEqual([again.status, again.body.data.subscription.status], [201, 'active'])
  })
}
