import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newListing } from '#tests/support/auctions/auction.ts'
import {
  acts,
  act,
  actionsOf,
  awardsOf,
  ended,
  endNow,
  left,
  newMember,
  see,
  setUser,
  standingOf,
  stepsOf,
  type Merchant,
  openSale,
} from '#tests/support/auctions/sale.ts'

const { yard, seller, ann, bob, cat } = await openSale('seller', 'ann', 'bob', 'cat')

const unmet = (bids: [Merchant, number][] = [[ann, 200_00]]) => ended(yard, seller, bids, { reservation_price: 900_00 })

test('below the reservation price the seller may offer it to the highest bidder, who accepts: the sale goes on at that bid', async () => {
  const id = await unmet([
    [bob, 150_00],
    [ann, 200_00],
  ])
  const before_ = await see(seller.client, id)
  assert.deepEqual(
    [before_.status.label, before_.can_offer_at_reservation_price, before_.deadline.action],
    ['Reservation price not met', true, 'Offer to the highest bidder'],
  )
  assert.deepEqual(await actionsOf(seller.client, id), ['offer_to_highest_bidder', 'relist'])
  assert.deepEqual(await actionsOf(ann.client, id), [])

  const offered = await acts(seller.client, id, 'offer_to_highest_bidder', 'ReservationPrice')
  assert.deepEqual(
    [offered.status.label, offered.can_offer_at_reservation_price, offered.counterparty.id],
    ['Offered to Highest Bidder', false, ann.id],
  )
  assert.deepEqual(await actionsOf(seller.client, id), ['withdraw_offer'])
  const mine = await see(ann.client, id)
  assert.deepEqual(
    [mine.status.label, mine.my_latest_bid.bid_status.name, mine.amounts.total.value, mine.amounts.due.value, mine.deadline.action],
    ['Offered At Highest Bid Price', 'OfferedToYouAtReservationPrice', 240_00, 0, 'Answer the offer'],
  )
  assert.deepEqual(await actionsOf(ann.client, id), ['accept_offer', 'decline_offer'])
  assert.deepEqual([await actionsOf(bob.client, id), (await see(bob.client, id)).amounts], [[], null])

  const sold = await acts(ann.client, id, 'accept_offer', 'PendingPayment')
  assert.deepEqual([sold.amounts.due.value, sold.kyc_status, sold.counterparty.id, sold.address], [240_00, 'verified', seller.id, null])
  assert.deepEqual([await standingOf(ann.client, id), await standingOf(bob.client, id)], ['Won', 'Outbid'])
  assert.deepEqual(await awardsOf(yard, id), [[ann.id, 200_00, 'pending_payment']])
  assert.deepEqual(await stepsOf(yard, id), ['end_below_reservation', 'offer_to_highest_bidder', 'accept_offer'])
})

test('a declined, a withdrawn and a lapsed offer at the reservation price end Expired, and it is offered once', async () => {
  for (const [how, award, after_] of [
    [(id: string) => acts(ann.client, id, 'decline_offer', 'Expired'), 'declined', 'decline_offer'],
    [(id: string) => acts(seller.client, id, 'withdraw_offer', 'Expired'), 'cancelled', 'withdraw_offer'],
    [
      async (id: string) => (await yard.travel('24 hours 1 minute'), assert.equal(await left(yard, id, 'ReservationPrice'), 'Expired')),
      'declined',
      'lapse_offer',
    ],
  ] as const) {
    const id = await unmet()
    await acts(seller.client, id, 'offer_to_highest_bidder', 'ReservationPrice')
    await how(id)
    assert.deepEqual(await awardsOf(yard, id), [[ann.id, 200_00, award]])
    assert.deepEqual([await standingOf(ann.client, id), (await stepsOf(yard, id)).at(-1)], ['Closed', after_])
    assert.deepEqual(await actionsOf(seller.client, id), ['relist'])
    assert.equal((await act(seller.client, id, 'offer_to_highest_bidder')).status, 409)
    assert.equal((await act(ann.client, id, 'accept_offer')).status, 409)
    await yard.travel('0 seconds')
  }
})

test('after the window for it, the flag is no longer shown and the offer is refused', async () => {
  const id = await unmet()
  const waits = async () =>
    (await seller.client.get('/api/v1/my-listings?filter[status]=waiting')).body.data.some((each: { id: string }) => each.id === id)
  assert.equal(await waits(), true)
  await yard.travel('2 hours 1 minute')
  assert.equal(await waits(), false, 'there is nothing left to wait for')
  const seen = await see(seller.client, id)
  assert.deepEqual([seen.can_offer_at_reservation_price, seen.status.label, seen.deadline], [false, 'Expired', null])
  const late = await act(seller.client, id, 'offer_to_highest_bidder')
  assert.deepEqual([late.status, late.body.message], [409, 'The time for this has run out.'])
})

/** Ann has won and her account is not verified in time. */
async function afterKyc(bids: [Merchant, number][], meanwhile = async () => {}): Promise<string> {
  await setUser(yard, ann.id, { payment_account_verified: false })
  const id = await ended(yard, seller, bids)
  await meanwhile()
  assert.equal((await see(ann.client, id)).status.name, 'AwaitingKYC')
  await yard.travel('3 hours 1 minute')
  await left(yard, id, 'AwaitingKYC')
  await setUser(yard, ann.id, { payment_account_verified: true })
  return id
}
const three = (): [Merchant, number][] => [
  [cat, 150_00],
  [bob, 180_00],
  [ann, 200_00],
]

test('a buyer who is not verified in time loses it to the next bidder, at that bidder’s own highest bid', async () => {
  const id = await afterKyc(three())
  assert.deepEqual(await awardsOf(yard, id), [
    [ann.id, 200_00, 'cancelled'],
    [bob.id, 180_00, 'offered'],
  ])
  const [hers, his, owners] = [await see(ann.client, id), await see(bob.client, id), await see(seller.client, id)]
  assert.deepEqual([hers.my_latest_bid.bid_status.name, hers.amounts, hers.kyc_status], ['Closed', null, 'failed'])
  assert.deepEqual(
    [his.status.label, his.my_latest_bid.bid_status.name, his.amounts.goods.value],
    ['Offered to you', 'OfferedToYou', 180_00],
  )
  assert.deepEqual([owners.status.label, owners.counterparty.id], ['Offered to Next Bidder', bob.id])
  assert.deepEqual(
    [await actionsOf(bob.client, id), await actionsOf(seller.client, id), await actionsOf(ann.client, id)],
    [['accept_offer', 'decline_offer'], ['withdraw_offer'], []],
  )
  assert.equal((await act(ann.client, id, 'accept_offer')).status, 409, 'whose offer it was is not whose it is')
  assert.equal((await act(cat.client, id, 'accept_offer')).status, 404)

  await acts(bob.client, id, 'accept_offer', 'PendingPayment')
  assert.deepEqual(
    [await standingOf(bob.client, id), await standingOf(ann.client, id), await standingOf(cat.client, id)],
    ['Won', 'Closed', 'Outbid'],
  )
})

test('a declined or lapsed offer goes to another eligible bidder, and then to MissedPayment, where time ends it', async () => {
  const id = await afterKyc(three())
  await acts(bob.client, id, 'decline_offer', 'NextBidder')
  assert.deepEqual((await awardsOf(yard, id)).slice(1), [
    [bob.id, 180_00, 'declined'],
    [cat.id, 150_00, 'offered'],
  ])
  await yard.travel('27 hours 2 minutes')
  assert.equal(await left(yard, id, 'NextBidder'), 'MissedPayment')
  assert.equal(await standingOf(cat.client, id), 'Closed')
  const owners = await see(seller.client, id)
  assert.deepEqual([owners.status.label, owners.deadline.action], ['Buyer Missed Payment', 'Decide what happens next'])
  assert.deepEqual(await actionsOf(seller.client, id), ['relist'], 'nobody is left to offer it to, and nobody missed a payment')
  assert.equal((await act(seller.client, id, 'reinstate_buyer')).status, 409)
  await yard.travel('31 hours 3 minutes')
  assert.equal(await left(yard, id, 'MissedPayment'), 'Expired')
  assert.deepEqual(await stepsOf(yard, id), ['end_sold', 'kyc_lapsed', 'decline_offer', 'lapse_offer', 'lapse_missed_payment'])
})

test('an earlier buyer is a company to the owner alone: whom it is offered to next reads of a buyer', async () => {
  const id = await afterKyc(three())
  await acts(bob.client, id, 'decline_offer', 'NextBidder')
  const takerSeenBy = async ({ client }: Merchant) =>
    (await client.get(`/api/v1/listings/${id}/events`)).body.data.find(({ name }: { name: string }) => name === 'decline_offer')?.by
  assert.deepEqual(
    [await takerSeenBy(seller), await takerSeenBy(bob), await takerSeenBy(cat), await takerSeenBy(ann)],
    [`${bob.id.slice(0, 6)} Metals`, 'You', 'Buyer', undefined],
  )
})

test('a winning bid whose answer was lost is answered after the end with the purchase that it became', async () => {
  const id = await newListing(yard.owner, seller.id)
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const send = () => ann.client.post(`/api/v1/listings/${id}/bids`, { amount: 150_00 }, headers)
  const first = await send()
  await endNow(yard, id)
  await left(yard, id, 'Active')
  await yard.jobsDone() // the holding fee was asked for
  const { status, body } = await send()
  assert.deepEqual([status, body.data.bid], [201, first.body.data.bid])
  assert.deepEqual(body.data.listing, { ...(await see(ann.client, id)), server_time: body.data.listing.server_time })
})

test('a bidder who may no longer bid is passed over', async () => {
  const id = await afterKyc(three(), () => setUser(yard, bob.id, { licence_status: 'none' }))
  await setUser(yard, bob.id, { licence_status: 'approved' })
  assert.deepEqual((await awardsOf(yard, id)).at(-1), [cat.id, 150_00, 'offered'])
})

/** What the clock of the payments will do. */
const miss = (id: string) =>
  yard.owner.query(
    `with missed as (update awards set status = 'missed' where listing_id = $1 and status = 'pending_payment'),
          bid as (update bid_standings set status = 'MissedPayment' where listing_id = $1 and status = 'Won'),
          event as (insert into listing_events (listing_id, seq, step, from_status, to_status, actor)
            select $1, max(seq) + 1, 'miss_payment', 'PendingPayment', 'MissedPayment', 'time' from listing_events where listing_id = $1)
     update listings set status = 'MissedPayment', entered_at = app_now(), due_at = null where id = $1`,
    [id],
  )

test('a bid below the reservation price is offered only if the seller waives it, which then holds', async () => {
  const id = await ended(yard, seller, three(), { reservation_price: 190_00 })
  await miss(id)
  const offer = (await see(seller.client, id)).available_actions.find(({ action }: { action: string }) => action === 'offer_to_next_bidder')
  assert.deepEqual(offer.fields, [{ name: 'waive_reservation', type: 'boolean', required: true }])
  for (const body of [{}, { waive_reservation: false }]) {
    const refused = await act(seller.client, id, 'offer_to_next_bidder', body)
    assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ['waive_reservation']])
  }
  await acts(seller.client, id, 'offer_to_next_bidder', 'NextBidder', { waive_reservation: true })
  await acts(bob.client, id, 'decline_offer', 'NextBidder')
  assert.deepEqual((await awardsOf(yard, id)).at(-1), [cat.id, 150_00, 'offered'], 'waived for the next one too')
  await acts(seller.client, id, 'withdraw_offer', 'MissedPayment')
  assert.equal(await standingOf(cat.client, id), 'Closed')

  const copy = await acts(seller.client, id, 'relist', 'Processing')
  assert.notEqual(copy.id, id)
  const old = await see(seller.client, id)
  assert.deepEqual([old.status.name, old.available_actions, await standingOf(ann.client, id)], ['Expired', [], 'MissedPayment'])
})

test('an offer is made to three next bidders at most', async () => {
  const more = [await newMember(yard), await newMember(yard)]
  const id = await afterKyc([...more.map((who, nth): [Merchant, number] => [who, 100_00 + nth * 10_00]), ...three()])
  await acts(bob.client, id, 'decline_offer', 'NextBidder')
  await acts(cat.client, id, 'decline_offer', 'NextBidder')
  await acts((more[1] as Merchant).client, id, 'decline_offer', 'MissedPayment')
  const refused = await act(seller.client, id, 'offer_to_next_bidder')
  assert.deepEqual(
    [refused.status, refused.body.message],
    [409, 'This listing was offered to as many bidders as it can be. You can relist it.'],
  )
})

test('who missed the payment has one second chance, which is an award of its own', async () => {
  const id = await ended(yard, seller, three())
  await miss(id)
  assert.deepEqual(await actionsOf(seller.client, id), ['relist', 'offer_to_next_bidder', 'reinstate_buyer'])
  assert.equal((await see(ann.client, id)).status.label, 'Missed Payment')
  await acts(seller.client, id, 'reinstate_buyer', 'PendingPayment')
  assert.deepEqual(
    [await standingOf(ann.client, id), await awardsOf(yard, id)],
    [
      'Won',
      [
        [ann.id, 200_00, 'missed'],
        [ann.id, 200_00, 'pending_payment'],
      ],
    ],
  )
  await miss(id)
  const again = await act(seller.client, id, 'reinstate_buyer')
  assert.deepEqual([again.status, again.body.message], [409, 'This buyer has already had a second chance.'])
  await acts(seller.client, id, 'offer_to_next_bidder', 'NextBidder')
  assert.deepEqual((await awardsOf(yard, id)).at(-1), [bob.id, 180_00, 'offered'])
})
