import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acts, type Merchant } from '#tests/support/auctions/sale.ts'
import { bankCall } from '#tests/support/payments/paying.ts'
import { ledgerOf, moneyOf, newBuyer, paid, pay, sold, statusOf, TOTAL, transferIn } from '#tests/support/payments/sale-money.ts'
import { REFUNDED_SLOWLY, AVAILABLE_AT_ONCE, openSettling } from '#tests/support/payments/settling.ts'
import { connectTo } from '#tests/support/processes/postgres.ts'

const { admin, as, bought, cancelledWithFailedRefund, disputed, payouts, refunds, resolved, seller, subjectsTo, yard } =
  await openSettling()

const { stripe } = yard.payment

/** A paid sale of which this much was refunded, and the bank refused it: the refund is sent again a day later. */
async function refundFailed(amount: number): Promise<{ id: string; buyer: Merchant; charge: string }> {
  const buyer = await newBuyer(yard)
  const id = await bought(buyer, seller, REFUNDED_SLOWLY)
  const [{ charge_id: charge, award_id }] = await moneyOf(yard, 'sale_payments', id)
  await yard.owner.query(
    `with refund as (
       insert into refunds (award_id, user_id, charge_id, amount, reason) values ($1, $2, $3, $4, 'test') returning id
     )
     insert into jobs (kind, payload) select 'send_refund', jsonb_build_object('refund_id', id) from refund`,
    [award_id, buyer.id, charge, amount],
  )
  await yard.owner.query('notify jobs')
  await yard.bankSettled()
  const [{ provider_id }] = await moneyOf(yard, 'refunds', id)
  await bankCall(yard, 'POST', `/sandbox/refunds/${provider_id}`, { outcome: 'fail' })
  await yard.bankSettled()
  assert.deepEqual(await refunds(id), [[amount, 'failed']])
  return { id, buyer, charge }
}

/** Those that are under way arrive. */
async function refundsArrive(id: string): Promise<void> {
  for (const { status, provider_id } of await moneyOf(yard, 'refunds', id))
    if (status === 'pending') await bankCall(yard, 'POST', `/sandbox/refunds/${provider_id}`, { outcome: 'succeed' })
  await yard.bankSettled()
}

test('a sale that the seller cancels is refunded to the card', async () => {
  const buyer = await newBuyer(yard)
  const id = await bought(buyer, seller, AVAILABLE_AT_ONCE)
  await acts(await as(seller), id, 'cancel_sale', 'Expired', { reason: 'Sold elsewhere' })
  await yard.bankSettled()
  assert.deepEqual(await refunds(id), [[TOTAL, 'succeeded']])
  assert.deepEqual(await ledgerOf(yard, id), {})
})

test('a bank refund waits for the account, comes back, fails, and is sent again a day later under a new key', async () => {
  const buyer = await newBuyer(yard)
  const id = await bought(buyer, seller, null)
  await resolved(id, 'refund_all', 'ReturnComplete')
  assert.deepEqual(await refunds(id), [[TOTAL, 'waiting']])
  const refund = async () => (await moneyOf(yard, 'refunds', id))[0]
  const decide = async (outcome: string) => {
    await bankCall(yard, 'POST', `/sandbox/refunds/${(await refund()).provider_id}`, { outcome })
    await yard.bankSettled()
    return (await refund()).status
  }
  assert.equal(await decide('details'), 'pending')
  assert.equal(await decide('return'), 'waiting')
  const first = (await refund()).provider_id
  assert.equal(await decide('fail'), 'failed')
  assert.ok((await subjectsTo(admin)).some((subject) => subject.startsWith('A refund failed')))
  await yard.travel('25 hours')
  await yard.bankSettled()
  assert.notEqual((await refund()).provider_id, first)
  assert.equal(await decide('details'), 'pending')
  assert.equal(await decide('succeed'), 'succeeded')
  assert.deepEqual(await ledgerOf(yard, id), {})
})

test('a part is refunded, the seller gets the rest; less than 30p is waived', async () => {
  const buyer = await newBuyer(yard)
  const part = await bought(buyer, seller, AVAILABLE_AT_ONCE)
  await resolved(part, 'refund_amount', 'ExchangeComplete', { amount: 200_00 })
  assert.deepEqual([await refunds(part), await payouts(part)], [[[200_00, 'succeeded']], [[1_000_00, 'done']]])
  assert.deepEqual(await ledgerOf(yard, part), {})
  const pennies = await bought(buyer, seller, AVAILABLE_AT_ONCE)
  await resolved(pennies, 'refund_amount', 'ExchangeComplete', { amount: 29 })
  assert.deepEqual([await refunds(pennies), await payouts(pennies)], [[[29, 'waived']], [[TOTAL, 'done']]])
})

test('28: refunds of one charge are never more than it took, however many are written at once', async () => {
  const buyer = await newBuyer(yard)
  const id = await bought(buyer, seller, AVAILABLE_AT_ONCE)
  const [{ charge_id, award_id }] = await moneyOf(yard, 'sale_payments', id)
  const clients = await Promise.all(Array.from({ length: 4 }, () => connectTo(yard.databaseUrl)))
  try {
    const written = await Promise.allSettled(
      clients.map((client) =>
        client.query(`insert into refunds (award_id, user_id, charge_id, amount, reason) values ($1, $2, $3, $4, 'test')`, [
          award_id,
          buyer.id,
          charge_id,
          500_00,
        ]),
      ),
    )
    assert.deepEqual(written.filter(({ status }) => status === 'rejected').length, 2)
    await assert.rejects(yard.owner.query('update refunds set amount = amount + 20001 where charge_id = $1', [charge_id]), /left to refund/)
  } finally {
    for (const client of clients) await client.end()
    await yard.owner.query('delete from refunds where charge_id = $1', [charge_id])
  }
})

test('28: a failed refund is sent again beside a second one of the whole sale: together they are what was captured', async () => {
  const { id, charge } = await refundFailed(200_00)
  await acts(await as(seller), id, 'cancel_sale', 'Expired', { reason: 'Sold elsewhere' })
  await yard.bankSettled()
  await refundsArrive(id)
  await yard.travel('25 hours')
  await yard.bankSettled()
  await refundsArrive(id)
  assert.deepEqual(await refunds(id), [
    [200_00, 'succeeded'],
    [TOTAL - 200_00, 'succeeded'],
  ])
  const { amount_captured, amount_refunded } = await stripe.charges.retrieve(charge)
  assert.deepEqual([amount_captured, amount_refunded], [TOTAL, TOTAL])
  assert.deepEqual(await ledgerOf(yard, id), {})
})

test('27: a sale that is completed while a part’s refund has failed: the seller is paid the rest, and the buyer gets the part', async () => {
  const { id, charge } = await refundFailed(200_00)
  await resolved(id, 'complete', 'ExchangeComplete')
  assert.deepEqual(await payouts(id), [[TOTAL - 200_00, 'done']])
  await yard.travel('25 hours')
  await yard.bankSettled()
  await refundsArrive(id)
  assert.deepEqual(await refunds(id), [[200_00, 'succeeded']])
  assert.equal((await stripe.charges.retrieve(charge)).amount_refunded, 200_00)
  assert.deepEqual(await ledgerOf(yard, id), {})
})

test('a refund that failed is not sent again once the buyer has the money by a chargeback', async () => {
  const id = await cancelledWithFailedRefund()
  await bankCall(yard, 'POST', `/sandbox/disputes/${await disputed(id)}/close`, { status: 'lost' })
  await yard.bankSettled()
  await yard.travel('25 hours')
  await yard.bankSettled()
  assert.deepEqual(await refunds(id), [[TOTAL, 'waived']])
  assert.deepEqual(await ledgerOf(yard, id), {})
  await yard.travel('0 seconds')
})

test('a refund that failed waits for an open chargeback, and is sent again when it was won', async () => {
  const id = await cancelledWithFailedRefund()
  const dispute = await disputed(id)
  await yard.travel('25 hours')
  await yard.bankSettled()
  assert.deepEqual(await refunds(id), [[TOTAL, 'failed']])
  assert.equal((await moneyOf(yard, 'refunds', id))[0].tries, 1)
  await bankCall(yard, 'POST', `/sandbox/disputes/${dispute}/close`, { status: 'won' })
  await yard.bankSettled()
  await yard.travel('50 hours')
  await yard.bankSettled()
  await bankCall(yard, 'POST', `/sandbox/refunds/${(await moneyOf(yard, 'refunds', id))[0].provider_id}`, { outcome: 'succeed' })
  await yard.bankSettled()
  assert.deepEqual(await refunds(id), [[TOTAL, 'succeeded']])
  assert.deepEqual(await ledgerOf(yard, id), {})
  await yard.travel('0 seconds')
})

test('cash that came back from a refund and paid for a sale meanwhile is not refunded again', async () => {
  const buyer = await newBuyer(yard)
  const refund = async () =>
    (await yard.owner.query('select provider_id, status from refunds where user_id = $1 and charge_id is null', [buyer.id])).rows[0]
  const decide = async (outcome: string) => {
    await bankCall(yard, 'POST', `/sandbox/refunds/${(await refund()).provider_id}`, { outcome })
    await yard.bankSettled()
  }
  const id = await bought(buyer, seller, null)
  const [{ bank_details }] = await moneyOf(yard, 'sale_payments', id)
  await transferIn(yard, buyer, TOTAL, bank_details.reference)
  await yard.travel('25 hours')
  await yard.bankSettled()
  await decide('details')
  await decide('fail')
  assert.equal((await refund()).status, 'failed')
  const next = await sold(yard, seller, buyer)
  await paid(pay(buyer, next, 'bank_transfer'))
  await yard.bankSettled()
  assert.equal(await statusOf(yard, next), 'DocumentsRequired')
  await yard.travel('50 hours')
  await yard.bankSettled()
  assert.equal((await refund()).status, 'waived')
  await yard.travel('0 seconds')
})
