import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyNotBid, type BidTarget, type Bidder } from '#domain/bids/may-bid.ts'

const bidder: Bidder = {
  id: 'ann',
  isDeleted: false,
  isSuspended: false,
  isEmailConfirmed: true,
  isOnboarded: true,
  isPaymentAccountCompleted: true,
  paymentAccountId: 'acct_ann',
  hasHoldingFeeCard: true,
  hasLicence: true,
  blockedReason: null,
}
const listing: BidTarget = { sellerId: 'sue', sellerPaymentAccountId: 'acct_sue', isScrap: true, isBlockedBySeller: false }

const rows: [string, Partial<Bidder>, Partial<BidTarget>, string | undefined][] = [
  ['somebody with everything in order may bid', {}, {}, undefined],
  ['the owner may not', {}, { sellerId: 'ann' }, 'own_listing'],
  ['the owner’s payment account may not', {}, { sellerPaymentAccountId: 'acct_ann' }, 'same_payment_account'],
  ['two accounts without a payment account are not the same one', { paymentAccountId: null }, { sellerPaymentAccountId: null }, undefined],
  ['a deleted account may not', { isDeleted: true }, {}, 'account_deleted'],
  ['a suspended user may not', { isSuspended: true }, {}, 'account_suspended'],
  ['25: an email that is not confirmed stops a bid', { isEmailConfirmed: false }, {}, 'email_not_confirmed'],
  ['unfinished onboarding stops a bid', { isOnboarded: false }, {}, 'onboarding_unfinished'],
  ['an incomplete payment account stops a bid', { isPaymentAccountCompleted: false }, {}, 'payment_account_incomplete'],
  ['no holding-fee card stops a bid', { hasHoldingFeeCard: false }, {}, 'holding_fee_card_missing'],
  ['a missing licence stops a bid on scrap', { hasLicence: false }, {}, 'licence_missing'],
  ['goods that are not scrap need no licence', { hasLicence: false }, { isScrap: false }, undefined],
  ['strikes stop a bid', { blockedReason: '3 strikes' }, {}, 'bidding_blocked'],
  ['the seller’s block stops a bid', {}, { isBlockedBySeller: true }, 'blocked_by_seller'],
]

for (const [says, bidderChanges, listingChanges, code] of rows) {
  test(`who may bid: ${says}`, () =>
    assert.equal(whyNotBid({ ...bidder, ...bidderChanges }, { ...listing, ...listingChanges })?.code, code))
}

test('who may bid: whoever is stopped reads why', () =>
  assert.equal(
    whyNotBid({ ...bidder, blockedReason: 'three missed payments within a year' }, listing)?.says,
    'Bidding is stopped for your account: three missed payments within a year. Please contact us to have it looked at.',
  ))
