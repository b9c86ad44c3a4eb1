import type { Listing } from '#contract/listings.ts'

/** What the goods go for to whoever looks: an offer to the next bidder is at that bidder's own highest bid, not at the last price. */
export function priceToViewer({ my_latest_bid, amounts, price_basis, current_price }: Listing): number {
  if (my_latest_bid?.bid_status.name === 'OfferedToYou') return my_latest_bid.max_price.value
  return amounts && price_basis === 'lot' ? amounts.goods.value : current_price.value
}
