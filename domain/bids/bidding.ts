import type { Pence } from '#domain/money.ts'

// RULES §3 "Bids". A bid is a maximum: the price shown is what beats the runner-up by one step.

/** Below this price the step is so much; the last row has no end. */
export type BidStep = { below: Pence | null; step: Pence }

export type Auction = {
  startPrice: Pence
  reservationPrice: Pence | null
  steps: readonly BidStep[]
  /** Null until the first bid. */
  standing: Standing | null
}

export type Standing = { price: Pence; leader: string; leaderMax: Pence }

/** `amount` is the least that the bidder wants shown, `max` how far to go; `bid exactly this` has them equal. */
export type Offer = { bidder: string; amount: Pence; max: Pence }

export type Decision =
  | { accepted: true; standing: Standing; hasNewPrice: boolean; hasNewLeader: boolean }
  | { accepted: false; code: 'bid_too_low' | 'maximum_not_raised'; minimum: Pence }

export function stepAt(price: Pence, steps: readonly BidStep[]): Pence {
  const row = steps.find(({ below }) => below === null || price < below)
  if (!row) throw new Error('the last bid step must have no end')
  return row.step
}

/** What the next bid must be at least. */
export const minimumBid = ({ startPrice, standing, steps }: Pick<Auction, 'startPrice' | 'standing' | 'steps'>): Pence =>
  standing ? standing.price + stepAt(standing.price, steps) : startPrice

/** Whether the price that a standing shows meets the reservation price. */
export const isReservationMet = ({ reservationPrice, standing }: Pick<Auction, 'reservationPrice' | 'standing'>): boolean =>
  standing !== null && standing.price >= (reservationPrice ?? 0)

export function decideBid(auction: Auction, offer: Offer): Decision {
  const { standing } = auction
  if (standing?.leader === offer.bidder) return raiseMaximum(auction, standing, offer)

  const minimum = minimumBid(auction)
  if (offer.amount < minimum) return { accepted: false, code: 'bid_too_low', minimum }
  if (!standing) return accept(auction, lead(auction, offer, 0))

  // equal maximums: the earlier leads
  if (offer.max <= standing.leaderMax) {
    const price = Math.min(standing.leaderMax, offer.max + stepAt(offer.max, auction.steps))
    return accept(auction, { ...standing, price })
  }
  return accept(auction, lead(auction, offer, standing.leaderMax + stepAt(standing.leaderMax, auction.steps)))
}

/** RULES §3.4: changes neither price nor end, unless the reservation price is unmet. */
function raiseMaximum(auction: Auction, standing: Standing, offer: Offer): Decision {
  if (isReservationMet(auction)) {
    if (offer.max <= standing.leaderMax) return { accepted: false, code: 'maximum_not_raised', minimum: standing.leaderMax + 1 }
    return accept(auction, { ...standing, leaderMax: offer.max })
  }
  const minimum = minimumBid(auction)
  if (offer.max < minimum) return { accepted: false, code: 'bid_too_low', minimum }
  return accept(auction, lead(auction, { ...offer, amount: Math.max(offer.amount, minimum) }, minimum))
}

/** RULES §3.3: below the reservation price the whole maximum shows; one that reaches it lifts the price to at least that. */
function lead({ reservationPrice }: Auction, { bidder, amount, max }: Offer, priceToBeatRunnerUp: Pence): Standing {
  const least = Math.max(amount, priceToBeatRunnerUp, reservationPrice ?? 0)
  return { leader: bidder, leaderMax: max, price: Math.min(max, least) }
}

const accept = ({ standing: before }: Auction, standing: Standing): Decision => ({
  accepted: true,
  standing,
  hasNewPrice: before?.price !== standing.price,
  hasNewLeader: before?.leader !== standing.leader,
})

type LateBids = { windowMs: number; extensionMs: number; capMs: number }

/** RULES §3.5: a bid in the last minutes moves the end, at most so far past the first end and never back. */
export function endAfterBid(
  times: { now: Date; expires_at: Date; first_expires_at: Date },
  { windowMs, extensionMs, capMs }: LateBids,
): Date {
  const now = times.now.getTime()
  const end = times.expires_at.getTime()
  if (end - now > windowMs) return times.expires_at
  const latest = times.first_expires_at.getTime() + capMs
  return new Date(Math.max(end, Math.min(now + extensionMs, latest)))
}
