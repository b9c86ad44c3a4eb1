import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bidStatuses, type BidStatus } from '#contract/values/bid-status.ts'
import { listingStatuses, type ListingStatus } from '#contract/values/listing-status.ts'
import {
  buyerLabel,
  listingLabel,
  ownerLabel,
  statusTheme,
  viewerOf,
  waitsFor,
  type LabelledListing,
  type Theme,
  type Viewer,
} from '#domain/listings/listing-label.ts'

const now = new Date('2026-03-02T12:00:00Z')
const past = new Date(now.getTime() - 1)
const future = new Date(now.getTime() + 1)

const listing = (status: ListingStatus, changes: Partial<LabelledListing> = {}): LabelledListing => ({
  status,
  is_owner: false,
  expires_at: future,
  can_offer_at_reservation_price: false,
  transfer_method_id: 1,
  current_price: 10_500,
  kyc_status: null,
  deferred_expires_at: null,
  my_bid_status: null,
  my_bid_price: null,
  ...changes,
})

type Row = [status: ListingStatus, changes: Partial<LabelledListing>, label: string, when?: string]

// SPEC §4 "Labels shown to the owner (seller)", row by row
const ownerRows: Row[] = [
  ['Processing', {}, 'Processing'],
  ['Active', { expires_at: future }, 'Active', 'before expires_at'],
  ['Active', { expires_at: now }, 'Processing', 'at expires_at, when no bid is accepted any more'],
  ['Active', { expires_at: past }, 'Processing', 'once past expires_at'],
  ['PendingPayment', {}, 'Pending Payment'],
  ['Expired', { can_offer_at_reservation_price: false }, 'Expired'],
  ['Expired', { can_offer_at_reservation_price: true }, 'Reservation price not met', 'when can_offer_at_reservation_price is true'],
  ['DocumentsRequired', {}, 'Documents Required'],
  ['MissedPayment', {}, 'Buyer Missed Payment'],
  ['NextBidder', {}, 'Offered to Next Bidder'],
  ['ReturnStarted', {}, 'Return Started'],
  ['ReviewAmend', {}, 'Review Amends'],
  ['ExchangeComplete', {}, 'Exchange Complete'],
  ['Dispatched', {}, 'Dispatched'],
  ['PendingCollection', {}, 'Pending Collection'],
  ['ReturnDispatched', {}, 'Return Dispatched'],
  ['ApprovedAmendsDocumentsRequired', {}, 'Documents Required'],
  ['InvoiceRequired', {}, 'Invoice Required'],
  ['ReturnComplete', {}, 'Return Complete'],
  ['ReceivedGoods', { transfer_method_id: 1 }, 'Pending collection', 'when the transfer method is Collection'],
  ['ReceivedGoods', { transfer_method_id: 2 }, 'Dispatched', 'when the transfer method is Delivery'],
  ['RemovedByAdmin', {}, 'Removed By Admin'],
  ['HasAdminIssue', {}, 'Has Admin Issue'],
  ['ReservationPrice', {}, 'Offered to Highest Bidder'],
  ['AwaitingKYC', {}, 'Awaiting KYC'],
  ['AwaitingVatNumberVerification', {}, 'VAT Check Failed'],
  ['BalanceDue', {}, 'Additional Payment Required'],
  ['DeferredPayment', { deferred_expires_at: future }, 'Awaiting payment', 'before user_deferred_payment.expires_at'],
  ['DeferredPayment', { deferred_expires_at: past }, 'Buyers payment overdue', 'past user_deferred_payment.expires_at'],
]

const leading = { my_bid_price: 10_500, current_price: 10_500 }

// SPEC §4 "Labels shown to the buyer", row by row
const buyerRows: Row[] = [
  ['Processing', {}, 'Processing'],
  ['Active', { expires_at: future }, 'Active', 'before expires_at'],
  ['Active', { expires_at: now }, 'Processing', 'at expires_at, when no bid is accepted any more'],
  ['Active', { expires_at: past }, 'Processing', 'once past expires_at'],
  ['PendingPayment', {}, 'Unpaid'],
  ['Expired', { my_bid_price: 10_000 }, 'Expired', 'when the own latest bid is below the current price'],
  ['Expired', leading, 'Reservation price not met', 'when the own latest bid equals the current price and there is no kyc_status'],
  [
    'Expired',
    { ...leading, kyc_status: 'failed' },
    'Expired',
    'when the own latest bid equals the current price but there is a kyc_status',
  ],
  ['Expired', { current_price: null }, 'Expired', 'when there is neither an own bid nor a current price'],
  ['Expired', { can_offer_at_reservation_price: true }, 'Expired', "when can_offer_at_reservation_price is true: that is the owner's rule"],
  ['DocumentsRequired', {}, 'Organise exchange'],
  ['MissedPayment', {}, 'Missed Payment'],
  ['NextBidder', { my_bid_status: 'OfferedToYou' }, 'Offered to you', 'when the own bid status is OfferedToYou'],
  ['NextBidder', { my_bid_status: 'MissedPayment' }, 'Missed Payment', 'when the own bid status is another'],
  ['ReturnStarted', {}, 'Return Started'],
  ['ReviewAmend', {}, 'Amend Requested'],
  ['ExchangeComplete', {}, 'Exchange Completed'],
  ['Dispatched', {}, 'Pending delivery'],
  ['PendingCollection', {}, 'Pending Collection'],
  ['ReturnDispatched', {}, 'Return Dispatched'],
  ['ApprovedAmendsDocumentsRequired', {}, 'Amend Accepted'],
  ['InvoiceRequired', {}, 'Pending Seller Invoice'],
  ['ReturnComplete', {}, 'Return Complete'],
  ['ReceivedGoods', {}, 'Accept or amend'],
  ['RemovedByAdmin', {}, 'Removed By Admin'],
  ['HasAdminIssue', {}, 'Has Admin Issue'],
  ['ReservationPrice', {}, 'Offered At Highest Bid Price'],
  ['AwaitingKYC', {}, 'Awaiting KYC'],
  ['AwaitingVatNumberVerification', {}, 'VAT Check Failed'],
  ['BalanceDue', {}, 'Balance Due'],
  ['DeferredPayment', { deferred_expires_at: future }, 'Payment due', 'before user_deferred_payment.expires_at'],
  ['DeferredPayment', { deferred_expires_at: past }, 'Payment overdue', 'past user_deferred_payment.expires_at'],
]

for (const [status, changes, label, when] of ownerRows)
  test(`the owner reads ${status}${when ? ` ${when}` : ''} as '${label}'`, () =>
    assert.equal(ownerLabel(listing(status, changes), now), label))

for (const [status, changes, label, when] of buyerRows)
  test(`the buyer reads ${status}${when ? ` ${when}` : ''} as '${label}'`, () =>
    assert.equal(buyerLabel(listing(status, changes), now), label))

const statuses = Object.keys(listingStatuses) as ListingStatus[]

test('both tables have a row for each of the 24 statuses', () => {
  for (const rows of [ownerRows, buyerRows]) assert.deepEqual(new Set(rows.map(([status]) => status)), new Set(statuses))
})

// whatever else differs, a label changes only by what its rows name
test('24: all 24 statuses × side × transfer method × clock side of both expiries read as the tables say', () => {
  const dependsOn: Partial<Record<ListingStatus, (keyof LabelledListing)[]>> = {
    Active: ['expires_at'],
    ReceivedGoods: ['transfer_method_id'],
    DeferredPayment: ['deferred_expires_at'],
  }
  for (const [rows, label] of [[ownerRows, ownerLabel] as const, [buyerRows, buyerLabel] as const])
    for (const [status, changes, expected] of rows)
      for (const transfer_method_id of [1, 2] as const)
        for (const expires_at of [past, future, null])
          for (const deferred_expires_at of [past, future, null]) {
            const fixed = Object.fromEntries((dependsOn[status] ?? []).filter((key) => key in changes).map((key) => [key, changes[key]]))
            const seen = listing(status, { ...changes, transfer_method_id, expires_at, deferred_expires_at, ...fixed })
            assert.equal(label(seen, now), expected, JSON.stringify(seen))
          }
})

// RULES §4 "Who reads the buyer's labels"
const bids = Object.keys(bidStatuses) as BidStatus[]
const openToEverybody: ListingStatus[] = ['Processing', 'Active', 'Expired', 'RemovedByAdmin', 'HasAdminIssue']
const openToEarlierWinners: ListingStatus[] = [...openToEverybody, 'MissedPayment', 'NextBidder']

const viewers: [BidStatus | null, Viewer][] = [
  [null, 'visitor'],
  ['Active', 'bidder'],
  ['Outbid', 'bidder'],
  ['Closed', 'bidder'],
  ['Won', 'buyer'],
  ['OfferedToYou', 'buyer'],
  ['OfferedToYouAtReservationPrice', 'buyer'],
  ['MissedPayment', 'earlier_winner'],
]

for (const [my_bid_status, viewer] of viewers)
  test(`who has ${my_bid_status ? `a bid that is ${my_bid_status}` : 'no bid'} is the ${viewer.replace('_', ' ')}`, () =>
    assert.equal(viewerOf({ is_owner: false, my_bid_status }), viewer))

test('the owner is the owner', () => assert.equal(viewerOf({ is_owner: true, my_bid_status: null }), 'owner'))

for (const status of statuses) {
  test(`${status}: each viewer reads the label of their side`, () => {
    const seenBy = (my_bid_status: BidStatus | null) => {
      const seen = listing(status, { my_bid_status, my_bid_price: my_bid_status && 10_000 })
      return { read: listingLabel(seen, viewerOf(seen), now), buyers: buyerLabel(seen, now) }
    }
    const owned = listing(status, { is_owner: true })
    assert.equal(listingLabel(owned, 'owner', now), ownerLabel(owned, now))

    for (const bid of ['Won', 'OfferedToYou', 'OfferedToYouAtReservationPrice'] as const)
      assert.equal(seenBy(bid).read, seenBy(bid).buyers, `the buyer, whose bid is ${bid}`)

    const earlier = seenBy('MissedPayment')
    assert.equal(earlier.read, openToEarlierWinners.includes(status) ? earlier.buyers : 'Missed Payment', 'an earlier winner')

    for (const bid of ['Active', 'Outbid', 'Closed'] as const)
      assert.equal(seenBy(bid).read, openToEverybody.includes(status) ? seenBy(bid).buyers : bidStatuses[bid].label, `a bid that is ${bid}`)

    assert.equal(seenBy(null).read, openToEverybody.includes(status) ? seenBy(null).buyers : 'Ended', 'a visitor')
  })
}

// RULES §4: status → whose step is next, colour for the owner, colour for the buyer
const themes: Record<ListingStatus, [waits: string, owner: Theme, buyer: Theme]> = {
  RemovedByAdmin: ['nobody', 'danger', 'danger'],
  HasAdminIssue: ['platform', 'danger', 'danger'],
  Processing: ['platform', 'primary', 'primary'],
  Active: ['nobody', 'success', 'success'],
  PendingPayment: ['buyer', 'primary', 'warning'],
  Expired: ['nobody', 'danger', 'danger'],
  DocumentsRequired: ['seller', 'warning', 'primary'],
  MissedPayment: ['seller', 'danger', 'danger'],
  NextBidder: ['buyer', 'primary', 'warning'],
  ReturnStarted: ['buyer', 'primary', 'warning'],
  ReviewAmend: ['seller', 'warning', 'primary'],
  ExchangeComplete: ['nobody', 'success', 'success'],
  Dispatched: ['buyer', 'primary', 'warning'],
  PendingCollection: ['both', 'warning', 'warning'],
  ReturnDispatched: ['seller', 'warning', 'primary'],
  ApprovedAmendsDocumentsRequired: ['seller', 'warning', 'primary'],
  InvoiceRequired: ['seller', 'warning', 'primary'],
  ReturnComplete: ['nobody', 'success', 'success'],
  ReceivedGoods: ['buyer', 'primary', 'warning'],
  ReservationPrice: ['buyer', 'primary', 'warning'],
  AwaitingKYC: ['both', 'warning', 'warning'],
  AwaitingVatNumberVerification: ['seller', 'danger', 'danger'],
  BalanceDue: ['buyer', 'primary', 'warning'],
  DeferredPayment: ['buyer', 'primary', 'warning'],
}

for (const [status, [waits, owner, buyer]] of Object.entries(themes) as [ListingStatus, [string, Theme, Theme]][]) {
  test(`${status} waits for ${waits}: ${owner} to the owner, ${buyer} to the buyer`, () => {
    assert.equal(waitsFor[status], waits)
    assert.equal(statusTheme(listing(status, { is_owner: true }), 'owner', now), owner)
    assert.equal(statusTheme(listing(status, { my_bid_status: 'Won' }), 'buyer', now), buyer)
  })
}

const otherThemes: [says: string, seen: LabelledListing, theme: Theme][] = [
  ['Active that has ended is Processing: primary', listing('Active', { expires_at: past }), 'primary'],
  ['an overdue payment is danger to the owner', listing('DeferredPayment', { is_owner: true, deferred_expires_at: past }), 'danger'],
  ['an overdue payment is danger to the buyer', listing('DeferredPayment', { my_bid_status: 'Won', deferred_expires_at: past }), 'danger'],
  ['an offer is warning to whom it is made', listing('NextBidder', { my_bid_status: 'OfferedToYou' }), 'warning'],
  ["an earlier winner's Missed Payment is danger in NextBidder too", listing('NextBidder', { my_bid_status: 'MissedPayment' }), 'danger'],
  ['a missed payment stays danger when another has bought', listing('ExchangeComplete', { my_bid_status: 'MissedPayment' }), 'danger'],
  ['a sale that waits for its buyer is primary to the outbid', listing('PendingPayment', { my_bid_status: 'Outbid' }), 'primary'],
  ["a closed bid reads 'Expired' and is danger like it", listing('DocumentsRequired', { my_bid_status: 'Closed' }), 'danger'],
  ["'Ended' is primary to a visitor", listing('DocumentsRequired'), 'primary'],
  ['an Active listing is success to a visitor', listing('Active'), 'success'],
]

for (const [says, seen, theme] of otherThemes) test(says, () => assert.equal(statusTheme(seen, viewerOf(seen), now), theme))

test('every status and bid has a label and a theme for everybody', () => {
  for (const status of statuses)
    for (const my_bid_status of [null, ...bids])
      for (const viewer of ['owner', 'buyer', 'earlier_winner', 'bidder', 'visitor'] as const) {
        const seen = listing(status, { my_bid_status })
        assert.notEqual(listingLabel(seen, viewer, now), '')
        assert.match(statusTheme(seen, viewer, now), /^(?:danger|warning|primary|success)$/)
      }
})
