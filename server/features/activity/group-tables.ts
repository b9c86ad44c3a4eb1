import { bidStatuses, type BidStatus } from '#contract/values/bid-status.ts'
import { listingStatuses, type ListingStatus } from '#contract/values/listing-status.ts'
import { activityGroup, ownGroup, waitsForBidder, waitsForOwner, type Holder } from '#domain/sales/listing-groups.ts'

// The groups of domain/sales/listing-groups.ts written out as rows for a query to join: SQL decides nothing of its own.

/** What waits for the viewer comes first, then what they may want to answer, then the rest. */
const ranks = { waits: 0, outbid: 1, other: 2 } as const

/** Ends the key of a sale whose payment is being processed. */
export const PAYING = 'paying'

const statuses = Object.keys(listingStatuses) as ListingStatus[]
const standings = [...(Object.keys(bidStatuses) as BidStatus[]), null]

// only an admin issue is told apart by who holds the listing
const places = statuses.flatMap((status) =>
  (status === 'HasAdminIssue' ? (['nobody', 'offered', 'buyer'] as const) : (['nobody'] as const)).map((holder): Place => ({
    status,
    holder,
  })),
)
type Place = { status: ListingStatus; holder: Holder }

const ownRows = places.flatMap((place) =>
  [true, false].map((can_offer_at_reservation_price) => {
    const listing = { ...place, can_offer_at_reservation_price }
    return {
      key: keyOf(place, can_offer_at_reservation_price),
      group: ownGroup(listing),
      rank: waitsForOwner(listing) ? ranks.waits : ranks.other,
    }
  }),
)

const activityRows = places.flatMap((place) =>
  standings.flatMap((standing) => {
    const group = activityGroup({ ...place, standing })
    if (group === null) return []
    const rankOf = (is_payment_processing: boolean) => {
      if (waitsForBidder({ ...place, standing, is_payment_processing })) return ranks.waits
      return standing === 'Outbid' && group === 'bidding' ? ranks.outbid : ranks.other
    }
    const key = keyOf(place, standing ?? 'watched')
    // only a winner pays
    const paying = standing === 'Won' ? [{ key: `${key} ${PAYING}`, group, rank: rankOf(true) }] : []
    return [{ key, group, rank: rankOf(false) }, ...paying]
  }),
)

/** One column to join by: with three PostgreSQL joined this table first, and made 105,000 rows of somebody's 5,000 listings. */
function keyOf({ status, holder }: Place, more: string | boolean): string {
  return `${status} ${holder} ${more}`
}

export const ownTable = JSON.stringify(ownRows)
export const activityTable = JSON.stringify(activityRows)
