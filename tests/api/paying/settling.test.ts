import assert from 'node:assert/strict'
import { test } from 'node:test'
import { act, acts, clientOf, left, newMember, see, setUser, type Merchant } from '#tests/support/auctions/sale.ts'
import { bankCall, faults, noFaults, userRow } from '#tests/support/payments/paying.ts'
import {
  confirmed,
  FEE,
  ledgerOf,
  moneyOf,
  newBuyer,
  newSeller,
  openSaleMoney,
  paid,
  pay,
  saveCard,
  sold,
  statusOf,
  TOTAL,
  transferIn,
} from '#tests/support/payments/sale-money.ts'
import { connectTo } from '#tests/support/processes/postgres.ts'

const { yard, seller } = await openSaleMoney({ payment_window: '240h' })
const { stripe } = yard.payment
const admin = await newMember(yard, { is_admin: true })

const fees = async (id: string) => (await moneyOf(yard, 'holding_fees', id)).map(({ status }) => status)
const refunds = async (id: string) => (await moneyOf(yard, 'refunds', id)).map(({ amount, status }) => [amount, status])
const payouts = async (id: string) => (await moneyOf(yard, 'seller_payouts', id)).map(({ amount, status }) => [amount, status])
const subjectsTo = async (who: Merchant) => (await yard.outbox.list(who.email)).map(({ subject }) => subject)
// a session that was not used for days is over
const as = ({ id }: Merchant) => clientOf(yard, id)
const askFee = ({ client }: Merchant, id: string) => client.post(`/api/v1/listings/${id}/holding-fee`)

const ASKS_EVERY_TIME = '4000002760003184'
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

/** Paid by card, or by a bank transfer. */
async function bought(by: Merchant, from = seller, card?: string | null): Promise<string> {
  const id = await sold(yard, from, by)
  if (card === null) {
    const { bank_details } = await paid(pay(by, id, 'bank_transfer'))
    await transferIn(yard, by, TOTAL, bank_details.reference)
  } else await confirmed(yard, (await paid(pay(by, id, 'card'))).client_secret, card)
  return id
}

/** An admin ends the sale. */
async function resolved(id: string, resolution: string, status: string, more: object = {}): Promise<void> {
  await acts(await as(admin), id, 'raise_issue', 'HasAdminIssue', { reason: 'Looked at' })
  await acts(await as(admin), id, 'resolve', status, { resolution, ...more })
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

const AVAILABLE_AT_ONCE = '4000000000000077'

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

const REFUNDED_SLOWLY = '4000000000007726'

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

async function disputed(id: string): Promise<string> {
  const [{ charge_id }] = await moneyOf(yard, 'sale_payments', id)
  const dispute = await bankCall(yard, 'POST', '/sandbox/disputes', { charge: charge_id })
  await yard.bankSettled()
  return dispute.id
}

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

/** A cancelled sale whose refund the bank refused. */
async function cancelledWithFailedRefund(): Promise<string> {
  const id = await bought(await newBuyer(yard), seller, REFUNDED_SLOWLY)
  await acts(await as(seller), id, 'cancel_sale', 'Expired', { reason: 'Sold elsewhere' })
  await yard.bankSettled()
  await bankCall(yard, 'POST', `/sandbox/refunds/${(await moneyOf(yard, 'refunds', id))[0].provider_id}`, { outcome: 'fail' })
  await yard.bankSettled()
  assert.deepEqual(await refunds(id), [[TOTAL, 'failed']])
  return id
}

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
