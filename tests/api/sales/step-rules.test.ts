import assert from 'node:assert/strict'
import { failedVat, validVat } from '#tests/support/payments/vat.ts'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { stepsFrom } from '#domain/sales/listing-machine.ts'
import { newClient } from '#tests/support/client.ts'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import { newListing } from '#tests/support/auctions/auction.ts'
import {
  actionsOf,
  bid,
  ended,
  newMember,
  setUser,
  type Merchant,
  openSale,
  act,
  acts,
  awardsOf,
  see,
  codesOf,
  inTurn,
  left,
  stepsOf,
  untilWaiting,
} from '#tests/support/auctions/sale.ts'

const { yard, seller, ann, bob } = await openSale('seller', 'ann', 'bob')
const admin = await newMember(yard, { role: 'admin' })

const sold = () =>
  ended(yard, seller, [
    [bob, 150_00],
    [ann, 200_00],
  ])

// what a sold listing's people may do if it stood there; what is missing is refused
type Offered = { seller?: string[]; buyer?: string[]; admin?: string[] }
const stop = ['raise_issue']
const open: [ListingStatus, Offered][] = [
  ['Expired', { seller: ['relist'], admin: ['raise_issue', 'remove'] }],
  ['ReservationPrice', { seller: ['withdraw_offer'], buyer: ['accept_offer', 'decline_offer'], admin: stop }],
  ['AwaitingKYC', { admin: stop }],
  ['AwaitingVatNumberVerification', { seller: ['correct_vat_number'], admin: stop }],
  ['InvoiceRequired', { seller: ['upload_invoice'], admin: stop }],
  ['PendingPayment', { seller: ['cancel_by_agreement'], buyer: ['pay', 'cancel_by_agreement'], admin: stop }],
  ['MissedPayment', { seller: ['relist', 'offer_to_next_bidder'], admin: stop }],
  ['NextBidder', { seller: ['withdraw_offer'], buyer: ['accept_offer', 'decline_offer'], admin: stop }],
  ['DocumentsRequired', { seller: ['submit_documents', 'cancel_sale'], admin: stop }],
  ['PendingCollection', { seller: ['cancel_sale', 'confirm_handover', 'reschedule'], buyer: ['reschedule'], admin: stop }],
  ['Dispatched', { buyer: ['confirm_received'], admin: stop }],
  ['ReceivedGoods', { buyer: ['accept_goods', 'request_amend', 'start_return'], admin: stop }],
  ['ReviewAmend', { seller: ['approve_amend', 'reject_amend'], buyer: ['withdraw_amend'], admin: stop }],
  ['ApprovedAmendsDocumentsRequired', { admin: stop }],
  ['BalanceDue', { buyer: ['pay'], admin: stop }],
  ['DeferredPayment', { buyer: ['pay'], admin: stop }],
  ['ReturnStarted', { seller: ['contest_return'], buyer: ['dispatch_return', 'cancel_return'], admin: stop }],
  ['ReturnDispatched', { seller: ['confirm_return', 'dispute_return'], admin: stop }],
  ['HasAdminIssue', { admin: ['resolve', 'remove'] }],
  ['RemovedByAdmin', {}],
  ['ExchangeComplete', {}],
  ['ReturnComplete', { seller: ['relist'] }],
]
const someNames = [
  'withdraw',
  'pay',
  'paid',
  'cancel_sale',
  'accept_goods',
  'resolve',
  'edit',
  'accept_offer',
  'withdraw_offer',
  'relist',
  'raise_issue',
  'nonsense',
]

test('in every status each person may do what is offered; anything else is 409, what is another’s 404, and nothing is written', async () => {
  const stranger = await newMember(yard)
  const id = await sold()
  await yard.jobsDone() // the holding fee was asked for, which changes the listing's version
  await setUser(yard, ann.id, { payment_account_verified: false })
  await setUser(yard, seller.id, failedVat)
  const stand = (status: string) =>
    yard.owner.query(`update listings set status = $2, entered_at = app_now(), due_at = app_now() + interval '1 day' where id = $1`, [
      id,
      status,
    ])
  const rowOf = async () =>
    (
      await yard.owner.query(
        'select l.*, (select count(*) from listing_events e where e.listing_id = l.id) as events from listings l where id = $1',
        [id],
      )
    ).rows
  for (const [status, may] of open) {
    await stand(status)
    const before_ = await rowOf()
    for (const [who, role] of [
      [seller, 'seller'],
      [ann, 'buyer'],
      [bob, 'loser'],
      [admin, 'admin'],
      [stranger, 'stranger'],
    ] as const) {
      const isNobody = role === 'loser' || role === 'stranger'
      const offered = isNobody ? [] : (may[role] ?? [])
      if (!isNobody) assert.deepEqual(await actionsOf(who.client, id), offered, `${role} in ${status}`)
      const refuse = async (name: string) => {
        const { status: code, body } = await act(who.client, id, name)
        const isAnothers =
          stepsFrom(status).some((step) => step.name === name) &&
          !stepsFrom(status).some((step) => step.name === name && step.by.includes(role as never))
        assert.equal(code, isNobody || isAnothers ? 404 : 409, `${role}: ${name} in ${status}: ${JSON.stringify(body)}`)
      }
      // the unit tests try every name in every status; here each row that begins in this status, and some that do not
      const tried = isNobody ? someNames : [...new Set([...stepsFrom(status).map(({ name }) => name), ...someNames])]
      await Promise.all(tried.filter((one) => !offered.includes(one)).map(refuse))
    }
    assert.deepEqual(await rowOf(), before_)
  }
  await setUser(yard, ann.id, { payment_account_verified: true })
  await setUser(yard, seller.id, validVat)
  await yard.owner.query(`update listings set status = 'PendingPayment', due_at = null where id = $1`, [id])
})

test('an action needs a login, and a listing that is there', async () => {
  const id = await newListing(yard.owner, seller.id)
  assert.equal((await act(yard.client(), id, 'withdraw')).status, 401)
  for (const target of [randomUUID(), 'nonsense', '__proto__']) assert.equal((await act(seller.client, target, 'withdraw')).status, 404)
  assert.equal((await seller.client.ask('POST', `/api/v1/listings/${id}/actions/withdraw`, { body: [] })).status, 422)
})

test('fields that the form does not have are refused under their names', async () => {
  const id = await newListing(yard.owner, seller.id)
  const { status, body } = await act(seller.client, id, 'withdraw', { status: 'Sold', seller_id: bob.id })
  assert.deepEqual([status, Object.keys(body.errors).toSorted()], [422, ['seller_id', 'status']])
  assert.equal((await see(seller.client, id)).status.name, 'Active')
})

test('a doubled click, on one process or on two, does it once', async () => {
  const other = await yard.another()
  for (let nth = 0; nth < 2; nth++) {
    const id = await ended(yard, seller, [[ann, 200_00]], { reservation_price: 900_00 })
    const elsewhere = newClient(other.url, Object.fromEntries(seller.client.cookies))
    const clicks = await Promise.all(
      [seller.client, elsewhere, seller.client, elsewhere].map((client) => act(client, id, 'offer_to_highest_bidder')),
    )
    assert.deepEqual(codesOf(clicks), [200, 409, 409, 409])
    assert.deepEqual(await awardsOf(yard, id), [[ann.id, 200_00, 'offered']])
  }
  await other.stop()
})

test('the buyer accepts while the seller withdraws: one of them was first', async () => {
  for (const order of ['buyer first', 'seller first']) {
    const id = await ended(yard, seller, [[ann, 200_00]], { reservation_price: 900_00 })
    await acts(seller.client, id, 'offer_to_highest_bidder', 'ReservationPrice')
    const [accept, withdraw] = [() => act(ann.client, id, 'accept_offer'), () => act(seller.client, id, 'withdraw_offer')]
    const [first, second] = await (order === 'buyer first' ? inTurn(yard, id, accept, withdraw) : inTurn(yard, id, withdraw, accept))
    assert.deepEqual([first.status, second.status], [200, 409], order)
    assert.equal((await stepsOf(yard, id)).length, 3)
  }
})

test('the buyer accepts at the moment the offer lapses: one of both, never neither', async () => {
  const ends = new Set<string>()
  // ever longer, until each of them was first once: how long it takes to accept is the machine's affair
  for (let leftMs = 0; leftMs < 100 || ends.size < 2; leftMs = Math.max(4, leftMs * 2)) {
    const id = await ended(yard, seller, [[ann, 200_00]], { reservation_price: 900_00 })
    await acts(seller.client, id, 'offer_to_highest_bidder', 'ReservationPrice')
    await yard.owner.query(`update listings set due_at = app_now() + $2 * interval '1 millisecond' where id = $1`, [id, leftMs])
    const { status } = await act(ann.client, id, 'accept_offer')
    const after_ = await left(yard, id, 'ReservationPrice')
    assert.equal(after_, status === 200 ? 'PendingPayment' : 'Expired')
    assert.deepEqual((await stepsOf(yard, id)).slice(2), [status === 200 ? 'accept_offer' : 'lapse_offer'])
    ends.add(after_)
  }
})

test('a party is refused from the very moment a clock runs out, whether or not the closer has come', async () => {
  const id = await ended(yard, seller, [[ann, 200_00]], { reservation_price: 900_00 })
  await acts(seller.client, id, 'offer_to_highest_bidder', 'ReservationPrice')
  await yard.owner.query('begin')
  // the closer passes over what somebody holds
  await yard.owner.query(`update listings set due_at = app_now() where id = $1`, [id])
  const late = act(ann.client, id, 'accept_offer')
  await untilWaiting(yard, 1)
  await yard.owner.query('commit')
  assert.equal((await late).status, 409)
  assert.equal(await left(yard, id, 'ReservationPrice'), 'Expired')
})

test('the timeline shows the parties every step, and others what is public', async () => {
  const id = await ended(
    yard,
    seller,
    [
      [ann, 200_00],
      [bob, 150_00],
    ].toReversed() as [Merchant, number][],
    { reservation_price: 900_00 },
  )
  await acts(seller.client, id, 'offer_to_highest_bidder', 'ReservationPrice')
  await acts(ann.client, id, 'accept_offer', 'PendingPayment')
  const timeline = async (client: Merchant['client']) =>
    (await client.get(`/api/v1/listings/${id}/events`)).body.data.map(({ label, by }: Record<string, string>) => [label, by])
  const { company_name } = (await see(bob.client, id)).seller
  const { counterparty } = await see(seller.client, id)
  assert.deepEqual(await timeline(seller.client), [
    ['Ended below the reservation price', 'Yardbid'],
    ['Offered to the highest bidder', 'You'],
    ['Offer accepted', counterparty.company_name],
  ])
  assert.deepEqual((await timeline(ann.client)).slice(1), [
    ['Offered to the highest bidder', company_name],
    ['Offer accepted', 'You'],
  ])
  for (const client of [bob.client, yard.client()]) assert.deepEqual(await timeline(client), [['Bidding ended', 'Yardbid']])
  assert.equal((await yard.client().get(`/api/v1/listings/${randomUUID()}/events`)).status, 404)
})

test('a page of listings costs no closer look: only what the viewer sells or buys has one', async () => {
  const id = await newListing(yard.owner, seller.id)
  await bid(ann.client, id, 100_00)
  const page = async (who: Merchant) => (await who.client.get('/api/v1/listings')).body.data.find((one: { id: string }) => one.id === id)
  assert.deepEqual(
    (await page(seller)).available_actions.map(({ action }: { action: string }) => action),
    ['add_note'],
  )
  assert.deepEqual((await page(ann)).available_actions, [])
})
