import assert from 'node:assert/strict'
import { test } from 'node:test'
import { act, acts, left, see, setUser } from '#tests/support/auctions/sale.ts'
import { bankCall, faults, noFaults } from '#tests/support/payments/paying.ts'
import { confirmed, FEE, ledgerOf, moneyOf, newBuyer, paid, saveCard, sold, statusOf, TOTAL } from '#tests/support/payments/sale-money.ts'
import { ASKS_EVERY_TIME, openSettling } from '#tests/support/payments/settling.ts'

const { admin, as, askFee, bought, disputed, fees, payouts, refunds, resolved, seller, subjectsTo, yard } = await openSettling()

const REFUSED_WHEN_CHARGED = '4000000000000341'

test('a card that asks for 3-D Secure: the buyer is asked by email and on the listing, and confirms the holding fee', async () => {
  const buyer = await newBuyer(yard, ASKS_EVERY_TIME)
  const id = await sold(yard, seller, buyer)
  const { holding_fee } = await see(buyer.client, id)
  assert.deepEqual([holding_fee.status, holding_fee.amount.value], ['asks_buyer', FEE])
  assert.ok((await subjectsTo(buyer)).some((subject) => subject.startsWith('Your card needs you')))
  assert.equal((await see(seller.client, id)).holding_fee, null)
  assert.equal((await askFee(seller, id)).status, 404)
  const { client_secret } = await paid(askFee(buyer, id))
  assert.equal((await paid(askFee(buyer, id))).client_secret, client_secret)
  await confirmed(yard, client_secret, ASKS_EVERY_TIME)
  assert.deepEqual(await fees(id), ['authorised'])
  assert.equal((await askFee(buyer, id)).status, 409)
})

test('a card that is refused: another card authorises the holding fee', async () => {
  const buyer = await newBuyer(yard, REFUSED_WHEN_CHARGED)
  const id = await sold(yard, seller, buyer)
  assert.equal((await see(buyer.client, id)).holding_fee.last_error, 'Your card was declined.')
  await confirmed(yard, (await paid(askFee(buyer, id))).client_secret)
  assert.deepEqual(await fees(id), ['authorised'])
})

test('a saved card that is gone: the buyer gives another one', async () => {
  const buyer = await newBuyer(yard)
  await setUser(yard, buyer.id, { holding_fee_card: 'pm_gone' })
  const id = await sold(yard, seller, buyer)
  assert.deepEqual(await fees(id), ['asks_buyer'])
  await confirmed(yard, (await paid(askFee(buyer, id))).client_secret)
  assert.deepEqual(await fees(id), ['authorised'])
})

test('a fee that was never authorised is not captured when the payment is missed', async () => {
  const buyer = await newBuyer(yard, REFUSED_WHEN_CHARGED)
  const id = await sold(yard, seller, buyer)
  await yard.travel('241 hours')
  assert.equal(await left(yard, id, 'PendingPayment'), 'MissedPayment')
  await yard.bankSettled()
  assert.deepEqual([await fees(id), await payouts(id), await ledgerOf(yard, id)], [['lapsed'], [], {}])
})

test('an authorisation is renewed before its own end, and only the newest is captured', async () => {
  const buyer = await newBuyer(yard)
  const id = await sold(yard, seller, buyer)
  await yard.travel('101 hours')
  await yard.bankSettled()
  assert.deepEqual(await fees(id), ['authorised'])
  await yard.travel('103 hours')
  await yard.bankSettled()
  assert.deepEqual(await fees(id), ['released', 'authorised'])
  await yard.travel('206 hours')
  await yard.bankSettled()
  assert.deepEqual(await fees(id), ['released', 'released', 'authorised'])
  await yard.travel('241 hours')
  assert.equal(await left(yard, id, 'PendingPayment'), 'MissedPayment')
  await yard.bankSettled()
  assert.deepEqual(await fees(id), ['released', 'released', 'captured'])
  assert.deepEqual(await payouts(id), [[FEE / 2, 'done']])
  assert.deepEqual(await ledgerOf(yard, id), { holding_fees: -FEE / 2 })
})

test('a renewal that is refused asks the buyer; the first authorisation is captured while it stands', async () => {
  const buyer = await newBuyer(yard)
  const id = await sold(yard, seller, buyer)
  await saveCard(yard, buyer, REFUSED_WHEN_CHARGED)
  await yard.travel('103 hours')
  await yard.bankSettled()
  assert.deepEqual(await fees(id), ['authorised', 'asks_buyer'])
  await yard.owner.query(`update listings set due_at = app_now() where id = $1`, [id])
  await yard.owner.query(`update listings set entered_at = entered_at - interval '241 hours' where id = $1`, [id])
  await yard.travel('104 hours')
  assert.equal(await left(yard, id, 'PendingPayment'), 'MissedPayment')
  await yard.bankSettled()
  assert.deepEqual(await fees(id), ['captured', 'lapsed'])
})

test('a sale that both agree to cancel releases the holding fee', async () => {
  const buyer = await newBuyer(yard)
  const id = await sold(yard, seller, buyer)
  await acts(buyer.client, id, 'cancel_by_agreement', 'PendingPayment')
  await acts(await as(seller), id, 'cancel_by_agreement', 'Expired')
  await yard.bankSettled()
  assert.deepEqual(await fees(id), ['released'])
})

test('a chargeback of a missed payment’s fee is booked and told, and touches no sale', async () => {
  const first = await newBuyer(yard)
  const id = await sold(yard, seller, first)
  for (const hours of [103, 206, 241]) {
    await yard.travel(`${hours} hours`)
    await yard.bankSettled()
  }
  assert.equal(await left(yard, id, 'PendingPayment'), 'MissedPayment')
  await yard.bankSettled()
  const captured = (await moneyOf(yard, 'holding_fees', id)).find(({ status }) => status === 'captured')
  if (!captured) assert.fail('no fee was captured')
  assert.equal((await act(await as(seller), id, 'reinstate_buyer')).status, 200)
  await yard.bankSettled()
  const dispute = await bankCall(yard, 'POST', '/sandbox/disputes', { charge: captured.charge_id })
  await yard.bankSettled()
  const leftOf = async () => (await moneyOf(yard, 'seller_payouts', id)).map((row) => row.amount - row.reversed - row.receivable)
  assert.deepEqual(await leftOf(), [0])
  assert.equal(await statusOf(yard, id), 'PendingPayment')
  assert.deepEqual(
    (await moneyOf(yard, 'sale_disputes', id)).map(({ purpose, status }) => [purpose, status]),
    [['holding_fee', 'open']],
  )
  assert.ok((await subjectsTo(admin)).some((subject) => subject.startsWith('Chargeback')))
  await bankCall(yard, 'POST', `/sandbox/disputes/${dispute.id}/close`, { status: 'won' })
  await yard.bankSettled()
  assert.deepEqual(await leftOf(), [FEE / 2])
  assert.deepEqual(await payouts(id), [[FEE / 2, 'done']])
})

test('lost events of a fee, a refund and a chargeback are found by the daily look', async () => {
  const buyer = await newBuyer(yard, ASKS_EVERY_TIME)
  const asked = await sold(yard, seller, buyer)
  const refunded = await bought(await newBuyer(yard), seller, null)
  await resolved(refunded, 'refund_all', 'ReturnComplete')
  const disputedSale = await bought(await newBuyer(yard))
  const dispute = await disputed(disputedSale)
  const { client_secret } = await paid(askFee(buyer, asked))
  await yard.bankSettled()
  await faults(yard, { webhooks: { lose: true } })
  await confirmed(yard, client_secret, ASKS_EVERY_TIME)
  const [refund] = await moneyOf(yard, 'refunds', refunded)
  for (const outcome of ['details', 'succeed']) await bankCall(yard, 'POST', `/sandbox/refunds/${refund.provider_id}`, { outcome })
  await bankCall(yard, 'POST', `/sandbox/disputes/${dispute}/close`, { status: 'lost' })
  await yard.bankSettled()
  await noFaults(yard)
  assert.deepEqual([await fees(asked), await refunds(refunded)], [['asks_buyer'], [[TOTAL, 'waiting']]])
  await yard.travel('2 minutes')
  await yard.owner.query(`insert into jobs (kind, payload) values ('reconcile_provider', '{}')`)
  await yard.owner.query(`select pg_notify('jobs', '')`)
  await yard.bankSettled()
  assert.deepEqual([await fees(asked), await refunds(refunded)], [['authorised'], [[TOTAL, 'succeeded']]])
  assert.equal((await moneyOf(yard, 'sale_disputes', disputedSale))[0].status, 'lost')
  assert.deepEqual(await ledgerOf(yard, disputedSale), {})
})
