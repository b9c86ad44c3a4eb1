import type { ListingStatus } from '#contract/values/listing-status.ts'
import { waitsFor, type Viewer } from '#domain/listings/listing-label.ts'

type TurnFacts = {
  status: ListingStatus
  viewer: Viewer
  can_offer_at_reservation_price: boolean
  /** The buyer has paid, and the provider has not said yet whether the money arrives. Known to the buyer alone. */
  is_payment_processing?: boolean
  /** The other party of the sale, by name, where it is known. */
  counterparty: string | null
}

/** `name`: who or what the sale waits for, where it is not the viewer. */
export type Turn = { isViewers: true } | { isViewers: false; name: string }

/** Whose step comes next, to a party of the sale: one answer for lists, pages and counts. Null: nobody's, or the viewer is no party. */
export function turnOf({ status, viewer, can_offer_at_reservation_price, is_payment_processing, counterparty }: TurnFacts): Turn | null {
  const side = sides[viewer]
  // while the goods may be offered to the highest bidder, that is the seller's to do
  const party = status === 'Expired' && can_offer_at_reservation_price ? 'seller' : waitsFor[status]
  if (!side || party === 'nobody') return null
  if (party === 'platform') return { isViewers: false, name: 'Yardbid' }
  // kyc_status does not say whose account is unverified: neither side is told that it is theirs
  if (status === 'AwaitingKYC') return { isViewers: false, name: 'both payment accounts' }
  if (party === 'buyer' && side === 'buyer' && is_payment_processing) return { isViewers: false, name: 'your payment to arrive' }
  if (party === side || party === 'both') return { isViewers: true }
  return { isViewers: false, name: counterparty ?? `the ${party}` }
}

export const isViewersTurn = (facts: Omit<TurnFacts, 'counterparty'>): boolean =>
  turnOf({ ...facts, counterparty: null })?.isViewers ?? false

const sides: Partial<Record<Viewer, 'seller' | 'buyer'>> = { owner: 'seller', buyer: 'buyer' }
