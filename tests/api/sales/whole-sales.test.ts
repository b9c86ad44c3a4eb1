import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transferMethods } from '#contract/values/transfer-method.ts'
import { blocked } from '#domain/sales/blocked.ts'
import { bid, clientOf, ended, endNow, left, newMember, see, setUser, stepsOf, type Merchant } from '#tests/support/auctions/sale.ts'
import { newListing } from '#tests/support/auctions/auction.ts'
import { fetchBytes } from '#tests/support/files/stores.ts'
import { bankCall } from '#tests/support/payments/paying.ts'
import { textOfPdf } from '#tests/support/payments/pdf-text.ts'
import { bought, paysByCard, paysByTransfer, plays } from '#tests/support/sales/play.ts'
import {
  cashOf,
  FEE,
  ledgerOf,
  moneyOf,
  newBuyer,
  openSaleMoney,
  PRICE,
  refundsOf,
  sold,
  statusOf,
  TOTAL,
} from '#tests/support/payments/sale-money.ts'

// Whole sales, from the hammer to their end, as seller, buyer, next bidder and admin play them by what they are offered.

const { yard, seller } = await openSaleMoney({ amend_answer_window: '48h', amend_papers_window: '48h', deferred_grace: '240h' })
const admin = await newMember(yard, { role: 'admin' })

const delivery = { transfer_method_id: transferMethods.Delivery }
const seen = async (who: Merchant, id: string) => see(await clientOf(yard, who.id), id)
/** The largest first. */
const payouts = async (id: string) =>
  (await moneyOf(yard, 'seller_payouts', id)).map(({ amount, status }) => [amount, status]).toSorted(([one], [other]) => other - one)
const refunds = async (id: string) => (await moneyOf(yard, 'refunds', id)).map(({ amount, status }) => [amount, status])
const fees = async (id: string) => (await moneyOf(yard, 'holding_fees', id)).map(({ amount, status }) => [amount, status])
const kindsOf = async (who: Merchant, id: string) => (await seen(who, id)).papers.map(({ kind }: { kind: string }) => kind)
const lines = (found: string) => [{ type: 'weight', listed: '1000', found }]

test('collection to payout: paid by card, documents and slot, handover by the buyer’s code, accepted, seller paid', async () => {
  const { id, buyer } = await bought(yard, seller)
  await plays(yard, seller, id, 'submit_documents', 'PendingCollection')
  assert.match((await seen(buyer, id)).handover_code, /^\d{6}$/)
  assert.equal((await seen(seller, id)).handover_code, null)
  await plays(yard, buyer, id, 'reschedule', 'PendingCollection')
  await plays(yard, seller, id, 'confirm_handover', 'ReceivedGoods')
  await plays(yard, buyer, id, 'accept_goods', 'ExchangeComplete')
  assert.deepEqual([await payouts(id), await refunds(id), await ledgerOf(yard, id)], [[[TOTAL, 'done']], [], {}])
  const kinds = await kindsOf(buyer, id)
  assert.ok(
    ['invoice', 'waste_transfer_note'].every((kind) => kinds.includes(kind)),
    kinds.join(),
  )
})

test('delivery with an amend down: the difference is refunded to the penny, the seller is paid the rest', async () => {
  const { id, buyer } = await bought(yard, seller, delivery)
  await plays(yard, seller, id, 'dispatch', 'Dispatched')
  await plays(yard, buyer, id, 'confirm_received', 'ReceivedGoods')
  await plays(yard, buyer, id, 'request_amend', 'ReviewAmend', { lines: lines('900') })
  await plays(yard, seller, id, 'approve_amend', 'ApprovedAmendsDocumentsRequired')
  await plays(yard, seller, id, 'upload_credit_note', 'ExchangeComplete', { total: TOTAL / 10 })
  assert.deepEqual(await refunds(id), [[TOTAL / 10, 'succeeded']])
  assert.deepEqual(await payouts(id), [[TOTAL - TOTAL / 10, 'done']])
  assert.deepEqual(await ledgerOf(yard, id), {})
})

test('hazardous goods: the seller states hazard properties by their codes, which the consignment note prints', async () => {
  const { id, buyer } = await bought(yard, seller, { material_id: 'batteries', grade: null, ...delivery })
  const wrong = await plays(yard, seller, id, 'dispatch', 'Dispatched', { hazard_properties: 'a bit sour' }).catch(
    (error: unknown) => error,
  )
  assert.match(String(wrong), /hazard_properties.*HP 1 to HP 15/)
  await plays(yard, seller, id, 'dispatch', 'Dispatched', { hazard_properties: 'HP 8, HP 14' })
  const papers: { kind: string; url: string }[] = (await seen(buyer, id)).papers
  const note = papers.find(({ kind }) => kind === 'consignment_note')
  if (!note) assert.fail(papers.map(({ kind }) => kind).join())
  const { bytes } = await fetchBytes(yard, note.url, await clientOf(yard, buyer.id))
  assert.match(textOfPdf(bytes), /Hazard properties\s+HP 8, HP 14/)
})

test('amend up with balance due: the supplementary invoice is paid, the seller gets both payments', async () => {
  const { id, buyer } = await bought(yard, seller, delivery)
  await plays(yard, seller, id, 'dispatch', 'Dispatched')
  await plays(yard, buyer, id, 'confirm_received', 'ReceivedGoods')
  await plays(yard, buyer, id, 'request_amend', 'ReviewAmend', { lines: lines('1100') })
  await plays(yard, seller, id, 'approve_amend', 'ApprovedAmendsDocumentsRequired')
  await plays(yard, seller, id, 'upload_supplementary_invoice', 'BalanceDue')
  assert.equal((await seen(buyer, id)).amounts.due.value, TOTAL / 10)
  await paysByTransfer(yard, buyer, id, TOTAL / 10)
  assert.equal(await statusOf(yard, id), 'ExchangeComplete')
  assert.deepEqual(await payouts(id), [
    [TOTAL, 'done'],
    [TOTAL / 10, 'done'],
  ])
  assert.deepEqual(await ledgerOf(yard, id), {})
})

test('return: the goods go back with papers, the buyer gets every penny back and the seller none', async () => {
  const { id, buyer } = await bought(yard, seller)
  await plays(yard, seller, id, 'submit_documents', 'PendingCollection')
  await plays(yard, seller, id, 'confirm_handover', 'ReceivedGoods')
  await plays(yard, buyer, id, 'start_return', 'ReturnStarted')
  await plays(yard, buyer, id, 'dispatch_return', 'ReturnDispatched')
  await plays(yard, seller, id, 'confirm_return', 'ReturnComplete')
  assert.deepEqual([await refunds(id), await payouts(id), await ledgerOf(yard, id)], [[[TOTAL, 'succeeded']], [], {}])
})

test('missed payment to the next bidder: fee captured and shared, the next bidder buys at the own bid', async () => {
  const buyer = await newBuyer(yard)
  const next = await newBuyer(yard)
  const id = await ended(yard, seller, [
    [next, PRICE],
    [buyer, PRICE * 2],
  ])
  await yard.bankSettled()
  await yard.travel('73 hours')
  assert.equal(await left(yard, id, 'PendingPayment'), 'MissedPayment')
  await yard.bankSettled()
  assert.deepEqual(await fees(id), [[FEE, 'captured']])
  await plays(yard, seller, id, 'offer_to_next_bidder', 'NextBidder')
  await plays(yard, next, id, 'accept_offer', 'PendingPayment')
  await paysByTransfer(yard, next, id)
  assert.equal(await statusOf(yard, id), 'DocumentsRequired')
  await plays(yard, seller, id, 'submit_documents', 'PendingCollection')
  await plays(yard, seller, id, 'confirm_handover', 'ReceivedGoods')
  await plays(yard, next, id, 'accept_goods', 'ExchangeComplete')
  assert.deepEqual(await payouts(id), [
    [TOTAL, 'done'],
    [FEE / 2, 'done'],
  ])
  assert.deepEqual(await ledgerOf(yard, id), { holding_fees: -FEE / 2 })
})

test('deferred terms to overdue: the goods come first, an overdue payment blocks bidding until it is paid', async () => {
  const buyer = await newBuyer(yard)
  await setUser(yard, buyer.id, { deferred_days: 30, deferred_limit: TOTAL })
  const id = await sold(yard, seller, buyer, { accepts_deferred_payment: true })
  await plays(yard, buyer, id, 'use_deferred_terms', 'DocumentsRequired')
  await plays(yard, seller, id, 'submit_documents', 'PendingCollection')
  await plays(yard, seller, id, 'confirm_handover', 'ReceivedGoods')
  await plays(yard, buyer, id, 'accept_goods', 'DeferredPayment')
  assert.deepEqual(await payouts(id), [])
  await yard.travel('721 hours')
  while (!(await stepsOf(yard, id)).includes('become_overdue')) await yard.jobsDone()
  const blockedNow = async () => (await yard.owner.query('select bidding_blocked_reason from users where id = $1', [buyer.id])).rows[0]
  assert.notEqual((await blockedNow()).bidding_blocked_reason, null)
  await paysByCard(yard, buyer, id)
  assert.equal(await statusOf(yard, id), 'ExchangeComplete')
  assert.equal((await blockedNow()).bidding_blocked_reason, null)
  assert.deepEqual([await payouts(id), await ledgerOf(yard, id)], [[[TOTAL, 'done']], {}])
})

test('cancel by agreement: nothing was paid, the holding fee is released, nobody has a strike', async () => {
  const buyer = await newBuyer(yard)
  const id = await sold(yard, seller, buyer)
  await plays(yard, buyer, id, 'cancel_by_agreement', 'PendingPayment')
  await plays(yard, seller, id, 'cancel_by_agreement', 'Expired')
  assert.deepEqual([await fees(id), await ledgerOf(yard, id)], [[[FEE, 'released']], {}])
  assert.equal((await yard.owner.query('select from strikes where user_id = $1', [buyer.id])).rowCount, 0)
})

test('the third strike stops a seller for it, also one who owes us: netting that debt does not let them list again', async () => {
  const careless = await newMember(yard)
  await setUser(yard, careless.id, { listing_blocked_reason: blocked.owesUs })
  await yard.owner.query(`insert into strikes (user_id, role, reason) select $1, 'seller', 'cancel_sale' from generate_series(1, 2)`, [
    careless.id,
  ])
  const { id } = await bought(yard, careless)
  await plays(yard, careless, id, 'cancel_sale', 'Expired')
  const { rows } = await yard.owner.query('select listing_blocked_reason as reason from users where id = $1', [careless.id])
  assert.equal(rows[0].reason, blocked.cancelledSales)
})

test('admin resolve: part of a paid sale is refunded, and the seller gets the rest', async () => {
  const { id } = await bought(yard, seller)
  await plays(yard, admin, id, 'raise_issue', 'HasAdminIssue')
  await plays(yard, admin, id, 'resolve', 'ExchangeComplete', { resolution: 'refund_amount', amount: 123_45 })
  assert.deepEqual([await refunds(id), await payouts(id)], [[[123_45, 'succeeded']], [[TOTAL - 123_45, 'done']]])
  assert.deepEqual(await ledgerOf(yard, id), {})
})

test('admin resolve: a sale that was paid in part is refunded, and none of it is kept', async () => {
  const buyer = await newBuyer(yard)
  const id = await sold(yard, seller, buyer)
  await paysByTransfer(yard, buyer, id, 500_00)
  await plays(yard, admin, id, 'raise_issue', 'HasAdminIssue')
  const client = await clientOf(yard, admin.id)
  const part = await client.post(`/api/v1/listings/${id}/actions/resolve`, { resolution: 'refund_amount', amount: 100_00 })
  assert.equal(part.status, 409)
  await plays(yard, admin, id, 'resolve', 'ReturnComplete', { resolution: 'refund_all' })
  assert.deepEqual(
    (await moneyOf(yard, 'sale_payments', id)).map(({ status, received }) => [status, received]),
    [['cancelled', 0]],
  )
  assert.equal(await cashOf(yard, buyer), 500_00)
  await yard.travel('25 hours')
  await yard.bankSettled()
  assert.deepEqual(
    (await refundsOf(yard, buyer)).map(({ amount }) => amount),
    [500_00],
  )
})

test('a chargeback of a sale that was refunded already is the platform’s loss, and nobody else’s', async () => {
  const { id } = await bought(yard, seller)
  await plays(yard, seller, id, 'cancel_sale', 'Expired')
  const [{ charge_id }] = await moneyOf(yard, 'sale_payments', id)
  const { id: dispute } = await bankCall(yard, 'POST', '/sandbox/disputes', { charge: charge_id, reason: 'product_not_received' })
  await bankCall(yard, 'POST', `/sandbox/disputes/${dispute}/close`, { status: 'lost' })
  await yard.bankSettled()
  assert.deepEqual(await refunds(id), [[TOTAL, 'succeeded']])
  assert.deepEqual(await ledgerOf(yard, id), { chargeback_losses: TOTAL })
  await plays(yard, admin, id, 'resolve', 'Expired', { resolution: 'expire' })
})

test('a leader who is suspended when it ends: an admin decides, and released it ends once more', async () => {
  const buyer = await newBuyer(yard)
  const lists = async () => {
    const id = await newListing(yard.owner, seller.id)
    await bid(await clientOf(yard, buyer.id), id, PRICE)
    await setUser(yard, buyer.id, { suspended_at: new Date() })
    await endNow(yard, id)
    assert.equal(await left(yard, id, 'Active'), 'HasAdminIssue')
    await setUser(yard, buyer.id, { suspended_at: null })
    return id
  }
  await plays(yard, admin, await lists(), 'resolve', 'Expired', { resolution: 'expire' })
  const released = await lists()
  await plays(yard, admin, released, 'release', 'Active')
  await endNow(yard, released)
  assert.equal(await left(yard, released, 'Active'), 'PendingPayment')
})

/** The card holder of a paid sale asks the bank for the money back. */
async function disputed(id: string): Promise<string> {
  const [{ charge_id }] = await moneyOf(yard, 'sale_payments', id)
  const { id: dispute } = await bankCall(yard, 'POST', '/sandbox/disputes', { charge: charge_id, reason: 'product_not_received' })
  await yard.bankSettled()
  return dispute
}

async function won(dispute: string): Promise<void> {
  await bankCall(yard, 'POST', `/sandbox/disputes/${dispute}/close`, { status: 'won' })
  await yard.bankSettled()
}

test('a sale that is completed while a chargeback is open: the seller is paid once it is won', async () => {
  const { id } = await bought(yard, seller)
  const dispute = await disputed(id)
  const client = await clientOf(yard, admin.id)
  assert.equal((await client.post(`/api/v1/listings/${id}/actions/release`, {})).status, 409)
  await plays(yard, admin, id, 'resolve', 'ExchangeComplete', { resolution: 'complete' })
  assert.deepEqual(await payouts(id), [])
  await won(dispute)
  assert.deepEqual([await payouts(id), await ledgerOf(yard, id)], [[[TOTAL, 'done']], {}])
})

test('a sale that is undone while a chargeback is open: the buyer is refunded once it is won', async () => {
  const { id } = await bought(yard, seller)
  const dispute = await disputed(id)
  await plays(yard, admin, id, 'resolve', 'Expired', { resolution: 'expire' })
  assert.deepEqual(await refunds(id), [])
  await won(dispute)
  assert.deepEqual([await refunds(id), await ledgerOf(yard, id)], [[[TOTAL, 'succeeded']], {}])
})

test('a chargeback of the balance alone takes back what the balance has brought, and leaves the seller the rest', async () => {
  const { id, buyer } = await bought(yard, seller, delivery)
  await plays(yard, seller, id, 'dispatch', 'Dispatched')
  await plays(yard, buyer, id, 'confirm_received', 'ReceivedGoods')
  await plays(yard, buyer, id, 'request_amend', 'ReviewAmend', { lines: lines('1100') })
  await plays(yard, seller, id, 'approve_amend', 'ApprovedAmendsDocumentsRequired')
  await plays(yard, seller, id, 'upload_supplementary_invoice', 'BalanceDue')
  await paysByCard(yard, buyer, id)
  const charge = (await moneyOf(yard, 'sale_payments', id)).find(({ purpose }) => purpose === 'balance_due').charge_id
  const { id: dispute } = await bankCall(yard, 'POST', '/sandbox/disputes', { charge, reason: 'product_not_received' })
  await bankCall(yard, 'POST', `/sandbox/disputes/${dispute}/close`, { status: 'lost' })
  await yard.bankSettled()
  assert.deepEqual(
    (await moneyOf(yard, 'seller_payouts', id)).map(({ amount, reversed }) => [amount, reversed]).toSorted(([one], [other]) => other - one),
    [
      [TOTAL, 0],
      [TOTAL / 10, TOTAL / 10],
    ],
  )
  assert.deepEqual(await ledgerOf(yard, id), {})
})

test('admin resolve: of a sale on terms that nobody has paid, no part is offered to be refunded', async () => {
  const buyer = await newBuyer(yard)
  await setUser(yard, buyer.id, { deferred_days: 30, deferred_limit: TOTAL })
  const id = await sold(yard, seller, buyer, { accepts_deferred_payment: true })
  await plays(yard, buyer, id, 'use_deferred_terms', 'DocumentsRequired')
  await plays(yard, admin, id, 'raise_issue', 'HasAdminIssue')
  const { available_actions } = await seen(admin, id)
  const { fields } = available_actions.find(({ action }: { action: string }) => action === 'resolve')
  assert.deepEqual(fields[0].options, ['refund_all', 'complete', 'expire'])
  await plays(yard, admin, id, 'resolve', 'Expired', { resolution: 'expire' })
})
