// RULES §3.6: who may bid on what. Each reason has its own words, and says what to do about it.

export type Bidder = {
  id: string
  isSuspended: boolean
  isOnboarded: boolean
  isPaymentAccountCompleted: boolean
  paymentAccountId: string | null
  hasHoldingFeeCard: boolean
  hasLicence: boolean
  /** Strikes, or an overdue payment: what the back office or the clock set. */
  blockedReason: string | null
}

export type Bidden = {
  sellerId: string
  sellerPaymentAccountId: string | null
  isScrap: boolean
  isBlockedBySeller: boolean
}

type Reason = { code: string; says: string | ((bidder: Bidder) => string); when: (bidder: Bidder, listing: Bidden) => boolean }

const reasons = [
  { code: 'own_listing', says: 'This is your own listing: you cannot bid on it.', when: ({ id }, { sellerId }) => id === sellerId },
  {
    code: 'account_suspended',
    says: 'Your account is suspended. Please contact us to have it looked at.',
    when: ({ isSuspended }) => isSuspended,
  },
  { code: 'onboarding_unfinished', says: 'Finish setting up your account to bid.', when: ({ isOnboarded }) => !isOnboarded },
  {
    code: 'payment_account_incomplete',
    says: 'Complete your payment account to bid: your account page shows what is missing.',
    when: ({ isPaymentAccountCompleted }) => !isPaymentAccountCompleted,
  },
  {
    code: 'same_payment_account',
    says: 'The seller is paid into the same payment account as you: you cannot bid here. Please contact us if that is wrong.',
    when: ({ paymentAccountId }, { sellerPaymentAccountId }) => paymentAccountId !== null && paymentAccountId === sellerPaymentAccountId,
  },
  {
    code: 'bidding_blocked',
    says: ({ blockedReason }) => `Bidding is stopped for your account: ${blockedReason}. Please contact us to have it looked at.`,
    when: ({ blockedReason }) => blockedReason !== null,
  },
  {
    code: 'holding_fee_card_missing',
    says: 'Save a card for the holding fee to bid.',
    when: ({ hasHoldingFeeCard }) => !hasHoldingFeeCard,
  },
  {
    code: 'licence_missing',
    says: 'Bidding on scrap needs an approved scrap dealer licence. Upload yours in your account.',
    when: ({ hasLicence }, { isScrap }) => isScrap && !hasLicence,
  },
  {
    code: 'blocked_by_seller',
    says: 'This seller does not take bids from you. There are other listings to bid on.',
    when: (_bidder, { isBlockedBySeller }) => isBlockedBySeller,
  },
] as const satisfies readonly Reason[]

export type WhyNotBid = { code: (typeof reasons)[number]['code']; says: string }

/** The first reason not to take this bidder's bid; nothing when there is none. */
export function whyNotBid(bidder: Bidder, listing: Bidden): WhyNotBid | undefined {
  const reason = reasons.find(({ when }) => when(bidder, listing))
  return reason && { code: reason.code, says: typeof reason.says === 'function' ? reason.says(bidder) : reason.says }
}
