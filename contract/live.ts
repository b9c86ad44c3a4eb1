import { z } from 'zod'
import { bidStatuses, type BidStatus } from '#contract/values/bid-status.ts'
import { bidRow } from '#contract/bids.ts'
import { keysOf, money, time } from '#contract/fields.ts'
import { MOST_LISTING_TOPICS } from '#contract/values/limits.ts'
import { listingStatuses, type ListingStatus } from '#contract/values/listing-status.ts'

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
  /** The rows of the bids that led here since the version before, oldest first, those of the last fifty bids at most; bidders are numbers. */
  bids: z.array(bidRow),
  server_time: time,
})

/** How one's own bid stands now: leading, outbid, won, offered. It comes just before the listing's own event of that version. */
const standingChanged = z.object({
  listing_id: z.string(),
  version: z.int(),
  title: z.string(),
  price_basis: z.enum(['lot', 'tonne']),
  bid_status: z.enum(keysOf<BidStatus>(bidStatuses)),
  current_price: money,
  minimum_bid: money,
  max_price: money,
  server_time: time,
})

export const liveEvents = {
  listing: listingChanged,
  /** Taken down, or back in preparation: no longer there for everybody. */
  gone: z.object({ listing_id: z.string(), version: z.int(), status: z.enum(keysOf<ListingStatus>(listingStatuses)), server_time: time }),
  standing: standingChanged,
  /** A step of an own sale or purchase: what it is now is read anew. */
  sale: z.object({ listing_id: z.string(), version: z.int(), title: z.string(), server_time: time }),
  /** There is a new message or read mark in a chat thread. The page then loads the thread's messages from this number on. */
  chat: z.object({ listing_id: z.string(), thread_id: z.string(), with_id: z.string(), seq: z.int(), server_time: time }),
  /** Notifications of one's own arrived or were read: how many are unread now, and since when to poll; null when none arrived. */
  notifications: z.object({ unread: z.int(), since: time.nullable(), server_time: time }),
  /** The topic `market`: an enquiry is new, or it is changed, agreed or ended. */
  enquiry: z.object({ enquiry_id: z.string(), status: z.enum(['open', 'agreed', 'ended']), title: z.string(), server_time: time }),
  /** A message, an offer, an answer or a read mark in a conversation of one's own about an enquiry: it is read again. */
  conversation: z.object({ enquiry_id: z.string(), conversation_id: z.string(), seq: z.int(), server_time: time }),
  /** Some of what happened is no longer kept: everything is read anew. */
  reset: z.object({ server_time: time }),
  /** With `versions=1`, when the connection stands: how new each followed listing is. Whoever knows an older one reads it anew. */
  versions: z.object({ versions: z.record(z.string(), z.int()), server_time: time }),
} as const

export type LiveEvents = { [K in keyof typeof liveEvents]: z.output<(typeof liveEvents)[K]> }

const topic = /^(?:listings|market|me|listing:[\w-]{1,100})$/

export const eventsQuery = z.object({
  topics: z
    .string('Say what to follow: listing:{id}, listings, market, me')
    .max(12_000, 'That is too much to follow at once')
    .transform((text) => [...new Set(text.split(','))])
    .refine((topics) => topics.every((one) => topic.test(one)), 'Topics are listing:{id}, listings, market and me')
    .refine(
      (topics) => topics.filter((one) => one.startsWith('listing:')).length <= MOST_LISTING_TOPICS,
      `At most ${MOST_LISTING_TOPICS} listings can be followed one by one`,
    ),
  /** The same as the header `Last-Event-ID`, which wins. */
  last_event_id: z.string().max(30).optional(),
  versions: z.literal('1').optional(),
})
