import { z } from 'zod'
import { bidStatuses, type BidStatus } from '#contract/bid-status.ts'
import { endpoints } from '#contract/endpoint.ts'
import { keysOf, money, pence, time } from '#contract/fields.ts'
import { listingStatuses, type ListingStatus } from '#contract/listing-status.ts'
import { materials, type MaterialId } from '#contract/materials.ts'

export const listingId = z.object({ id: z.string().max(100) })

export const listing = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string(),
    status: z.object({
      id: z.number(),
      name: z.enum(keysOf<ListingStatus>(listingStatuses)),
      label: z.string(),
      theme: z.enum(['danger', 'warning', 'primary', 'success']),
    }),
    is_owner: z.boolean(),
    material: z.object({ id: z.string(), name: z.string(), group: z.string(), is_scrap: z.boolean() }),
    grade: z.string().nullable(),
    ewc_code: z.string().nullable(),
    condition: z.string().nullable(),
    price_basis: z.enum(['lot', 'tonne']),
    weight_kg: z.int().nullable(),
    start_price: money,
    /** The start price until somebody bids. */
    current_price: money,
    minimum_bid: money,
    has_reservation_price: z.boolean(),
    reservation_met: z.boolean(),
    /** The owner's alone: others see met or not met. */
    reservation_price: money.nullable(),
    bid_count: z.int(),
    created_at: time,
    starts_at: time.nullable(),
    expires_at: time.nullable(),
    extends_on_late_bids: z.boolean(),
    transfer_method_id: z.int(),
    /** The district, and coordinates to about a mile. */
    location: z.object({
      town: z.string(),
      county: z.string().nullable(),
      post_code_district: z.string(),
      latitude: z.number(),
      longitude: z.number(),
    }),
    seller: z.object({ id: z.string(), company_name: z.string(), member_since: time, vat_registered: z.boolean() }),
    my_latest_bid: z
      .object({
        id: z.string(),
        current_bid_price: money,
        max_price: money,
        bid_status: z.object({ id: z.int(), name: z.enum(keysOf<BidStatus>(bidStatuses)), label: z.string() }),
      })
      .nullable(),
    can_offer_at_reservation_price: z.boolean(),
    kyc_status: z.enum(['pending', 'verified', 'failed']).nullable(),
    server_time: time,
  })
  .meta({ id: 'Listing' })
export type Listing = z.output<typeof listing>

const wholeNumber = z.coerce.number().int().min(0)

/** Query strings as API.md spells them: `filter[search]=copper`. */
const listingsQuery = z.object({
  'filter[search]': z.string().trim().max(100).optional(),
  'filter[material_id]': z.enum(keysOf<MaterialId>(materials)).optional(),
  'filter[transfer_method_id]': z.coerce
    .number()
    .pipe(z.union([z.literal(1), z.literal(2)]))
    .optional(),
  'filter[min_price]': wholeNumber.max(1_000_000_000).optional(),
  'filter[max_price]': wholeNumber.max(1_000_000_000).optional(),
  sort: z.enum(['ending_soonest', 'newest']).default('ending_soonest'),
  cursor: z.string().max(200).optional(),
  per_page: wholeNumber.min(1).max(60).default(24),
})

export const cursorMeta = z.object({ next_cursor: z.string().nullable(), prev_cursor: z.string().nullable(), per_page: z.int() })

export const listingEndpoints = endpoints({
  'GET /api/v1/listings': {
    summary: 'Active listings, a page at a time',
    access: 'anyone',
    query: listingsQuery,
    replies: { 200: z.object({ data: z.array(listing), meta: cursorMeta }) },
  },
  'GET /api/v1/listings/{id}': {
    summary: 'One listing, as the caller may see it',
    access: 'anyone',
    params: listingId,
    replies: { 200: z.object({ data: listing }) },
  },
})

const amount = pence.min(1, 'Bid at least 1p').max(1_000_000_000, 'That is more than a bid can be')

export const bid = z
  .object({
    id: z.string(),
    seq: z.int(),
    bidder: z.string(),
    is_mine: z.boolean(),
    /** The price that this bid led to. */
    price: money,
    accepted_at: time,
  })
  .meta({ id: 'Bid' })

export const placedBid = z.object({
  id: z.string(),
  seq: z.int(),
  amount: money,
  max_amount: money,
  current_price: money,
  is_leading: z.boolean(),
  accepted_at: time,
})

export const bidEndpoints = endpoints({
  'GET /api/v1/listings/{id}/bids': {
    summary: 'The bids so far, newest first; bidders are numbers to everybody but the seller',
    access: 'anyone',
    params: listingId,
    query: z.object({ cursor: z.string().max(200).optional() }),
    replies: { 200: z.object({ data: z.array(bid), meta: cursorMeta }) },
  },
  'POST /api/v1/listings/{id}/bids': {
    summary: 'Bid an amount, or up to a maximum; needs an Idempotency-Key',
    access: 'member',
    permission: 'auction_bid',
    params: listingId,
    body: z
      .strictObject({ amount, max_amount: amount.optional() })
      .refine(({ amount: least, max_amount: most }) => most === undefined || most >= least, {
        path: ['max_amount'],
        message: 'The maximum is less than the bid',
      }),
    replies: { 201: z.object({ data: z.object({ bid: placedBid, listing }) }) },
  },
})
