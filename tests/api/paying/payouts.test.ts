import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bankCall, faults, noFaults, userRow } from '#tests/support/payments/paying.ts'
import { confirmed, ledgerOf, moneyOf, newBuyer, newSeller, paid, pay, sold, statusOf, TOTAL } from '#tests/support/payments/sale-money.ts'
import { AVAILABLE_AT_ONCE, openSettling } from '#tests/support/payments/settling.ts'

const { admin, as, bought, disputed, payouts, resolved, seller, subjectsTo, yard } = await openSettling()

const { stripe } = yard.payment

test('completion pays the seller by one transfer per charge, out of that charge', async () => {
  const buyer = await newBuyer(yard)
  const id = await bought(buyer, seller, null)
  await resolved(id, 'complete', 'ExchangeComplete')
  assert.deepEqual(await payouts(id), [[TOTAL, 'done']])
  assert.deepEqual(await ledgerOf(yard, id), {})
  const [{ transfer_id, charge_id }] = await moneyOf(yard, 'seller_payouts', id)
  const transfer = await stripe.transfers.retrieve(transfer_id)
  assert.deepEqual([transfer.source_transaction, transfer.amount], [charge_id, TOTAL])
  assert.equal(transfer.transfer_group, (await stripe.charges.retrieve(charge_id)).transfer_group)
})

test('a seller who cannot be paid yet: the payout waits, and is sent when the account is verified', async () => {
  const poor = await newSeller(yard)
  const buyer = await newBuyer(yard)
  const id = await bought(buyer, poor)
  const { payment_account_id } = await userRow(yard, poor.id)
  await bankCall(yard, 'POST', `/sandbox/accounts/${payment_account_id}/unverify`)
  await yard.bankSettled()
  await resolved(id, 'complete', 'ExchangeComplete')
  assert.deepEqual([await payouts(id), await ledgerOf(yard, id)], [[[TOTAL, 'waiting']], { seller_payable: -TOTAL }])
  assert.match((await (await as(poor)).delete('/api/v1/auth/me')).body.message, /still to be paid out to you/)
  await bankCall(yard, 'POST', `/sandbox/accounts/${payment_account_id}/complete`)
  await yard.bankSettled()
  assert.deepEqual([await payouts(id), await ledgerOf(yard, id)], [[[TOTAL, 'done']], {}])
})

test('a chargeback stops the sale; lost, it counts as refunded', async () => {
  const buyer = await newBuyer(yard)
  const id = await bought(buyer)
  const dispute = await disputed(id)
  assert.equal(await statusOf(yard, id), 'HasAdminIssue')
  assert.deepEqual(await ledgerOf(yard, id), { buyer_funds: -TOTAL, chargebacks: TOTAL })
  await bankCall(yard, 'POST', `/sandbox/disputes/${dispute}/close`, { status: 'lost' })
  await yard.bankSettled()
  assert.deepEqual(
    (await moneyOf(yard, 'sale_disputes', id)).map(({ amount, status }) => [amount, status]),
    [[TOTAL, 'lost']],
  )
  assert.deepEqual(await ledgerOf(yard, id), {})
})

test('a chargeback that is already lost when we first hear of it is told as opened and as lost', async () => {
  const id = await bought(await newBuyer(yard), seller)
  await faults(yard, { webhooks: { lose: true } })
  const dispute = await disputed(id)
  await noFaults(yard)
  await bankCall(yard, 'POST', `/sandbox/disputes/${dispute}/close`, { status: 'lost' })
  await yard.bankSettled()
  const { rows } = await yard.owner.query(`select step from listing_events where listing_id = $1 and step like 'dispute%' order by id`, [
    id,
  ])
  assert.deepEqual(
    rows.map(({ step }) => step),
    ['dispute_opened', 'dispute_lost'],
  )
})

test('a chargeback after completion takes the payout back; what the account does not cover is owed and kept from the next payout', async () => {
  const owing = await newSeller(yard)
  const buyer = await newBuyer(yard)
  const id = await bought(buyer, owing, AVAILABLE_AT_ONCE)
  await resolved(id, 'complete', 'ExchangeComplete')
  const { payment_account_id } = await userRow(yard, owing.id)
  // the seller has most of it at the bank by now
  await stripe.payouts.create({ amount: 700_00, currency: 'gbp' }, { stripeAccount: payment_account_id })
  const dispute = await disputed(id)
  const [payout] = await moneyOf(yard, 'seller_payouts', id)
  assert.deepEqual([payout.reversed, payout.receivable], [500_00, 700_00])
  assert.match((await userRow(yard, owing.id)).listing_blocked_reason, /taken from your next payouts/)
  assert.ok((await subjectsTo(admin)).some((subject) => subject.startsWith('A seller owes us')))
  assert.equal(await statusOf(yard, id), 'ExchangeComplete')
  await bankCall(yard, 'POST', `/sandbox/disputes/${dispute}/close`, { status: 'lost' })
  await yard.bankSettled()
  assert.deepEqual(await ledgerOf(yard, id), { seller_receivable: 700_00 })

  const next = await bought(buyer, owing, AVAILABLE_AT_ONCE)
  await resolved(next, 'complete', 'ExchangeComplete')
  const [netted] = await moneyOf(yard, 'seller_payouts', next)
  assert.deepEqual([netted.netted, netted.status], [700_00, 'done'])
  assert.equal((await stripe.transfers.retrieve(netted.transfer_id)).amount, 500_00)
  assert.equal((await userRow(yard, owing.id)).listing_blocked_reason, null)
  assert.deepEqual(await ledgerOf(yard, next), { seller_receivable: -700_00 })

  // what was kept back of a sale that is charged back too is owed again
  await bankCall(yard, 'POST', `/sandbox/disputes/${await disputed(next)}/close`, { status: 'lost' })
  await yard.bankSettled()
  const [again] = await moneyOf(yard, 'seller_payouts', next)
  assert.deepEqual([again.reversed, again.receivable], [500_00, 700_00])
  assert.deepEqual(await ledgerOf(yard, next), {})
})

test('a chargeback that is won after completion pays the seller again', async () => {
  const winner = await newSeller(yard)
  const buyer = await newBuyer(yard)
  const id = await bought(buyer, winner, AVAILABLE_AT_ONCE)
  await resolved(id, 'complete', 'ExchangeComplete')
  const dispute = await disputed(id)
  assert.equal((await moneyOf(yard, 'seller_payouts', id))[0].reversed, TOTAL)
  await bankCall(yard, 'POST', `/sandbox/disputes/${dispute}/close`, { status: 'won' })
  await yard.bankSettled()
  const [payout] = await moneyOf(yard, 'seller_payouts', id)
  assert.deepEqual([payout.status, payout.reversed], ['done', 0])
  assert.deepEqual(await ledgerOf(yard, id), {})
})

test('a chargeback that is won gives back what was kept from another payout, and what is owed is owed no more', async () => {
  const lucky = await newSeller(yard)
  const buyer = await newBuyer(yard)
  const { payment_account_id } = await userRow(yard, lucky.id)
  const empty = async (amount: number) => {
    await stripe.payouts.create({ amount, currency: 'gbp' }, { stripeAccount: payment_account_id })
  }
  const id = await bought(buyer, lucky, AVAILABLE_AT_ONCE)
  await resolved(id, 'complete', 'ExchangeComplete')
  await empty(TOTAL)
  const dispute = await disputed(id)
  assert.equal((await moneyOf(yard, 'seller_payouts', id))[0].receivable, TOTAL)
  const other = await sold(yard, lucky, buyer, {}, 500_00)
  await confirmed(yard, (await paid(pay(buyer, other, 'card'))).client_secret, AVAILABLE_AT_ONCE)
  await resolved(other, 'complete', 'ExchangeComplete')
  assert.deepEqual(
    (await moneyOf(yard, 'seller_payouts', id)).map(({ receivable, recovered }) => [receivable, recovered]),
    [[600_00, 600_00]],
  )
  await bankCall(yard, 'POST', `/sandbox/disputes/${dispute}/close`, { status: 'won' })
  await yard.bankSettled()
  const [payout] = await moneyOf(yard, 'seller_payouts', id)
  assert.deepEqual([payout.status, payout.reversed, payout.receivable, payout.recovered], ['done', 0, 0, 0])
  assert.equal((await stripe.transfers.retrieve(payout.transfer_id)).amount, 600_00)
  assert.equal((await userRow(yard, lucky.id)).listing_blocked_reason, null)
  const sums = [await ledgerOf(yard, id), await ledgerOf(yard, other)].map((accounts) => accounts['seller_receivable'] ?? 0)
  assert.deepEqual(sums, [600_00, -600_00])
})

test('a chargeback that is won of a sale whose payout was wholly kept back: the seller owes it no more', async () => {
  const indebted = await newSeller(yard)
  const buyer = await newBuyer(yard)
  const { payment_account_id } = await userRow(yard, indebted.id)
  const first = await bought(buyer, indebted, AVAILABLE_AT_ONCE)
  await resolved(first, 'complete', 'ExchangeComplete')
  await stripe.payouts.create({ amount: TOTAL, currency: 'gbp' }, { stripeAccount: payment_account_id })
  await bankCall(yard, 'POST', `/sandbox/disputes/${await disputed(first)}/close`, { status: 'lost' })
  await yard.bankSettled()
  const id = await bought(buyer, indebted, AVAILABLE_AT_ONCE)
  await resolved(id, 'complete', 'ExchangeComplete')
  assert.equal((await moneyOf(yard, 'seller_payouts', id))[0].netted, TOTAL)
  const dispute = await disputed(id)
  assert.equal((await moneyOf(yard, 'seller_payouts', id))[0].receivable, TOTAL)
  await bankCall(yard, 'POST', `/sandbox/disputes/${dispute}/close`, { status: 'won' })
  await yard.bankSettled()
  const [payout] = await moneyOf(yard, 'seller_payouts', id)
  assert.deepEqual([payout.status, payout.receivable, payout.transfer_id], ['done', 0, null])
  assert.equal((await userRow(yard, indebted.id)).listing_blocked_reason, null)
  assert.deepEqual(await ledgerOf(yard, id), { seller_receivable: -TOTAL })
})
