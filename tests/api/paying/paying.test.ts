import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { act, clientOf, codesOf, left, newMember, see, stepsOf, type Merchant } from '#tests/support/auctions/sale.ts'
import { bankCall, faults, noFaults } from '#tests/support/payments/paying.ts'
import {
  cashOf,
  confirmed,
  FEE,
  ledgerOf,
  moneyOf,
  newBuyer,
  openSaleMoney,
  paid,
  pay,
  PRICE,
  refundsOf,
  sold,
  statusOf,
  TOTAL,
  transferIn,
} from '#tests/support/payments/sale-money.ts'

const { yard, seller } = await openSaleMoney()
const { stripe } = yard.payment

const payments = (id: string) => moneyOf(yard, 'sale_payments', id)
const statuses = async (id: string) => (await payments(id)).map(({ method, status, received }) => [method, status, received])
const lettersTo = async (who: Merchant) => (await yard.outbox.list(who.email)).map(({ subject }) => subject)

test('pay by card: the provider’s word that it arrived moves the sale on, and the holding fee is released', async () => {
  const buyer = await newBuyer(yard)
  const id = await sold(yard, seller, buyer)
  assert.deepEqual(
    (await moneyOf(yard, 'holding_fees', id)).map(({ status, amount }) => [status, amount]),
    [['authorised', FEE]],
  )
  const { client_secret, amount, bank_details } = await paid(pay(buyer, id))
  assert.deepEqual([amount, bank_details], [{ value: TOTAL, currency: 'GBP' }, null])
  assert.equal((await see(buyer.client, id)).payment.client_secret, client_secret)
  assert.equal((await see(seller.client, id)).payment, null)
  await confirmed(yard, client_secret)
  assert.equal(await statusOf(yard, id), 'DocumentsRequired')
  assert.deepEqual(await statuses(id), [['card', 'succeeded', TOTAL]])
  assert.deepEqual(
    (await moneyOf(yard, 'holding_fees', id)).map(({ status }) => status),
    ['released'],
  )
  assert.deepEqual(await ledgerOf(yard, id), { buyer_funds: -TOTAL })
  assert.equal((await pay(buyer, id)).status, 409)
})

test('pay is the buyer’s alone: others find nothing, the seller neither', async () => {
  const buyer = await newBuyer(yard)
  const other = await newMember(yard)
  const id = await sold(yard, seller, buyer)
  assert.equal((await pay(other, id)).status, 404)
  assert.equal((await pay(seller, id)).status, 404)
  assert.equal((await pay(buyer, randomUUID())).status, 404)
  assert.equal((await buyer.client.post(`/api/v1/listings/${id}/pay`, { method: 'cheque' })).status, 422)
  assert.equal((await act(buyer.client, id, 'pay', { method: 'cheque' })).status, 422)
  assert.deepEqual(await payments(id), [])
})

test('actions/pay does the same, and answers the listing with its open payment', async () => {
  const buyer = await newBuyer(yard)
  const id = await sold(yard, seller, buyer)
  const key = { 'idempotency-key': randomUUID() }
  const first = await buyer.client.post(`/api/v1/listings/${id}/actions/pay`, { method: 'bank_transfer' }, key)
  const second = await buyer.client.post(`/api/v1/listings/${id}/actions/pay`, { method: 'bank_transfer' }, key)
  assert.equal(first.status, 200, JSON.stringify(first.body))
  assert.equal(first.body.data.payment.bank_details.account_holder_name, 'Yardbid')
  assert.deepEqual(second.body.data.payment, first.body.data.payment)
  assert.equal((await payments(id)).length, 1)
})

test('3-D Secure: the payment is open until the cardholder has confirmed it', async () => {
  const buyer = await newBuyer(yard)
  const id = await sold(yard, seller, buyer)
  const { client_secret } = await paid(pay(buyer, id, 'card'))
  await confirmed(yard, client_secret, '4000002760003184')
  assert.equal(await statusOf(yard, id), 'DocumentsRequired')
})

test('a declined card says why on the listing, and another card pays the same payment', async () => {
  const buyer = await newBuyer(yard)
  const id = await sold(yard, seller, buyer)
  const { client_secret } = await paid(pay(buyer, id, 'card'))
  await yard.bankSettled()
  const before = await see(buyer.client, id)
  const { error } = await confirmed(yard, client_secret, '4000000000009995')
  assert.equal(error.decline_code, 'insufficient_funds')
  const { payment, version } = await see(buyer.client, id)
  assert.ok(version > before.version, 'open pages read it anew')
  assert.equal(payment.last_error, 'Your card has insufficient funds.')
  assert.equal((await paid(pay(buyer, id, 'card'))).client_secret, client_secret)
  await confirmed(yard, client_secret)
  assert.deepEqual(await statuses(id), [['card', 'succeeded', TOTAL]])
})

test('above the card limit the default is the bank transfer, and a card is refused', async () => {
  const buyer = await newBuyer(yard)
  const id = await sold(yard, seller, buyer, {}, 9_000_00)
  const refused = await pay(buyer, id, 'card')
  assert.deepEqual([refused.status, refused.body.code], [409, 'card_limit'])
  const { bank_details, amount } = await paid(pay(buyer, id))
  assert.match(bank_details.reference, /^\w+$/)
  assert.equal(amount.value, 10_800_00)
})

test('a bank transfer in full pays the sale', async () => {
  const buyer = await newBuyer(yard)
  const id = await sold(yard, seller, buyer)
  const { bank_details } = await paid(pay(buyer, id, 'bank_transfer'))
  await transferIn(yard, buyer, TOTAL, bank_details.reference)
  assert.equal(await statusOf(yard, id), 'DocumentsRequired')
  assert.deepEqual(await statuses(id), [['bank_transfer', 'succeeded', TOTAL]])
  assert.deepEqual(await ledgerOf(yard, id), { buyer_funds: -TOTAL })
  assert.equal(await cashOf(yard, buyer), 0)
})

test('a bank transfer in part: balance due, only the bank transfer remains, and the second part pays', async () => {
  const buyer = await newBuyer(yard)
  const id = await sold(yard, seller, buyer)
  const { bank_details } = await paid(pay(buyer, id, 'bank_transfer'))
  await transferIn(yard, buyer, 500_00, bank_details.reference)
  assert.equal(await statusOf(yard, id), 'BalanceDue')
  assert.deepEqual(await statuses(id), [['bank_transfer', 'open', 500_00]])
  const card = await pay(buyer, id, 'card')
  assert.deepEqual([card.status, card.body.code], [409, 'bank_transfer_only'])
  assert.equal((await paid(pay(buyer, id))).amount.value, 700_00)
  await transferIn(yard, buyer, 300_00, bank_details.reference)
  assert.deepEqual(await statuses(id), [['bank_transfer', 'open', 800_00]])
  await transferIn(yard, buyer, 400_00, bank_details.reference)
  assert.equal(await statusOf(yard, id), 'DocumentsRequired')
  assert.deepEqual(await statuses(id), [['bank_transfer', 'succeeded', TOTAL]])
})

test('a part that is never completed: the payment is missed at the deadline, and the part goes back', async () => {
  const buyer = await newBuyer(yard)
  const id = await sold(yard, seller, buyer)
  const { bank_details } = await paid(pay(buyer, id, 'bank_transfer'))
  await transferIn(yard, buyer, 500_00, bank_details.reference)
  await yard.travel('73 hours')
  assert.equal(await left(yard, id, 'BalanceDue'), 'MissedPayment')
  await yard.bankSettled()
  assert.deepEqual(await statuses(id), [['bank_transfer', 'cancelled', 0]])
  assert.equal(await cashOf(yard, buyer), 500_00)
  await yard.travel('98 hours')
  await yard.bankSettled()
  assert.deepEqual(
    (await refundsOf(yard, buyer)).map(({ amount, status }) => [amount, status]),
    [[500_00, 'waiting']],
  )
})

test('too much, and twice: the rest is unallocated, an admin is told, and it is refunded a day later', async () => {
  const admin = await newMember(yard, { role: 'admin' })
  const buyer = await newBuyer(yard)
  const id = await sold(yard, seller, buyer)
  const { bank_details } = await paid(pay(buyer, id, 'bank_transfer'))
  await transferIn(yard, buyer, TOTAL + 50_00, bank_details.reference)
  assert.equal(await statusOf(yard, id), 'DocumentsRequired')
  await transferIn(yard, buyer, TOTAL, bank_details.reference)
  assert.equal(await cashOf(yard, buyer), TOTAL + 50_00)
  assert.ok((await lettersTo(admin)).some((subject) => subject.startsWith('Money for no sale')))
  await yard.travel('25 hours')
  await yard.bankSettled()
  assert.deepEqual(
    (await refundsOf(yard, buyer)).map(({ amount, charge_id, status }) => [amount, charge_id, status]),
    [[TOTAL + 50_00, null, 'waiting']],
  )
  assert.equal(await cashOf(yard, buyer), 0)
  const [refund] = await refundsOf(yard, buyer)
  await bankCall(yard, 'POST', `/sandbox/refunds/${refund.provider_id}`, { outcome: 'details' })
  await bankCall(yard, 'POST', `/sandbox/refunds/${refund.provider_id}`, { outcome: 'succeed' })
  await yard.bankSettled()
  assert.equal((await refundsOf(yard, buyer))[0].status, 'succeeded')
})

test('excess that the buyer’s next sale uses within the day is not refunded', async () => {
  const buyer = await newBuyer(yard)
  const first = await sold(yard, seller, buyer)
  const { bank_details } = await paid(pay(buyer, first, 'bank_transfer'))
  await transferIn(yard, buyer, TOTAL + TOTAL, bank_details.reference)
  const second = await sold(yard, seller, buyer)
  await paid(pay(buyer, second, 'bank_transfer'))
  await yard.bankSettled()
  assert.equal(await statusOf(yard, second), 'DocumentsRequired')
  await yard.travel('25 hours')
  await yard.bankSettled()
  assert.deepEqual(await refundsOf(yard, buyer), [])
})

test('two tabs at once: one payment, one intent, the same answer', async () => {
  const buyer = await newBuyer(yard)
  const id = await sold(yard, seller, buyer)
  const answers = await Promise.all(Array.from({ length: 8 }, () => pay(buyer, id, 'card')))
  assert.deepEqual(
    codesOf(answers),
    Array.from({ length: 8 }, () => 200),
  )
  assert.equal(new Set(answers.map(({ body }) => body.data.client_secret)).size, 1)
  assert.equal((await payments(id)).length, 1)
  assert.deepEqual(
    (await stepsOf(yard, id)).filter((step) => step === 'pay'),
    ['pay'],
  )
})

test('the answer is lost: the same key answers the same payment, and the intent was made once', async () => {
  const buyer = await newBuyer(yard)
  const id = await sold(yard, seller, buyer)
  const key = { 'idempotency-key': randomUUID() }
  await faults(yard, { fail: 'after', status: 500, path: '/v1/payment_intents' })
  const lost = await pay(buyer, id, 'card', key)
  await noFaults(yard)
  assert.equal(lost.status, 503)
  const { client_secret } = await paid(pay(buyer, id, 'card', key))
  assert.equal((await paid(pay(buyer, id, 'card', key))).client_secret, client_secret)
  const { status, body } = await pay(buyer, id, 'bank_transfer', key)
  assert.deepEqual([status, body.code], [422, 'idempotency_key_reused'])
  const [{ intent_id }] = await payments(id)
  const { customer } = await stripe.paymentIntents.retrieve(intent_id)
  const intents = await stripe.paymentIntents.list({ customer: customer as string })
  assert.equal(intents.data.filter(({ metadata }) => metadata['purpose'] === 'goods').length, 1)
})

test('another method ends the first payment at the provider', async () => {
  const buyer = await newBuyer(yard)
  const id = await sold(yard, seller, buyer)
  await paid(pay(buyer, id, 'bank_transfer'))
  const { client_secret, bank_details } = await paid(pay(buyer, id, 'card'))
  assert.equal(bank_details, null)
  assert.deepEqual(await statuses(id), [
    ['bank_transfer', 'cancelled', 0],
    ['card', 'open', 0],
  ])
  const [first] = await payments(id)
  assert.equal((await stripe.paymentIntents.retrieve(first.intent_id)).status, 'canceled')
  await confirmed(yard, client_secret)
  assert.equal(await statusOf(yard, id), 'DocumentsRequired')
})

test('at the deadline the open payment is cancelled, the fee is captured and shared, and late money goes back', async () => {
  const buyer = await newBuyer(yard)
  const id = await sold(yard, seller, buyer)
  const { bank_details } = await paid(pay(buyer, id, 'bank_transfer'))
  await yard.travel('73 hours')
  assert.equal(await left(yard, id, 'PendingPayment'), 'MissedPayment')
  await yard.bankSettled()
  assert.deepEqual(await statuses(id), [['bank_transfer', 'cancelled', 0]])
  assert.deepEqual(
    (await moneyOf(yard, 'holding_fees', id)).map(({ status }) => status),
    ['captured'],
  )
  assert.deepEqual(
    (await moneyOf(yard, 'seller_payouts', id)).map(({ purpose, amount, status }) => [purpose, amount, status]),
    [['holding_fee', FEE / 2, 'done']],
  )
  assert.deepEqual(await ledgerOf(yard, id), { holding_fees: -FEE / 2 })
  await transferIn(yard, buyer, TOTAL, bank_details.reference)
  assert.equal(await statusOf(yard, id), 'MissedPayment')
  assert.equal(await cashOf(yard, buyer), TOTAL)
  await yard.travel('98 hours')
  await yard.bankSettled()
  assert.equal(await cashOf(yard, buyer), 0)
})

test('a payment that succeeded before the deadline counts, though its event was lost', async () => {
  const buyer = await newBuyer(yard)
  const id = await sold(yard, seller, buyer)
  const { client_secret } = await paid(pay(buyer, id, 'card'))
  await yard.bankSettled()
  await faults(yard, { webhooks: { lose: true } })
  await confirmed(yard, client_secret)
  await noFaults(yard)
  assert.equal(await statusOf(yard, id), 'PendingPayment')
  await yard.travel('73 hours')
  assert.equal(await left(yard, id, 'PendingPayment'), 'DocumentsRequired')
  await yard.bankSettled()
})

test('a payment that takes days: the deadline waits for it, and its outcome decides', async () => {
  const buyer = await newBuyer(yard)
  const id = await sold(yard, seller, buyer)
  const { client_secret } = await paid(pay(buyer, id, 'card'))
  const [{ intent_id }] = await payments(id)
  await setIntent(intent_id, 'processing')
  await yard.travel('73 hours')
  await yard.jobsDone()
  await yard.bankSettled()
  assert.deepEqual([await statusOf(yard, id), (await payments(id))[0].status], ['PendingPayment', 'processing'])
  assert.equal((await pay(buyer, id, 'bank_transfer')).body.code, 'payment_processing')
  const waiting = await buyer.client.get('/api/v1/activity?filter[status]=waiting')
  assert.deepEqual(
    [waiting.body.data, waiting.body.meta.counts.waiting],
    [[], 0],
    'who has paid waits for the outcome, and is not waited for',
  )
  await setIntent(intent_id, 'requires_payment_method')
  await confirmed(yard, client_secret)
  assert.equal(await statusOf(yard, id), 'DocumentsRequired')
})

/** No card of the sandbox takes days: its row is set. */
const setIntent = (id: string, status: string) =>
  yard.owner.query(`update stripe_sandbox.objects set doc = jsonb_set(doc, '{status}', to_jsonb($2::text)) where id = $1`, [id, status])

test('money that was paid after the sale had ended pays the buyer’s second chance', async () => {
  const buyer = await newBuyer(yard)
  const id = await sold(yard, seller, buyer)
  const { client_secret } = await paid(pay(buyer, id, 'card'))
  const [{ intent_id }] = await payments(id)
  await setIntent(intent_id, 'processing')
  // the deadline waits for five working days at most
  await yard.travel('14 days')
  assert.equal(await left(yard, id, 'PendingPayment'), 'MissedPayment')
  await setIntent(intent_id, 'requires_payment_method')
  await confirmed(yard, client_secret)
  assert.equal(await statusOf(yard, id), 'MissedPayment')
  assert.deepEqual(await goodsOf(id), { unallocated: -TOTAL })
  const reinstated = await act(await clientOf(yard, seller.id), id, 'reinstate_buyer')
  assert.equal(reinstated.status, 200, JSON.stringify(reinstated.body))
  await yard.bankSettled()
  assert.equal(await statusOf(yard, id), 'DocumentsRequired')
  assert.deepEqual(await goodsOf(id), { buyer_funds: -TOTAL })
})

/** The clock has jumped over the end of the fee's authorisation: whether it was captured is another test's. */
async function goodsOf(id: string): Promise<Record<string, number>> {
  const { holding_fees: _, ...goods } = await ledgerOf(yard, id)
  return goods
}

test('doubled and reordered events leave what the events in order leave', async () => {
  const buyer = await newBuyer(yard)
  const id = await sold(yard, seller, buyer)
  await faults(yard, { webhooks: { duplicate: true, reorder: true } })
  const { bank_details } = await paid(pay(buyer, id, 'bank_transfer'))
  await transferIn(yard, buyer, 200_00, bank_details.reference)
  await transferIn(yard, buyer, TOTAL, bank_details.reference)
  await noFaults(yard)
  await yard.bankSettled()
  assert.equal(await statusOf(yard, id), 'DocumentsRequired')
  assert.deepEqual(await statuses(id), [['bank_transfer', 'succeeded', TOTAL]])
  assert.deepEqual(await ledgerOf(yard, id), { buyer_funds: -TOTAL })
  assert.equal(await cashOf(yard, buyer), 200_00)
})

test('lost events are found by the daily look', async () => {
  const buyer = await newBuyer(yard)
  const id = await sold(yard, seller, buyer)
  const { bank_details } = await paid(pay(buyer, id, 'bank_transfer'))
  await yard.bankSettled()
  await faults(yard, { webhooks: { lose: true } })
  await transferIn(yard, buyer, TOTAL + PRICE, bank_details.reference)
  await noFaults(yard)
  assert.equal(await statusOf(yard, id), 'PendingPayment')
  await yard.travel('2 minutes')
  await yard.owner.query(`insert into jobs (kind, payload) values ('reconcile_provider', '{}')`)
  await yard.owner.query(`select pg_notify('jobs', '')`)
  await yard.bankSettled()
  assert.equal(await statusOf(yard, id), 'DocumentsRequired')
  assert.equal(await cashOf(yard, buyer), PRICE)
})
