import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Stripe } from 'stripe'
import { openFilesSandbox, payWithCard } from '#tests/support/payments/stripe.ts'
import { connectTo } from '#tests/support/processes/postgres.ts'

const { databaseUrl, sandbox, stripe } = await openFilesSandbox({ isHeard: false })

const newIntent = (more: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  stripe.paymentIntents.create({ amount: 16_500, currency: 'gbp', allowed_payment_method_types: ['card'], ...more })

async function thrownBy(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await call
  } catch (error) {
    assert.ok(error instanceof Stripe.errors.StripeError, String(error))
    return error
  }
  return assert.fail('it was not refused')
}

const accepted: [number: string, brand: string][] = [
  ['4242424242424242', 'visa'],
  ['4000056655665556', 'visa'],
  ['4000008260000000', 'visa'],
  ['5555555555554444', 'mastercard'],
  ['2223003122003222', 'mastercard'],
  ['5200828282828210', 'mastercard'],
  ['5105105105105100', 'mastercard'],
  ['378282246310005', 'amex'],
  ['6011111111111117', 'discover'],
  ['3056930009020004', 'diners'],
  ['3566002020360505', 'jcb'],
  ['6200000000000005', 'unionpay'],
]

for (const [number, brand] of accepted) {
  test(`card ${number} pays as ${brand}`, async () => {
    const { id, client_secret } = await newIntent()
    const { intent } = await payWithCard(sandbox, client_secret ?? '', number)
    assert.equal(intent.status, 'succeeded')
    const { latest_charge } = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge.balance_transaction'] })
    const charge = latest_charge as Stripe.Charge
    assert.deepEqual([charge.payment_method_details?.card?.brand, charge.payment_method_details?.card?.last4], [brand, number.slice(-4)])
    const { amount, fee, net } = charge.balance_transaction as Stripe.BalanceTransaction
    assert.deepEqual({ amount, fee, net }, { amount: 16_500, fee: 268, net: 16_232 }, '1.5 % + 20p')
  })
}

const refused: [number: string, code: string, declineCode?: string][] = [
  ['4000000000000002', 'card_declined', 'generic_decline'],
  ['4000000000009995', 'card_declined', 'insufficient_funds'],
  ['4000000000009987', 'card_declined', 'lost_card'],
  ['4000000000009979', 'card_declined', 'stolen_card'],
  ['4000000000006975', 'card_declined', 'card_velocity_exceeded'],
  ['4100000000000019', 'card_declined', 'fraudulent'],
  ['4000000000000069', 'expired_card'],
  ['4000000000000127', 'incorrect_cvc'],
  ['4000000000000119', 'processing_error'],
  ['4000000000000341', 'card_declined', 'generic_decline'],
]

for (const [number, code, declineCode] of refused) {
  test(`card ${number} is refused with ${declineCode ?? code}, and the intent remembers it`, async () => {
    const { id, client_secret } = await newIntent()
    const { error } = await payWithCard(sandbox, client_secret ?? '', number)
    assert.deepEqual([error?.['type'], error?.['code'], error?.['decline_code']], ['card_error', code, declineCode])
    assert.equal(error?.['payment_intent'].id, id)

    const intent = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })
    assert.equal(intent.status, 'requires_payment_method')
    assert.equal(intent.last_payment_error?.code, code)
    const charge = intent.latest_charge as Stripe.Charge
    assert.deepEqual([charge.status, charge.paid, charge.balance_transaction], ['failed', false, null])

    const again = await payWithCard(sandbox, client_secret ?? '')
    assert.equal(again.intent.status, 'succeeded', 'another card may follow')
    assert.equal(again.intent.last_payment_error, null)
  })
}

const mistyped: [what: string, card: Parameters<typeof payWithCard>[2], code: string][] = [
  ['a wrong check digit', '4242424242424241', 'incorrect_number'],
  ['a number that is too short', '42424242', 'incorrect_number'],
  ['month 13', { number: '4242424242424242', exp_month: 13 }, 'invalid_expiry_month'],
  ['a year that has passed', { number: '4242424242424242', exp_year: 2020 }, 'invalid_expiry_year'],
  ['a security code of two digits', { number: '4242424242424242', cvc: '12' }, 'invalid_cvc'],
  ['a card that is no test card', '4929000000006', 'card_declined'],
]

for (const [what, card, code] of mistyped) {
  test(`${what} is refused before anything is tried`, async () => {
    const { id, client_secret } = await newIntent()
    const { error } = await payWithCard(sandbox, client_secret ?? '', card)
    assert.deepEqual([error?.['type'], error?.['code']], ['card_error', code])
    assert.equal((await stripe.paymentIntents.retrieve(id)).latest_charge, null)
  })
}

for (const number of ['4000002500003155', '4000000000003220', '4000002760003184']) {
  test(`card ${number} waits until its holder confirms on the bank's page`, async () => {
    const { id, client_secret } = await newIntent()
    const { intent } = await payWithCard(sandbox, client_secret ?? '', number)
    assert.equal(intent.status, 'requires_action')
    assert.equal(intent.next_action.type, 'redirect_to_url')
    const { url } = intent.next_action.redirect_to_url
    assert.match(await (await fetch(url)).text(), /confirm a payment of £165\.00/)

    const answer = await fetch(url, { method: 'POST', body: new URLSearchParams({ outcome: 'pass' }), redirect: 'manual' })
    const back = new URL(answer.headers.get('location') ?? '')
    assert.equal(back.origin + back.pathname, 'https://yardbid.test/back')
    assert.equal(back.searchParams.get('payment_intent'), id)
    assert.equal(back.searchParams.get('redirect_status'), 'succeeded')
    assert.equal((await stripe.paymentIntents.retrieve(id)).status, 'succeeded')
  })

  test(`card ${number} is not charged when its holder refuses`, async () => {
    const { id, client_secret } = await newIntent()
    await payWithCard(sandbox, client_secret ?? '', number)
    const { body } = await sandbox.call('POST', `/sandbox/authenticate/${id}`, { outcome: 'fail' })
    assert.equal(body.status, 'requires_payment_method')
    assert.equal(body.last_payment_error.code, 'payment_intent_authentication_failure')
    assert.equal(body.latest_charge, null)
  })
}

test('a card that was set up for later pays off session; one that always asks does not', async () => {
  const outcomes: Record<string, string> = {}
  for (const number of ['4000002500003155', '4000002760003184']) {
    const { id: customer } = await stripe.customers.create()
    const setup = await stripe.setupIntents.create({ customer, allowed_payment_method_types: ['card'], usage: 'off_session' })
    const { intent } = await payWithCard(sandbox, setup.client_secret ?? '', number)
    assert.equal(intent.status, 'requires_action')
    const { body } = await sandbox.call('POST', `/sandbox/authenticate/${setup.id}`, { outcome: 'pass' })
    assert.equal(body.status, 'succeeded')
    const pay = newIntent({ customer, payment_method: body.payment_method, off_session: true, confirm: true })
    outcomes[number] = await pay.then(
      ({ status }) => status,
      (error: Stripe.errors.StripeCardError) => error.code ?? '',
    )
  }
  assert.deepEqual(outcomes, { '4000002500003155': 'succeeded', '4000002760003184': 'authentication_required' })
})

test('card 4000003800000446 asks its holder who is there, and nobody off session', async () => {
  const { id: customer } = await stripe.customers.create()
  const { id: payment_method } = await stripe.paymentMethods.create({
    type: 'card',
    card: { number: '4000003800000446', exp_month: 12, exp_year: 2040, cvc: '123' },
  })
  await stripe.paymentMethods.attach(payment_method, { customer })
  const pay = async (off_session: boolean) => (await newIntent({ customer, payment_method, off_session, confirm: true })).status
  assert.deepEqual([await pay(false), await pay(true)], ['requires_action', 'succeeded'])
})

test('card 4000000000000341 is saved for a customer and fails only when it is charged', async () => {
  const { id: customer } = await stripe.customers.create()
  const setup = await stripe.setupIntents.create({ customer, allowed_payment_method_types: ['card'] })
  const { intent } = await payWithCard(sandbox, setup.client_secret ?? '', '4000000000000341')
  assert.equal(intent.status, 'succeeded')
  const error = await thrownBy(newIntent({ customer, payment_method: intent.payment_method, off_session: true, confirm: true }))
  assert.equal(error.code, 'card_declined')
})

test('a card that is declined cannot be saved', async () => {
  const { id: customer } = await stripe.customers.create()
  const method = await stripe.paymentMethods.create({
    type: 'card',
    card: { number: '4000000000000002', exp_month: 12, exp_year: 2040, cvc: '123' },
  })
  assert.equal((await thrownBy(stripe.paymentMethods.attach(method.id, { customer }))).code, 'card_declined')
  const setup = await stripe.setupIntents.create({ customer, allowed_payment_method_types: ['card'] })
  const { error } = await payWithCard(sandbox, setup.client_secret ?? '', '4000000000009995')
  assert.equal(error?.['decline_code'], 'insufficient_funds')
  assert.equal((await stripe.setupIntents.retrieve(setup.id)).last_setup_error?.code, 'card_declined')
  assert.deepEqual((await stripe.paymentMethods.list({ customer })).data, [])
})

test('a saved card is listed, changed and taken away again, and the invoices forget it', async () => {
  const { id: customer } = await stripe.customers.create()
  const { id } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } })
  const changed = await stripe.paymentMethods.update(id, { card: { exp_month: 5, exp_year: 2041 }, metadata: { a: 'b' } })
  assert.deepEqual([changed.card?.exp_month, changed.card?.exp_year, changed.metadata], [5, 2041, { a: 'b' }])
  assert.deepEqual(
    (await stripe.customers.listPaymentMethods(customer)).data.map((one) => one.id),
    [id],
  )
  await stripe.paymentMethods.detach(id)
  assert.deepEqual((await stripe.customers.listPaymentMethods(customer)).data, [])
  const { invoice_settings } = (await stripe.customers.retrieve(customer)) as Stripe.Customer
  assert.equal(invoice_settings.default_payment_method, null)
})

test('a card number is stored nowhere', async () => {
  const { client_secret } = await newIntent()
  await payWithCard(sandbox, client_secret ?? '', '5555555555554444')
  await payWithCard(sandbox, (await newIntent()).client_secret ?? '', '4000000000009995')
  const client = await connectTo(databaseUrl)
  for (const table of ['objects', 'answers', 'deliveries', 'faults']) {
    const { rows } = await client.query(
      `select count(*)::int as found from stripe_sandbox.${table} as t where t::text ~ '(4000|4242|5555)[0-9]{12}'`,
    )
    assert.deepEqual(rows, [{ found: 0 }], table)
  }
  await client.end()
})
