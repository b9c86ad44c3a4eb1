import type { Listing } from '#contract/listings.ts'
import { LARGEST_PAYMENT, owed, type Owed, type Pence } from '#domain/money.ts'

/** `exactly`: this price and no other; `up_to`: as little as leads, up to this. */
export type BidMode = 'exactly' | 'up_to'
export type BidBody = { amount: Pence; max_amount?: Pence }

const STARTLING = 3

export const isLeading = ({ my_latest_bid }: Listing): boolean => my_latest_bid?.bid_status.name === 'Active'

/** A leader raises a maximum, unless the reservation price is unmet: then the price itself rises (RULES §3.4). */
const raisesMaximum = (listing: Listing) => isLeading(listing) && (listing.reservation_met || !listing.has_reservation_price)

/** The least that is worth sending. */
export function leastBid(listing: Listing): Pence {
  const max = listing.my_latest_bid?.max_price.value ?? 0
  return raisesMaximum(listing) ? max + 1 : listing.minimum_bid.value
}

/** The least, one step more and two steps more. */
export function quickBids(listing: Listing): [Pence, Pence, Pence] {
  const step = listing.bid_step.value
  const max = listing.my_latest_bid?.max_price.value ?? 0
  const first = raisesMaximum(listing) ? Math.max(listing.minimum_bid.value, max + step) : listing.minimum_bid.value
  return [first, first + step, first + 2 * step]
}

export function bodyOf(listing: Listing, mode: BidMode, amount: Pence): BidBody {
  return mode === 'exactly' ? { amount } : { amount: Math.min(listing.minimum_bid.value, amount), max_amount: amount }
}

/** What it would cost at most. */
export const costOf = ({ price_basis, weight_kg, seller }: Listing, price: Pence, vatRate: number): Owed =>
  owed(price, { basis: price_basis, weight_kg, vatRate, isVatRegistered: seller.vat_registered })

export const isStartling = ({ current_price }: Listing, amount: Pence): boolean => amount > STARTLING * current_price.value

export const isTooMuch = (listing: Listing, amount: Pence, vatRate: number): boolean =>
  costOf(listing, amount, vatRate).total > LARGEST_PAYMENT
