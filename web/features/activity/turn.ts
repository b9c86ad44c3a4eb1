import type { Listing } from '#contract/listings.ts'
import { waitsForBidder, waitsForOwner } from '#domain/sales/listing-groups.ts'
import { waitsFor } from '#domain/listings/listing-label.ts'
import { formatPrice } from '#web/money.ts'

export type Turn = { words: string; look: 'mine' | 'theirs' | 'leading' | 'outbid' }

/** Whose turn it is, or how the own bid stands; null where the status says it all. */
export function turnOf(listing: Listing): Turn | null {
  if (isMyTurn(listing)) return { words: `Your turn${until(listing)}`, look: 'mine' }
  if (listing.status.name === 'Active') return standingOf(listing)
  const awaited = isParty(listing) ? awaitedOf(listing) : null
  return awaited === null ? null : { words: `Waiting for ${awaited}${until(listing)}`, look: 'theirs' }
}

export function isMyTurn({ status: { name: status }, is_owner, can_offer_at_reservation_price, my_latest_bid }: Listing): boolean {
  // an admin issue waits for nobody here, whoever holds the listing
  const holder = 'nobody'
  if (is_owner) return waitsForOwner({ status, holder, can_offer_at_reservation_price })
  return waitsForBidder({ status, holder, standing: my_latest_bid?.bid_status.name ?? null })
}

function standingOf({ my_latest_bid, minimum_bid, price_basis }: Listing): Turn | null {
  const standing = my_latest_bid?.bid_status.name
  if (standing === 'Active') return { words: 'You lead', look: 'leading' }
  if (standing === 'Outbid')
    return { words: `Outbid – the next bid is ${formatPrice(minimum_bid.value, price_basis)} or more`, look: 'outbid' }
  return null
}

const partyStandings: readonly string[] = ['Won', 'OfferedToYou', 'OfferedToYouAtReservationPrice']
const isParty = ({ is_owner, my_latest_bid }: Listing) => is_owner || partyStandings.includes(my_latest_bid?.bid_status.name ?? '')

function awaitedOf({ status: { name }, counterparty }: Listing): string | null {
  const party = waitsFor[name]
  if (party === 'nobody') return null
  if (party === 'platform') return 'Yardbid'
  return counterparty?.company_name ?? (party === 'both' ? 'both of you' : `the ${party}`)
}

const until = ({ deadline, server_time }: Listing) => (deadline ? ` until ${dayAndTime(deadline.at, server_time)}` : '')

const WEEK_MS = 6 * 24 * 3_600_000
const inLondon = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', ...options })
const clock = inLondon({ hour: '2-digit', minute: '2-digit' })
const weekday = inLondon({ weekday: 'short' })
const day = inLondon({ day: 'numeric', month: 'short' })

/** 'Tue 16:00' within a week, '24 Nov 16:00' beyond. */
export function dayAndTime(at: string, now: string): string {
  const time = new Date(at)
  const isNear = time.getTime() - Date.parse(now) < WEEK_MS
  return `${(isNear ? weekday : day).format(time)} ${clock.format(time)}`
}
