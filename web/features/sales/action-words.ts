import type { Listing } from '#contract/listings.ts'
import { formatPence, formatPrice } from '#domain/format.ts'

type Sentence = string | ((listing: Listing) => string)

export type ActionWords = {
  /** It ends something or gives it away, and is asked for twice. */
  isDestructive?: boolean
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

const actionWords: Record<string, ActionWords> = {
  withdraw: {
    isDestructive: true,
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
  decline_offer: { isDestructive: true, means: 'The offer is gone then. Declining costs you nothing.', done: 'Offer declined' },
  withdraw_offer: { isDestructive: true, means: 'The bidder can no longer accept it.', done: 'Offer withdrawn' },
  relist: {
    means: 'A new listing is made from this one, photos and all. You can edit it until the first bid.',
    done: 'Relisted',
  },
  correct_vat_number: { done: 'VAT number corrected' },
  upload_invoice: { done: 'Invoice sent to the buyer' },
  offer_to_next_bidder: { means: 'The next bidder may buy at their own highest bid.', done: 'Offered to the next bidder' },
  reinstate_buyer: { means: 'The buyer gets a second chance to pay.', done: 'Buyer reinstated' },
  cancel_by_agreement: {
    isDestructive: true,
    means: 'The sale is cancelled once the other side agrees too. Nobody pays anything.',
    done: 'Your agreement is noted',
  },
  cancel_sale: { isDestructive: true, means: 'The buyer gets all money back, and you get a strike.', done: 'Sale cancelled' },
}
