import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { allOf, confirm, faults, newPayer, noFaults, userRow, type Payer, closeBalanced } from '#tests/support/payments/paying.ts'
import { payWithCard } from '#tests/support/payments/stripe.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
before(async () => (yard = await openYard()))
afterEach(() => noFaults(yard))
after(() => closeBalanced(yard))

const holdingFeeSecret = async ({ client }: Payer): Promise<string> =>
  (await client.post('/api/v1/stripe/create-holding-fee-setup-intent')).body.data.client_secret
const holdingFeeCard = async ({ client }: Payer) => (await client.get('/api/v1/stripe/holding-fee-payment-method')).body.data

test('a card for holding fees is saved by a setup intent, and shown by its last four digits', async () => {
  const payer = await newPayer(yard)
  assert.equal(await holdingFeeCard(payer), null)
  const secret = await holdingFeeSecret(payer)
  assert.match(secret, /^seti_/)
  const intent = await confirm(yard, secret)
  const { holding_fee_card } = await userRow(yard, payer.id)
  assert.equal(holding_fee_card, intent.payment_method)
  const { brand, last4, is_expired } = await holdingFeeCard(payer)
  assert.deepEqual([brand, last4, is_expired], ['visa', '4242', false])
})

test('a setup intent that still waits serves again; one that is used does not', async () => {
  const payer = await newPayer(yard)
  const first = await holdingFeeSecret(payer)
  assert.equal(await holdingFeeSecret(payer), first)
  const { error } = await payWithCard(yard.bank, first, '4000000000000002')
  assert.equal(error?.['code'], 'card_declined')
  assert.equal(await holdingFeeSecret(payer), first)
  await confirm(yard, first)
  assert.notEqual(await holdingFeeSecret(payer), first)
})

test('two hundred askers at once, those within the limit of a minute, get the same setup intent of the same customer', async () => {
  const payer = await newPayer(yard)
  const answers = await Promise.all(Array.from({ length: 200 }, () => payer.client.post('/api/v1/stripe/create-holding-fee-setup-intent')))
  const [served, refused] = [answers.filter(({ status }) => status === 200), answers.filter(({ status }) => status === 429)]
  assert.deepEqual([served.length + refused.length, served.length > 20], [200, true])
  assert.equal(new Set(served.map(({ body }) => body.data.client_secret)).size, 1)
  const customers = (await allOf(yard.payment.stripe.customers.list({ limit: 100 }))).filter(
    ({ metadata }) => metadata['user_id'] === payer.id,
  )
  assert.equal(customers.length, 1)
})

test('the card that was saved last counts, and one that is taken away counts no more', async () => {
  const payer = await newPayer(yard)
  await confirm(yard, await holdingFeeSecret(payer))
  const { payment_method } = await confirm(yard, await holdingFeeSecret(payer), '5555555555554444')
  assert.equal((await holdingFeeCard(payer)).last4, '4444')
  await yard.payment.stripe.paymentMethods.detach(payment_method)
  await yard.bankSettled()
  assert.equal((await holdingFeeCard(payer))?.last4, '4242')
})

test('the card is known as soon as its owner asks, although no word of it has come', async () => {
  const payer = await newPayer(yard)
  const secret = await holdingFeeSecret(payer)
  await faults(yard, { webhooks: { lose: true } })
  await payWithCard(yard.bank, secret)
  assert.equal((await holdingFeeCard(payer)).last4, '4242')
})

test('a look at the cards that began before another was chosen does not bring the old one back', async () => {
  const payer = await newPayer(yard)
  const secret = (await payer.client.get('/api/v1/stripe/setup-intent')).body.data.client_secret
  const { payment_method } = await confirm(yard, secret)
  const { rows } = await yard.owner.query(`select nextval('provider_reads') as begun`)
  await faults(yard, { webhooks: { lose: true } })
  assert.equal((await payer.client.post('/api/v1/stripe/attach-payment-method', { payment_method })).status, 200)
  await noFaults(yard)
  const { cards_read, subscription_card } = await userRow(yard, payer.id)
  assert.equal(subscription_card.last4, '4242')
  assert.ok(BigInt(cards_read) > BigInt(rows[0].begun), 'what was read earlier is not written over it')
})

test('a saved card can be used for the subscription by its owner alone', async () => {
  const [payer, stranger] = [await newPayer(yard), await newPayer(yard)]
  const secret = (await payer.client.get('/api/v1/stripe/setup-intent')).body.data.client_secret
  const { payment_method } = await confirm(yard, secret)
  await stranger.client.get('/api/v1/stripe/setup-intent')
  const refused = await stranger.client.post('/api/v1/stripe/attach-payment-method', { payment_method })
  assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ['payment_method']])
  const { status, body } = await payer.client.post('/api/v1/stripe/attach-payment-method', { payment_method })
  assert.deepEqual([status, body.data.last4, body.message], [200, '4242', 'Card added successfully'])
  assert.equal((await userRow(yard, payer.id)).subscription_card.id, payment_method)
  const unknown = await payer.client.post('/api/v1/stripe/attach-payment-method', { payment_method: 'pm_unknown' })
  assert.equal(unknown.status, 422)
})

test('with the account its cards are erased, and no later word of the provider brings them back', async () => {
  const payer = await newPayer(yard)
  const { payment_method } = await confirm(yard, await holdingFeeSecret(payer))
  await payer.client.delete('/api/v1/auth/me')
  await yard.bankSettled()
  await yard.owner.query(`update users set deleted_at = app_now() - interval '31 days' where id = $1`, [payer.id])
  await yard.owner.query(`update jobs set run_at = app_now() where kind = 'erase_account'`)
  await yard.owner.query('notify jobs')
  await yard.jobsDone()
  await yard.payment.stripe.paymentMethods.update(payment_method, { metadata: { seen: 'again' } })
  await yard.bankSettled()
  const { erased_at, holding_fee_card, holding_fee_card_shown, subscription_card } = await userRow(yard, payer.id)
  assert.deepEqual([erased_at === null, holding_fee_card, holding_fee_card_shown, subscription_card], [false, null, null, null])
})
