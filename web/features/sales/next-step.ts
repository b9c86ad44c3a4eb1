import type { Listing } from '#contract/listings.ts'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import { formatPence } from '#domain/format.ts'
import type { Party } from '#web/listing/turn.ts'

/** What comes next, in a sentence to the one who reads it. */
export function nextStepOf(listing: Listing, party: Party): string | undefined {
  const row = nextSteps[listing.status.name]?.[party]
  return typeof row === 'function' ? row(listing) : row
}

type Words = string | ((listing: Listing) => string | undefined)

const due = ({ amounts }: Listing) => (amounts ? formatPence(amounts.due.value) : 'The amount')

const nextSteps: Partial<Record<ListingStatus, Partial<Record<Party, Words>>>> = {
  Processing: { seller: 'Its photos are being checked. It opens for bids in a moment.' },
  Expired: {
    seller: ({ can_offer_at_reservation_price, bid_count, available_actions }) => {
      if (can_offer_at_reservation_price)
        return 'The highest bid is below your reservation price. Offer the goods to that bidder at their bid, or relist them.'
      const canRelist = available_actions.some(({ action }) => action === 'relist')
      if (!canRelist) return undefined
      return bid_count === 0
        ? 'Nobody bid. Relist it with one tap, and change what you like before the first bid.'
        : 'You can relist the goods.'
    },
  },
  ReservationPrice: {
    seller: 'The highest bidder decides whether to buy at their bid.',
    buyer: 'The reservation price was not met, and the seller offers you the goods at your highest bid.',
  },
  NextBidder: {
    seller: 'The next bidder decides whether to buy at their own highest bid.',
    buyer: 'The first buyer did not complete the sale, and the seller offers you the goods at your highest bid.',
  },
  AwaitingKYC: {
    seller: 'The payment provider has to verify both accounts before money can move. The sale goes on by itself then.',
    buyer: 'The payment provider has to verify both accounts before money can move. The sale goes on by itself then.',
  },
  AwaitingVatNumberVerification: {
    seller: 'Your VAT number failed its check. Correct it, or say that you are not VAT registered.',
    buyer: 'The seller’s VAT number is being put right. You pay after that.',
  },
  InvoiceRequired: {
    seller: 'Upload your invoice for the total below. If none comes in time, we issue it for you.',
    buyer: 'The seller makes the invoice. You pay after that.',
  },
  PendingPayment: {
    seller: 'The buyer pays next. Keep the goods until it is paid.',
    buyer: (listing) => `You won. ${due(listing)} is due.`,
  },
  MissedPayment: {
    seller: 'The buyer did not pay in time.',
    buyer: 'You did not pay in time.',
  },
  BalanceDue: { seller: 'A part is still to be paid.', buyer: (listing) => `${due(listing)} is still due.` },
  HasAdminIssue: {
    seller: 'Yardbid is looking into this listing. All deadlines rest meanwhile.',
    buyer: 'Yardbid is looking into this listing. All deadlines rest meanwhile.',
  },
}
