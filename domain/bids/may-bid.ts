import { formatPence } from '#domain/format.ts'
import { LARGEST_PAYMENT, type Pence } from '#domain/money.ts'

// RULES §3.6: who may bid on what. Each reason has its own words, and says what to do about it.

export type Bidder = {
  id: string
  isDeleted: boolean
  isSuspended: boolean
  isEmailConfirmed: boolean
  isOnboarded: boolean
  isPaymentAccountCompleted: boolean
  paymentAccountId: string | null
  hasHoldingFeeCard: boolean
  hasLicence: boolean
  /** Strikes, or an overdue payment: what the back office or the clock set. */
  blockedReason: string | null
}

/** The listing that somebody wants to bid on. */
export type BidTarget = {
  sellerId: string
  sellerPaymentAccountId: string | null
  isScrap: boolean
  isBlockedBySeller: boolean
}

/** What a refused bid says, by the refusal's code: for the answer to a bid, and for pages that know before one is sent. */
export const bidRefusals = {
  own_listing: 'This is your own listing: you cannot bid on it.',
  account_deleted: 'Your account is deleted. Restore it to bid.',
  account_suspended: 'Your account is suspended. Please contact us to have it looked at.',
  email_not_confirmed: 'Confirm your email address to bid: open the link that we sent to you.',
  onboarding_unfinished: 'Finish setting up your account to bid.',
  payment_account_incomplete: 'Complete your payment account to bid: your account page shows what is missing.',
  same_payment_account: 'The seller is paid into the same payment account as you: you cannot bid here. Please contact us if that is wrong.',
  bidding_blocked: (reason: string | null) => `Bidding is stopped for your account: ${reason}. Please contact us to have it looked at.`,
  holding_fee_card_missing: 'Save a card for the holding fee to bid.',
  licence_missing: 'Bidding on scrap needs an approved scrap dealer licence. Upload yours in your account.',
  blocked_by_seller: 'This seller does not take bids from you. There are other listings to bid on.',
  permission_missing: 'Bidding belongs to Full. Upgrade to bid here.',
  listing_ended: 'This listing has ended. Your bid came too late.',
  listing_not_active: 'This listing takes no bids at the moment.',
  bid_too_high: `With VAT this comes to more than ${formatPence(LARGEST_PAYMENT)}, the most that can be paid. Bid less.`,
  bid_too_low: (minimum: Pence) => `Bid at least ${formatPence(minimum)}.`,
  maximum_not_raised: (maximum: Pence) => `You lead already with a maximum of ${formatPence(maximum)}. Bid more to raise it.`,
} as const

/** In the order in which they are looked at. */
const reasons = [
  { code: 'own_listing', when: ({ id }, { sellerId }) => id === sellerId },
  { code: 'account_deleted', when: ({ isDeleted }) => isDeleted },
  { code: 'account_suspended', when: ({ isSuspended }) => isSuspended },
  { code: 'email_not_confirmed', when: ({ isEmailConfirmed }) => !isEmailConfirmed },
  { code: 'onboarding_unfinished', when: ({ isOnboarded }) => !isOnboarded },
  { code: 'payment_account_incomplete', when: ({ isPaymentAccountCompleted }) => !isPaymentAccountCompleted },
  {
    code: 'same_payment_account',
    when: ({ paymentAccountId }, { sellerPaymentAccountId }) => paymentAccountId !== null && paymentAccountId === sellerPaymentAccountId,
  },
  { code: 'bidding_blocked', when: ({ blockedReason }) => blockedReason !== null },
  { code: 'holding_fee_card_missing', when: ({ hasHoldingFeeCard }) => !hasHoldingFeeCard },
  { code: 'licence_missing', when: ({ hasLicence }, { isScrap }) => isScrap && !hasLicence },
  { code: 'blocked_by_seller', when: (_bidder, { isBlockedBySeller }) => isBlockedBySeller },
] as const satisfies readonly { code: keyof typeof bidRefusals; when: (bidder: Bidder, target: BidTarget) => boolean }[]

export type WhyNotBid = { code: (typeof reasons)[number]['code']; says: string }

/** The first reason not to take this bidder's bid; nothing when there is none. */
export function whyNotBid(bidder: Bidder, target: BidTarget): WhyNotBid | undefined {
  const code = reasons.find(({ when }) => when(bidder, target))?.code
  if (!code) return undefined
  return { code, says: code === 'bidding_blocked' ? bidRefusals.bidding_blocked(bidder.blockedReason) : bidRefusals[code] }
}
