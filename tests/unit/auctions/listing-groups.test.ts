import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activityGroups, ownGroups } from '#contract/values/activity-groups.ts'
import { bidStatuses, type BidStatus } from '#contract/values/bid-status.ts'
import { listingStatuses, type ListingStatus } from '#contract/values/listing-status.ts'
import { activityGroup, ownGroup, waitsForBidder, waitsForOwner, type Holder } from '#domain/sales/listing-groups.ts'
import { turnOf, type Turn } from '#domain/sales/turn.ts'
import { statusTheme, viewerOf, type LabelledListing, type Viewer } from '#domain/listings/listing-label.ts'

const statuses = Object.keys(listingStatuses) as ListingStatus[]
const standings = [...(Object.keys(bidStatuses) as BidStatus[]), null]
const holders: Holder[] = ['nobody', 'offered', 'buyer']

const now = new Date('2026-03-02T12:00:00Z')
const labelled = (status: ListingStatus, is_owner: boolean, my_bid_status: BidStatus | null): LabelledListing => ({
  status,
  is_owner,
  expires_at: new Date(now.getTime() + 1),
  can_offer_at_reservation_price: false,
  transfer_method_id: 1,
  current_price: 10_500,
  kyc_status: null,
  deferred_expires_at: null,
  my_bid_status,
  my_bid_price: null,
})

test('every status falls into exactly one of the owner’s groups, and none into waiting', () => {
  const inGroups = Object.groupBy(statuses, (status) => ownGroup({ status, holder: 'nobody', can_offer_at_reservation_price: false }))
  assert.deepEqual(
    Object.keys(inGroups).toSorted(),
    Object.keys(ownGroups)
      .filter((group) => group !== 'waiting')
      .toSorted(),
  )
  assert.deepEqual(inGroups.running, ['HasAdminIssue', 'Processing', 'Active'])
  assert.deepEqual(inGroups.unsold, ['RemovedByAdmin', 'Expired', 'MissedPayment', 'NextBidder', 'ReservationPrice'])
  assert.deepEqual(inGroups.done, ['ExchangeComplete', 'ReturnComplete'])
  assert.equal(inGroups.sold?.length, statuses.length - 10)
})

test('every status × standing falls into exactly one group of Activity, and none into waiting', () => {
  const groups = new Set<string | null>(Object.keys(activityGroups).filter((group) => group !== 'waiting'))
  const seen = new Set<string | null>()
  for (const status of statuses)
    for (const standing of standings)
      for (const holder of holders) {
        const group = activityGroup({ status, standing, holder })
        // what watchers may not open they are not shown
        const isUnseen = standing === null && ['Processing', 'HasAdminIssue', 'RemovedByAdmin'].includes(status)
        assert.equal(group === null, isUnseen, `${status} ${standing}`)
        if (group !== null) assert.ok(groups.has(group), `${status} ${standing}: ${group}`)
        seen.add(group)
      }
  assert.deepEqual(seen, new Set([...groups, null]))
})

const rows: [ListingStatus, BidStatus | null, string][] = [
  ['Active', 'Active', 'bidding'],
  ['Active', 'Outbid', 'bidding'],
  ['Active', null, 'watching'],
  ['PendingPayment', null, 'lost'],
  ['PendingPayment', 'Won', 'won'],
  ['PendingPayment', 'Outbid', 'lost'],
  ['PendingPayment', 'MissedPayment', 'lost'],
  ['NextBidder', 'OfferedToYou', 'offered'],
  ['NextBidder', 'MissedPayment', 'lost'],
  ['ReservationPrice', 'OfferedToYouAtReservationPrice', 'offered'],
  ['Expired', 'Active', 'lost'],
  ['Expired', 'Closed', 'lost'],
  ['ExchangeComplete', 'Won', 'done'],
  ['ExchangeComplete', 'Closed', 'lost'],
  ['RemovedByAdmin', 'Outbid', 'lost'],
]
for (const [status, standing, group] of rows)
  test(`a listing in ${status} with the standing ${standing ?? 'of a watcher'} is in ${group}`, () =>
    assert.equal(activityGroup({ status, standing, holder: 'nobody' }), group))

test('an admin issue leaves a listing in the group where it stood', () => {
  const own = (holder: Holder) => ownGroup({ status: 'HasAdminIssue', holder, can_offer_at_reservation_price: false })
  assert.deepEqual(holders.map(own), ['running', 'unsold', 'sold'])
  const of = (standing: BidStatus, holder: Holder) => activityGroup({ status: 'HasAdminIssue', standing, holder })
  assert.deepEqual([of('Outbid', 'nobody'), of('OfferedToYou', 'offered'), of('Won', 'buyer')], ['bidding', 'offered', 'won'])
  assert.equal(of('Outbid', 'buyer'), 'lost')
})

test('whatever is coloured as waiting for the viewer waits for the viewer, the payment accounts apart', () => {
  for (const status of statuses.filter((name) => name !== 'AwaitingKYC')) {
    const own = { status, holder: 'nobody', can_offer_at_reservation_price: false } as const
    if (statusTheme(labelled(status, true, null), 'owner', now) === 'warning') assert.ok(waitsForOwner(own), status)
    for (const standing of standings) {
      const listing = labelled(status, false, standing)
      if (statusTheme(listing, viewerOf(listing), now) === 'warning')
        assert.ok(waitsForBidder({ status, standing, holder: 'nobody' }), `${status} ${standing}`)
    }
  }
})

test('a highest bidder who may still be asked waits for the seller; being outbid waits for nobody', () => {
  const expired = { status: 'Expired', holder: 'nobody' } as const
  assert.equal(waitsForOwner({ ...expired, can_offer_at_reservation_price: true }), true)
  assert.equal(waitsForOwner({ ...expired, can_offer_at_reservation_price: false }), false)
  assert.equal(waitsForOwner({ status: 'MissedPayment', holder: 'nobody', can_offer_at_reservation_price: false }), true)
  assert.equal(waitsForBidder({ status: 'Active', standing: 'Outbid', holder: 'nobody' }), false)
  assert.equal(waitsForBidder({ status: 'NextBidder', standing: 'MissedPayment', holder: 'nobody' }), false)
})

test('a sale whose payment accounts are being verified waits for neither party by name, and is in nobody’s waiting group', () => {
  const accounts = { isViewers: false, name: 'both payment accounts' }
  const facts = { status: 'AwaitingKYC', can_offer_at_reservation_price: false, counterparty: 'Smith Metals' } as const
  assert.deepEqual(turnOf({ ...facts, viewer: 'owner' }), accounts)
  assert.deepEqual(turnOf({ ...facts, viewer: 'buyer' }), accounts)
  assert.equal(waitsForOwner({ status: 'AwaitingKYC', holder: 'buyer', can_offer_at_reservation_price: false }), false)
  assert.equal(waitsForBidder({ status: 'AwaitingKYC', holder: 'buyer', standing: 'Won' }), false)
})

test('every listing that reads ‘Your turn’ is in the waiting group, and no other is', () => {
  for (const status of statuses)
    for (const can_offer_at_reservation_price of [true, false]) {
      const own = { status, can_offer_at_reservation_price }
      const turn = turnOf({ ...own, viewer: 'owner', counterparty: null })
      assert.equal(waitsForOwner({ ...own, holder: 'nobody' }), turn?.isViewers ?? false, status)
      for (const standing of standings) {
        const viewer = viewerOf({ is_owner: false, my_bid_status: standing })
        const turnOfBidder = turnOf({ ...own, viewer, counterparty: null })
        assert.equal(waitsForBidder({ status, holder: 'nobody', standing }), turnOfBidder?.isViewers ?? false, `${status} ${standing}`)
      }
    }
})

test('a buyer whose payment is being processed waits for it to arrive, and the sale is not in the waiting group', () => {
  for (const status of ['PendingPayment', 'BalanceDue', 'DeferredPayment'] as const) {
    const turn = turnOf({ status, viewer: 'buyer', can_offer_at_reservation_price: false, is_payment_processing: true, counterparty: null })
    assert.deepEqual(turn, { isViewers: false, name: 'your payment to arrive' })
    assert.equal(waitsForBidder({ status, standing: 'Won', holder: 'nobody', is_payment_processing: true }), false)
  }
})

const turns: [ListingStatus, Viewer, counterparty: string | null, Turn | null][] = [
  ['PendingPayment', 'owner', 'Smith Metals', { isViewers: false, name: 'Smith Metals' }],
  ['PendingPayment', 'owner', null, { isViewers: false, name: 'the buyer' }],
  ['PendingPayment', 'buyer', 'Smith Metals', { isViewers: true }],
  ['DocumentsRequired', 'buyer', null, { isViewers: false, name: 'the seller' }],
  ['PendingCollection', 'owner', null, { isViewers: true }],
  ['PendingCollection', 'buyer', null, { isViewers: true }],
  ['HasAdminIssue', 'owner', null, { isViewers: false, name: 'Yardbid' }],
  ['ExchangeComplete', 'owner', null, null],
  ['PendingPayment', 'bidder', null, null],
  ['NextBidder', 'earlier_winner', null, null],
  ['PendingPayment', 'visitor', null, null],
]
for (const [status, viewer, counterparty, turn] of turns)
  test(`to the ${viewer.replace('_', ' ')}, a listing in ${status} waits for ${turn ? (turn.isViewers ? 'the viewer' : turn.name) : 'nobody'}`, () =>
    assert.deepEqual(turnOf({ status, viewer, counterparty, can_offer_at_reservation_price: false }), turn))
