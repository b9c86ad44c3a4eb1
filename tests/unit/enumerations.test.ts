import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bidStatuses, type BidStatus } from '#contract/values/bid-status.ts'
import { listingStatuses, statusByCode, type ListingStatus } from '#contract/values/listing-status.ts'
import { mediaKinds, storageObjectKinds, uploadKinds } from '#contract/values/storage-kinds.ts'
import { transferMethods } from '#contract/values/transfer-method.ts'

// SPEC §4, typed again from the customer's text
const listingCodes =
  `RemovedByAdmin 0; HasAdminIssue 0.1; Processing 1; Active 2; PendingPayment 3; Expired 4; DocumentsRequired 7; MissedPayment 8;
NextBidder 9; ReturnStarted 10; ReviewAmend 11; ExchangeComplete 12; Dispatched 13; PendingCollection 14; ReturnDispatched 15;
ApprovedAmendsDocumentsRequired 16; InvoiceRequired 17; ReturnComplete 18; ReceivedGoods 19; ReservationPrice 20; AwaitingKYC 21;
AwaitingVatNumberVerification 22; BalanceDue 23; DeferredPayment 24`
    .split(/;\s*/)
    .map((row) => row.split(' ') as [ListingStatus, string])

test('there are 24 listing statuses', () => {
  assert.equal(listingCodes.length, 24)
  assert.deepEqual(new Set(Object.keys(listingStatuses)), new Set(listingCodes.map(([name]) => name)))
})

for (const [name, code] of listingCodes) {
  test(`listing status ${name} has the code ${code}, and the code leads back to it`, () => {
    assert.equal(JSON.stringify(listingStatuses[name]), code)
    assert.equal(statusByCode(JSON.parse(code)), name)
  })
}

test('a code that no listing status has leads nowhere', () => {
  for (const code of [5, 6, 25, -1, 0.2, Number.NaN]) assert.equal(statusByCode(code), undefined)
})

const bids: [BidStatus, number, string][] = [
  ['Active', 1, 'Active'],
  ['Outbid', 2, 'Outbid'],
  ['Won', 3, 'Won'],
  ['Closed', 4, 'Expired'],
  ['MissedPayment', 5, 'Missed Payment'],
  ['OfferedToYou', 6, 'Offered To You'],
  ['OfferedToYouAtReservationPrice', 7, 'Offered to Highest Bidder'],
]

test('there are 7 bid statuses', () => assert.equal(Object.keys(bidStatuses).length, bids.length))

for (const [name, code, label] of bids)
  test(`bid status ${name} has the code ${code} and shows '${label}'`, () => assert.deepEqual(bidStatuses[name], { code, label }))

const enumerations: [string, unknown, unknown][] = [
  ['transfer methods', transferMethods, { Collection: 1, Delivery: 2 }],
  ['upload kinds', uploadKinds, { ListingMedia: 1, ListingAsset: 2, UserAsset: 3 }],
  [
    'storage object kinds',
    storageObjectKinds,
    {
      WeighbridgeTicket: 1,
      WeighbridgeMonitor: 2,
      LoadImage: 3,
      DeliveryNote: 5,
      ListingAmendSupportingDocument: 6,
      MerchantDocument: 7,
      Invoice: 8,
      ListingReturnDeliveryNote: 9,
      ListingAmendsCreditNote: 10,
      ListingReturnCreditNote: 11,
    },
  ],
  ['media kinds', mediaKinds, ['ListingImage', 'ListingVideo', 'ListingStorageObject']],
]

for (const [which, ours, theirs] of enumerations) test(`the ${which} are those of SPEC §3`, () => assert.deepEqual(ours, theirs))
