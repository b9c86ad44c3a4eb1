import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'
import { time } from '#contract/fields.ts'
import { listing, listingId } from '#contract/listings.ts'

/** One step of a listing's life, as the viewer may see it. */
const listingEvent = z
  .object({
    id: z.string(),
    /** The step of RULES §4, such as `end_sold`; `late_bid` for a bid that moved the end (RULES §3.5). */
    name: z.string(),
    /** What happened, in words for this viewer. */
    label: z.string(),
    /** Who did it: 'You', 'Seller', 'Buyer', 'Yardbid', or a company that the viewer may know. */
    by: z.string(),
    reason: z.string().nullable(),
    at: time,
  })
  .meta({ id: 'ListingEvent' })
export type ListingEvent = z.output<typeof listingEvent>

export const saleEndpoints = endpoints({
  'POST /api/v1/listings/{id}/actions/{action}': {
    summary: 'One of the listing’s available_actions, with its fields; 409 where its status does not allow it, 404 if it is another’s',
    access: 'member',
    params: listingId.extend({ action: z.string().max(60) }),
    // which fields there are depends on the action and on where the listing stands
    body: z.record(z.string().max(60), z.unknown()).optional(),
    replies: { 200: z.object({ data: listing }) },
  },
  'GET /api/v1/listings/{id}/events': {
    summary: 'Its timeline, oldest first',
    access: 'anyone',
    params: listingId,
    replies: { 200: z.object({ data: z.array(listingEvent) }) },
  },
})
