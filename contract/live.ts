import { z } from 'zod'
import { bidStatuses, type BidStatus } from '#contract/bid-status.ts'
import { keysOf, money, time } from '#contract/fields.ts'
import { listingStatuses, type ListingStatus } from '#contract/listing-status.ts'

// What arrives over GET /api/v1/events?topics=listing:{id},listings,me as Server-Sent Events. `event:` is the key, `data:` its JSON, `id:` resumes.

/** A listing as everybody may know it; the price a viewer's own bid led to arrives under `me`. */
const listingChanged = z.object({
  listing_id: z.string(),
  version: z.int(),
  status: z.enum(keysOf<ListingStatus>(listingStatuses)),
  current_price: money,
  minimum_bid: money,
  bid_step: money,
  bid_count: z.int(),
  reservation_met: z.boolean(),
  starts_at: time.nullable(),
  expires_at: time.nullable(),
  /** The bids that led here since the version before, oldest first; bidders are numbers. */
  bids: z.array(z.object({ id: z.string(), seq: z.int(), bidder: z.string(), price: money, accepted_at: time })),
  server_time: time,
})

/** How one's own bid stands now: leading, outbid, won, offered. */
const standingChanged = z.object({
  listing_id: z.string(),
  version: z.int(),
  title: z.string(),
  bid_status: z.enum(keysOf<BidStatus>(bidStatuses)),
  current_price: money,
  minimum_bid: money,
  max_price: money,
  server_time: time,
})

export const liveEvents = {
  listing: listingChanged,
  standing: standingChanged,
  /** A step of an own sale or purchase: what it is now is read anew. */
  sale: z.object({ listing_id: z.string(), version: z.int(), title: z.string(), server_time: time }),
  /** Some of what happened is no longer kept: everything is read anew. */
  reset: z.object({ server_time: time }),
} as const

export type LiveEvents = { [K in keyof typeof liveEvents]: z.output<(typeof liveEvents)[K]> }
