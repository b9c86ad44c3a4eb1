import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { Stripe } from 'stripe'
import { openFilesSandbox, payWithCard } from '#tests/support/payments/stripe.ts'

// A holding fee: authorised when nobody is at the screen, captured whole or in part, cancelled or expired.

const { ear, sandbox, stripe } = await openFilesSandbox()
beforeEach(async () => {
  await sandbox.travel('0')
  await sandbox.settled()
  ear.heard.length = 0
})

const HOUR = 60 * 60
const DAY = 24 * HOUR
const told = async () => {
  await sandbox.settled()
  return ear.heard.map(({ body }) => (JSON.parse(body) as Stripe.Event).type)
}
async function thrownBy(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error: unknown = await call.then(
    () => assert.fail('it was not refused'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof Stripe.errors.StripeError, String(error))
  return error
}
const hold = (more: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  stripe.paymentIntents.create({
    amount: 10_000,
    currency: 'gbp',
    payment_method: 'pm_card_visa',
    allowed_payment_method_types: ['card'],
    capture_method: 'manual',
    confirm: true,
    expand: ['latest_charge'],
    ...more,
  })
const chargeOf = async (intent: string) =>
  (await stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge.refunds'] })).latest_charge as Stripe.Charge
const moneyOf = ({ amount_captured, amount_refunded, refunded, refunds }: Stripe.Charge) => ({
  amount_captured,
  amount_refunded,
  refunded,
  refunds: refunds?.data.map(({ amount, reason, status, balance_transaction }) => ({ amount, reason, status, balance_transaction })),
})
const released = (amount: number, reason: string | null = null) => [{ amount, reason, status: 'succeeded', balance_transaction: null }]
const captureWithin = ({ latest_charge }: Stripe.PaymentIntent) => {
  const { created, payment_method_details } = latest_charge as Stripe.Charge
  return (payment_method_details?.card?.capture_before ?? 0) - created
}

const validity: [what: string, more: Partial<Stripe.PaymentIntentCreateParams>, seconds: number][] = [
  ['a Visa that is charged off session', { off_session: true }, 4 * DAY + 18 * HOUR],
  ['a Visa whose holder is there', {}, 7 * DAY],
  ['a Mastercard that is charged off session', { off_session: true, payment_method: 'pm_card_mastercard' }, 7 * DAY],
]
for (const [what, more, seconds] of validity) {
  test(`the authorisation of ${what} is to be captured within ${seconds / HOUR} hours, and expires then`, async () => {
    const intent = await hold(more)
    assert.equal(captureWithin(intent), seconds)
    await sandbox.travel(`${seconds - 60} seconds`)
    assert.equal((await stripe.paymentIntents.retrieve(intent.id)).status, 'requires_capture')
    await sandbox.settled()
    ear.heard.length = 0
    await sandbox.travel(`${seconds + 1} seconds`)
    const expired = await stripe.paymentIntents.retrieve(intent.id)
    assert.deepEqual([expired.status, expired.cancellation_reason, expired.amount_capturable], ['canceled', 'automatic', 0])
    assert.deepEqual(moneyOf(await chargeOf(intent.id)), {
      amount_captured: 0,
      amount_refunded: 10_000,
      refunded: true,
      refunds: released(10_000, 'expired_uncaptured_charge'),
    })
    assert.deepEqual(await told(), ['refund.created', 'charge.expired', 'payment_intent.canceled'])
    assert.equal((await thrownBy(stripe.paymentIntents.capture(intent.id))).code, 'charge_expired_for_capture')
  })
}

test('an authorisation that is captured at once has no time to be captured before', async () => {
  const { latest_charge } = await hold({ capture_method: 'automatic' })
  assert.equal((latest_charge as Stripe.Charge).payment_method_details?.card?.capture_before, undefined)
})

test('a part of an authorisation is captured: the rest is a refund that moves no money, and only the part can be refunded', async () => {
  const { id } = await hold()
  assert.equal((await thrownBy(stripe.paymentIntents.capture(id, { amount_to_capture: 10_001 }))).code, 'amount_too_large')
  const captured = await stripe.paymentIntents.capture(id, { amount_to_capture: 4000 })
  assert.deepEqual([captured.status, captured.amount_capturable, captured.amount_received], ['succeeded', 0, 4000])
  const charge = await chargeOf(id)
  assert.deepEqual(moneyOf(charge), { amount_captured: 4000, amount_refunded: 6000, refunded: false, refunds: released(6000) })
  const { data } = await stripe.balanceTransactions.list({ source: charge.id })
  assert.deepEqual(
    data.map(({ type, amount, fee }) => ({ type, amount, fee })),
    [{ type: 'charge', amount: 4000, fee: 80 }],
  )
  assert.equal((await thrownBy(stripe.paymentIntents.capture(id))).code, 'payment_intent_unexpected_state')
  assert.match((await thrownBy(stripe.refunds.create({ payment_intent: id, amount: 4001 }))).message, /greater than unrefunded amount/)
  await stripe.refunds.create({ payment_intent: id })
  const back = await chargeOf(id)
  assert.deepEqual([back.amount_refunded, back.refunded, back.refunds?.data.length], [10_000, true, 2])
  assert.match(await (await fetch(back.receipt_url ?? '')).text(), /Receipt for £40\.00[\s\S]*Refunded<\/th><td>£40\.00/)
})

test('an authorisation is cancelled: it is a refund that moves no money', async () => {
  const { id } = await hold()
  await sandbox.settled()
  ear.heard.length = 0
  const canceled = await stripe.paymentIntents.cancel(id, { cancellation_reason: 'requested_by_customer' })
  assert.deepEqual([canceled.status, canceled.cancellation_reason, canceled.amount_capturable], ['canceled', 'requested_by_customer', 0])
  const money = { amount_captured: 0, amount_refunded: 10_000, refunded: true, refunds: released(10_000) }
  assert.deepEqual(moneyOf(await chargeOf(id)), money)
  assert.deepEqual(await told(), ['refund.created', 'charge.refunded', 'payment_intent.canceled'])
  const paid = await hold({ capture_method: 'automatic' })
  assert.equal((await thrownBy(stripe.paymentIntents.cancel(paid.id))).code, 'payment_intent_unexpected_state')
})

test('a card that must be confirmed refuses off session with the intent in the error, and its holder confirms the same intent', async () => {
  const { id: customer } = await stripe.customers.create()
  const setup = await stripe.setupIntents.create({ customer, allowed_payment_method_types: ['card'] })
  await payWithCard(sandbox, setup.client_secret ?? '', '4000002760003184')
  const { body } = await sandbox.call('POST', `/sandbox/authenticate/${setup.id}`, { outcome: 'pass' })
  const payment_method: string = body.payment_method
  const error = await thrownBy(hold({ customer, payment_method, off_session: true, expand: [] }))
  assert.ok(error instanceof Stripe.errors.StripeCardError)
  assert.deepEqual([error.statusCode, error.code, error.decline_code], [402, 'authentication_required', 'authentication_required'])
  assert.deepEqual([error.payment_method?.id, error.charge], [payment_method, error.payment_intent?.latest_charge])
  const { id, client_secret, status } = error.payment_intent ?? assert.fail()
  assert.equal(status, 'requires_payment_method')

  const confirm = {
    client_secret: client_secret ?? '',
    payment_method,
    return_url: 'https://yardbid.test/back',
    key: 'pk_test_yardbid_sandbox',
  }
  const answer = await fetch(`${sandbox.url}/v1/payment_intents/${id}/confirm`, { method: 'POST', body: new URLSearchParams(confirm) })
  assert.equal(((await answer.json()) as Stripe.PaymentIntent).status, 'requires_action')
  const { body: passed } = await sandbox.call('POST', `/sandbox/authenticate/${id}`, { outcome: 'pass' })
  assert.deepEqual([passed.id, passed.status], [id, 'requires_capture'])
  assert.equal(captureWithin(await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })), 7 * DAY)
})

test('an intent that may not wait for its cardholder is refused instead', async () => {
  const asked = hold({ payment_method: 'pm_card_authenticationRequired', error_on_requires_action: true })
  assert.equal((await thrownBy(asked)).code, 'authentication_required')
})

test('card options are honoured: manual capture, a demanded confirmation, a card saved for later', async () => {
  const { id: customer } = await stripe.customers.create()
  const plain = { capture_method: 'automatic', customer } as const
  const manual = await hold({ ...plain, payment_method_options: { card: { capture_method: 'manual' } } })
  assert.deepEqual([manual.status, manual.amount_capturable], ['requires_capture', 10_000])
  assert.equal(manual.payment_method_options?.card?.capture_method, 'manual')
  assert.equal(captureWithin(manual), 7 * DAY)
  const asked = await hold({ ...plain, payment_method_options: { card: { request_three_d_secure: 'any' } } })
  assert.equal(asked.status, 'requires_action')
  await hold({ ...plain, payment_method_options: { card: { setup_future_usage: 'off_session' } } })
  assert.equal((await stripe.customers.listPaymentMethods(customer)).data.length, 1)
  const extended = await hold({ payment_method_options: { card: { request_extended_authorization: 'if_available' } } })
  assert.equal((extended.latest_charge as Stripe.Charge).payment_method_details?.card?.extended_authorization?.status, 'disabled')
})

const unknown: [param: string, call: () => Promise<unknown>][] = [
  ['payment_method_options[card][moto]', () => hold({ payment_method_options: { card: { moto: true } } })],
  ['payment_method_options[klarna]', () => hold({ payment_method_options: { klarna: { capture_method: 'manual' } } })],
  [
    'automatic_payment_methods[enbled]',
    () => hold({ automatic_payment_methods: { enabled: true, enbled: true } as Stripe.PaymentIntentCreateParams.AutomaticPaymentMethods }),
  ],
  ['address[street]', () => stripe.customers.create({ address: { street: '1 Foundry Lane' } as Stripe.AddressParam })],
]
for (const [param, call] of unknown) {
  test(`a nested name that is not known is refused: ${param}`, async () => {
    const error = await thrownBy(call())
    assert.deepEqual([error.code, error.param], ['parameter_unknown', param])
  })
}
