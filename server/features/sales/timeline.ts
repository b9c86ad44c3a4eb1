import type { ListingEvent } from '#contract/sales/sales.ts'
import type { BidStatus } from '#contract/values/bid-status.ts'
import { extensionWords } from '#domain/bids/history.ts'
import { isParty } from '#domain/listings/visibility.ts'
import type { Actor } from '#domain/sales/listing-machine-step.ts'
import type { StepName } from '#domain/sales/listing-machine-table.ts'
import { stepLabels } from '#domain/sales/listing-step-words.ts'
import { rowsOf, type DbOrTx } from '#server/db/db.ts'

/** A listing, and what its viewer has to do with it. */
export type TimelineListing = { id: string; seller_id: string; my_bid_status: BidStatus | null }

type EventRow = {
  id: string
  step: StepName
  actor: Actor
  actor_id: string | null
  company_name: string | null
  reason: string | null
  at: Date
}

/** A listing's timeline, oldest first. The owner and the buyer see every step, others what is public, and their own. */
export async function timelineOf(db: DbOrTx, listing: TimelineListing, viewerId: string | null): Promise<ListingEvent[]> {
  const events = await rowsOf(db)<EventRow>(
    `select e.id, e.step, e.actor, e.actor_id, u.company_name, e.details ->> 'reason' as reason, e.at
     from listing_events e
     left join users u on u.id = e.actor_id
     where e.listing_id = $1
     order by e.seq`,
    [listing.id],
  )
  const extensions = await rowsOf(db)<{ id: string; at: Date; extended_to: Date }>(
    `select b.id, b.accepted_at as at, coalesce(next.expires_at, l.expires_at) as extended_to
     from bids b
     join listings l on l.id = b.listing_id
     left join bids next on next.listing_id = b.listing_id and next.seq = b.seq + 1
     where b.listing_id = $1 and l.extends_on_late_bids and coalesce(next.expires_at, l.expires_at) > b.expires_at
     order by b.seq desc
     limit ${MOST_EXTENSIONS}`,
    [listing.id],
  )
  const seesAll = isParty(listing, viewerId)
  const hasBid = listing.my_bid_status !== null
  const steps = events
    .filter(({ step, actor_id }) => seesAll || publicLabels[step] !== undefined || (viewerId !== null && actor_id === viewerId))
    .map((event) => ({
      id: event.id,
      name: event.step,
      label: (seesAll ? undefined : publicLabels[event.step]) ?? stepLabels[event.step],
      by: takerOf(event, viewerId, listing.seller_id === viewerId),
      reason: seesAll || hasBid ? event.reason : null,
      at: event.at.toISOString(),
    }))
  return [...steps, ...extensions.map(extensionEvent)].toSorted((one, other) => one.at.localeCompare(other.at))
}

const extensionEvent = ({ id, at, extended_to }: { id: string; at: Date; extended_to: Date }): ListingEvent => ({
  id,
  name: 'late_bid',
  label: extensionWords(extended_to),
  by: 'Yardbid',
  reason: null,
  at: at.toISOString(),
})

// in a bidding war each bid moves the end: the last ones tell enough
const MOST_EXTENSIONS = 10

// whom it went to, and whether it was sold at all, is between the parties
const publicLabels: Partial<Record<StepName, string>> = {
  ready: stepLabels.ready,
  withdraw: stepLabels.withdraw,
  add_note: stepLabels.add_note,
  end_without_bid: 'Bidding ended',
  end_below_reservation: 'Bidding ended',
  end_sold: 'Bidding ended',
}

function takerOf({ actor, actor_id, company_name }: EventRow, viewerId: string | null, isOwner: boolean): string {
  if (actor_id !== null && actor_id === viewerId) return 'You'
  if (actor === 'seller') return company_name ?? 'Seller'
  // RULES §3.7: bidders are companies to the owner alone, also those whom it was offered to before
  if (actor === 'buyer') return (isOwner ? company_name : null) ?? 'Buyer'
  return 'Yardbid'
}
