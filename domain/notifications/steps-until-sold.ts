import type { ListingStatus } from '#contract/values/listing-status.ts'
import { exchangeLetters } from '#domain/notifications/steps-after-sale.ts'
import { stopped, type Letter, type StepLetters, type StepNews } from '#domain/notifications/step-words.ts'

// What people are told of a step, by step and by who reads it. Who has no words here is not told.

/** GATE: what the sale waits for, to each side. */
const afterGate: Partial<Record<ListingStatus, { seller: string; buyer: string }>> = {
  AwaitingKYC: {
    seller: 'Before the buyer can pay, both payment accounts have to be verified. Check that nothing is missing from yours.',
    buyer: 'Before you can pay, both payment accounts have to be verified. Check that nothing is missing from yours.',
  },
  AwaitingVatNumberVerification: {
    seller: 'Your VAT number failed its check. Correct it, so that the buyer can pay.',
    buyer: 'We are checking the seller’s VAT number. You can pay as soon as that is settled.',
  },
  InvoiceRequired: {
    seller: 'Upload your invoice, so that the buyer can pay.',
    buyer: 'The seller is writing the invoice. You can pay when it is here.',
  },
  PendingPayment: {
    seller: 'The buyer pays next. We tell you when the money is here.',
    buyer: 'Please pay next: the listing shows what is due.',
  },
}

const next = ({ to, until }: StepNews, side: 'seller' | 'buyer'): string[] => [
  ...(afterGate[to] ? [afterGate[to][side]] : []),
  ...(until ? [`There is time until ${until}.`] : []),
]

const goesOn: Record<'seller' | 'buyer', Letter> = {
  seller: (news) => ({ subject: `Your sale goes on: ${news.title}`, says: next(news, 'seller') }),
  buyer: (news) => ({ subject: `Your purchase goes on: ${news.title}`, says: next(news, 'buyer') }),
}

const offered: Letter = ({ title, price, until }) => ({
  subject: `Offered to you: ${title}`,
  says: [`The seller offers you this listing at your own bid of ${price}.`, ...(until ? [`Accept or decline it until ${until}.`] : [])],
})

export const stepLetters: StepLetters = {
  ready: { seller: ({ title }) => ({ subject: `Your listing is live: ${title}`, says: ['It is Active, and buyers can bid on it.'] }) },
  flag: stopped,
  get_stuck: stopped,
  withdraw: {
    bidder: ({ title, reason }) => ({
      subject: `Withdrawn: ${title}`,
      says: [
        'The seller has withdrawn a listing that you bid on. Your bid no longer counts.',
        ...(reason ? [`The reason: ${reason}`] : []),
      ],
    }),
  },
  end_without_bid: {
    seller: ({ title }) => ({
      subject: `Ended without a bid: ${title}`,
      says: ['Nobody bid on it. You can relist it, perhaps at another price.'],
    }),
  },
  end_below_reservation: {
    seller: ({ title }) => ({
      subject: `Reservation price not met: ${title}`,
      says: ['The bids stayed below your reservation price. You can still offer it to the highest bidder for a short time, or relist it.'],
    }),
    bidder: ({ title }) => ({
      subject: `Not sold: ${title}`,
      says: ['The bids stayed below the reservation price. The seller may still offer it to the highest bidder.'],
    }),
  },
  end_sold: {
    // the highest bidder was suspended
    admin: stopped.admin,
    seller: (news) =>
      news.to === 'HasAdminIssue'
        ? stopped.seller(news)
        : { subject: `Sold: ${news.title}`, says: [`Your listing is sold for ${news.price}.`, ...next(news, 'seller')] },
    buyer: (news) => ({ subject: `You won: ${news.title}`, says: [`Your bid of ${news.price} won.`, ...next(news, 'buyer')] }),
    bidder: ({ title }) => ({
      subject: `You did not win: ${title}`,
      says: ['Another bid was higher when it ended. If the sale falls through it may be offered to you.'],
    }),
  },
  offer_to_highest_bidder: { offered },
  offer_to_next_bidder: { offered },
  accept_offer: {
    seller: (news) => ({ subject: `Offer accepted: ${news.title}`, says: [`It is sold for ${news.price}.`, ...next(news, 'seller')] }),
    buyer: (news) => ({ subject: `You bought: ${news.title}`, says: [`You accepted it at ${news.price}.`, ...next(news, 'buyer')] }),
  },
  decline_offer: { seller: ({ title, to }) => ({ subject: `Offer declined: ${title}`, says: [afterNo(to)] }), offered },
  lapse_offer: {
    seller: ({ title, to }) => ({ subject: `Offer not answered: ${title}`, says: [afterNo(to)] }),
    buyer: ({ title }) => ({ subject: `Your offer has run out: ${title}`, says: ['You did not answer in time. That costs you nothing.'] }),
    offered,
  },
  withdraw_offer: {
    buyer: ({ title }) => ({
      subject: `Offer withdrawn: ${title}`,
      says: ['The seller has withdrawn the offer to you. That costs you nothing.'],
    }),
  },
  relist: {
    bidder: ({ title }) => ({
      subject: `Listed again: ${title}`,
      says: ['The sale fell through, and the seller has listed it again. You can bid on the new listing.'],
    }),
  },
  kyc_verified: goesOn,
  kyc_lapsed: {
    seller: ({ title, to }) => ({
      subject: `Sale fallen through: ${title}`,
      says: ['A payment account was not verified in time.', afterNo(to)],
    }),
    buyer: ({ title }) => ({
      subject: `Sale fallen through: ${title}`,
      says: ['A payment account was not verified in time, so the sale has ended. Nothing is due.'],
    }),
    offered,
  },
  correct_vat_number: goesOn,
  recheck_vat_number: goesOn,
  vat_lapsed: stopped,
  upload_invoice: { buyer: goesOn.buyer },
  issue_invoice: {
    seller: ({ title }) => ({
      subject: `We have issued the invoice: ${title}`,
      says: ['Your own did not come in time, so we issued it for you. The buyer pays next.'],
    }),
    buyer: goesOn.buyer,
  },
  reinstate_buyer: {
    buyer: (news) => ({
      subject: `A second chance to pay: ${news.title}`,
      says: ['The seller gives you more time to pay.', ...next(news, 'buyer')],
    }),
  },
  lapse_missed_payment: {
    seller: ({ title }) => ({ subject: `Closed: ${title}`, says: ['The missed payment was not followed up in time. You can relist it.'] }),
    bidder: ({ title }) => ({ subject: `Closed: ${title}`, says: ['The listing has ended without a sale. Your bid no longer counts.'] }),
  },
  ...exchangeLetters,
}

const afterNo = (to: ListingStatus) =>
  to === 'NextBidder' ? 'It is now offered to the next bidder.' : 'You can decide what happens next, or relist it.'
