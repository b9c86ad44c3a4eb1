import type { Listing } from '#contract/listings.ts'
import { formatPence, formatPrice } from '#domain/format.ts'

type Sentence = string | ((listing: Listing) => string)

export type ActionWords = {
  /** What it means, said before it is done. */
  means?: Sentence
  /** Said afterwards. */
  done: string
}

/** RULES §4, action by action; one that is not here speaks by its label. */
export const wordsOf = (action: string, label: string): ActionWords => actionWords[action] ?? { done: `${label}: done` }

export const meaningOf = ({ means }: ActionWords, listing: Listing): string | undefined =>
  typeof means === 'function' ? means(listing) : means

const priceOf = ({ current_price, price_basis }: Listing) => formatPrice(current_price.value, price_basis)

const ownPrice = ({ my_latest_bid, price_basis, amounts }: Listing) => {
  const price = my_latest_bid ? formatPrice(my_latest_bid.current_bid_price.value, price_basis) : 'your highest bid'
  return amounts ? `${price}, ${formatPence(amounts.total.value)} in all` : price
}

const openAmend = ({ amends }: Listing) => amends.findLast(({ status }) => status === 'requested')

const paid = ({ amounts }: Listing) => (amounts && amounts.paid.value > 0 ? formatPence(amounts.paid.value) : 'what was paid')

const actionWords: Record<string, ActionWords> = {
  withdraw: {
    means: ({ bid_count }) =>
      bid_count > 0
        ? 'The listing ends at once. Everybody who bid is told, and reads your reason.'
        : 'The listing leaves the list at once, and nobody can bid on it any more.',
    done: 'Withdrawn',
  },
  add_note: { means: 'Everybody sees it on the listing. It cannot be changed afterwards.', done: 'Note added' },
  lower_reservation_price: {
    means: 'Once lowered it cannot be raised again. If the highest bid meets it, the goods are sold at the end.',
    done: 'Reservation price lowered',
  },
  offer_to_highest_bidder: {
    means: (listing) => `The highest bidder may buy at ${priceOf(listing)}, below your reservation price. You can offer it once.`,
    done: 'Offered to the highest bidder',
  },
  accept_offer: { means: (listing) => `You buy at ${ownPrice(listing)}. This binds you to pay.`, done: 'Offer accepted' },
  decline_offer: { means: 'The offer is gone then. Declining costs you nothing.', done: 'Offer declined' },
  withdraw_offer: { means: 'The bidder can no longer accept it.', done: 'Offer withdrawn' },
  relist: {
    means: 'A new listing is made from this one, photos and all. You can edit it until the first bid.',
    done: 'Relisted',
  },
  correct_vat_number: { means: 'We check the number at once, and the sale goes on.', done: 'VAT number corrected' },
  upload_invoice: { means: 'The buyer sees your invoice and pays next.', done: 'Invoice sent to the buyer' },
  use_deferred_terms: {
    means: 'You pay after the goods are accepted, within the days that you were granted. The sale goes on now.',
    done: 'You pay later',
  },
  offer_to_next_bidder: {
    means: 'The next bidder may buy at their own highest bid, and has a day to answer.',
    done: 'Offered to the next bidder',
  },
  reinstate_buyer: {
    means: 'The buyer gets one more day to pay. The holding fee that was taken stays taken.',
    done: 'The buyer can pay again',
  },
  cancel_by_agreement: {
    means: 'The sale is cancelled once the other side agrees too. Nobody pays anything, and the holding fee is released.',
    done: 'Your agreement is noted',
  },
  cancel_sale: {
    means: (listing) => `The buyer gets back ${paid(listing)}, and you get a strike. Three strikes in 12 months stop you from listing.`,
    done: 'Sale cancelled',
  },
  submit_documents: {
    means: 'The buyer sees the photos and the ticket, learns when to come, and gets a six-digit code for the handover.',
    done: 'Sent: the buyer knows when to collect',
  },
  dispatch: { means: 'The buyer sees the papers, the vehicle and when it arrives.', done: 'Dispatched' },
  confirm_handover: {
    means: 'Ask the buyer for the six digits on their screen when the goods are loaded. The code proves that you handed them over.',
    done: 'Handed over',
  },
  reschedule: {
    means: ({ exchange }) =>
      exchange && exchange.reschedules > 0
        ? 'The other side is told at once. This is the last time that it can be moved.'
        : 'The other side is told at once. The time can be moved twice in all.',
    done: 'Moved: the other side is told',
  },
  report_no_show: { means: 'Yardbid looks into it and speaks to both sides. All deadlines stop meanwhile.', done: 'Reported to Yardbid' },
  confirm_received: { means: 'Your time to inspect the goods starts now.', done: 'Receipt confirmed' },
  report_not_arrived: {
    means: 'Yardbid looks into it and speaks to both sides. All deadlines stop meanwhile.',
    done: 'Reported to Yardbid',
  },
  accept_goods: {
    means: ({ amounts }) =>
      amounts && amounts.due.value > 0
        ? `The goods are yours as they are. ${formatPence(amounts.due.value)} is due on your terms.`
        : 'The goods are yours as they are, and the seller is paid. This cannot be undone.',
    done: 'Goods accepted',
  },
  request_amend: {
    means: 'State what you found. The price is computed from it, and the seller approves or rejects it. You can ask twice at most.',
    done: 'Sent to the seller',
  },
  start_return: {
    means: 'You send the goods back and get all your money back when the seller has them. A return can be started once.',
    done: 'Return started',
  },
  escalate: { means: 'Yardbid looks into the sale and decides. All deadlines stop meanwhile.', done: 'Yardbid is asked' },
  approve_amend: {
    means: (listing) => {
      const amend = openAmend(listing)
      return amend ? `The new total is ${formatPence(amend.total.value)}. This cannot be undone.` : 'The new price is final.'
    },
    done: 'Amend approved',
  },
  reject_amend: {
    means: 'The price stays as it is. The buyer may accept the goods, return them or ask Yardbid to step in.',
    done: 'Amend rejected',
  },
  withdraw_amend: { means: 'The price stays as it is, and your time to inspect the goods runs on.', done: 'Amend withdrawn' },
  upload_credit_note: { means: 'The buyer sees it and gets the difference back.', done: 'Credit note sent' },
  upload_supplementary_invoice: { means: 'The buyer sees it and pays the difference.', done: 'Invoice sent' },
  dispatch_return: { means: 'The seller sees the delivery note and confirms when the goods are back.', done: 'On the way back' },
  cancel_return: { means: 'You keep the goods, and your time to inspect them runs on.', done: 'Return cancelled' },
  contest_return: {
    means: 'Yardbid looks into the sale and decides. All deadlines stop meanwhile.',
    done: 'Contested: Yardbid looks into it',
  },
  confirm_return: { means: (listing) => `The buyer gets back ${paid(listing)}. This cannot be undone.`, done: 'Return confirmed' },
  dispute_return: {
    means: 'Yardbid looks into the sale and decides. All deadlines stop meanwhile.',
    done: 'Disputed: Yardbid looks into it',
  },
}
