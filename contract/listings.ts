import { z } from 'zod'
import { bidStatuses, type BidStatus } from '#contract/values/bid-status.ts'
import { endpoints } from '#contract/endpoint.ts'
import { keysOf, money, text, time } from '#contract/fields.ts'
import { listingStatuses, type ListingStatus } from '#contract/values/listing-status.ts'
import { listingForm } from '#contract/listing-form.ts'
import { materials, type MaterialId } from '#contract/values/materials.ts'
import { availableAction } from '#contract/available-action.ts'
import { mediaItem } from '#contract/storage.ts'

export const listingId = z.object({ id: z.string().max(100) })

const pickUpAddress = {
  address_line_1: z.string(),
  address_line_2: z.string().nullable(),
  town: z.string(),
  county: z.string().nullable(),
  post_code: z.string(),
  latitude: z.number(),
  longitude: z.number(),
}

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
    is_watched: z.boolean(),
    /** Counts every change that others may see; what arrives live with a lower one is old. */
    version: z.int(),
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
    /** What the next bid adds at this price. */
    bid_step: money,
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
      /** From the post code that was searched round; null without one. */
      distance_miles: z.number().nullable(),
    }),
    /** The pick-up address: the owner's, and the parties' once paid. */
    address: z.object({ ...pickUpAddress }).nullable(),
    seller: z.object({
      id: z.string(),
      company_name: z.string(),
      member_since: time,
      vat_registered: z.boolean(),
      completed_sales: z.int(),
    }),
    accepts_deferred_payment: z.boolean(),
    seller_invoices: z.boolean(),
    /** Of restricted materials; the parties' alone. */
    serial_numbers: z.string().nullable(),
    source: z.string().nullable(),
    /** What the seller added after the first bid, oldest first. */
    notes: z.array(z.object({ text: z.string(), at: time })),
    /** Why the seller withdrew it, for those who had bid. */
    withdrawal_reason: z.string().nullable(),
    my_latest_bid: z
      .object({
        id: z.string(),
        current_bid_price: money,
        max_price: money,
        bid_status: z.object({ id: z.int(), name: z.enum(keysOf<BidStatus>(bidStatuses)), label: z.string() }),
      })
      .nullable(),
    media: z.array(mediaItem),
    /** The papers that it was listed with; the owner's alone. */
    documents: z.array(mediaItem),
    can_offer_at_reservation_price: z.boolean(),
    kyc_status: z.enum(['pending', 'verified', 'failed']).nullable(),
    user_deferred_payment: z.object({ expires_at: time }).nullable(),
    /** What the sale comes to; the parties' alone. */
    amounts: z.object({ goods: money, vat: money, total: money, paid: money, refunded: money, due: money }).nullable(),
    /** The other party of the sale. */
    counterparty: z.object({ id: z.string(), company_name: z.string() }).nullable(),
    /** What must happen next to the listing, in words, and until when; the parties’ alone. */
    deadline: z.object({ action: z.string(), at: time }).nullable(),
    available_actions: z.array(availableAction),
    /** The owner may change everything (PUT) until somebody bids. */
    can_edit: z.boolean(),
    server_time: time,
  })
  .meta({ id: 'Listing' })
export type Listing = z.output<typeof listing>

const wholeNumber = z.coerce.number().int().min(0)

export const listingSorts = ['ending_soonest', 'newest', 'price_low', 'price_high', 'nearest', 'most_bids'] as const
export type ListingSort = (typeof listingSorts)[number]

export const pageQuery = z.object({ cursor: z.string().max(300).optional(), per_page: wholeNumber.min(1).max(60).default(24) })

/** Query strings as API.md spells them: `filter[search]=copper`. */
export const searchFilter = z.object({
  'filter[search]': text(100).optional(),
  'filter[material_id]': z.enum(keysOf<MaterialId>(materials)).optional(),
  'filter[transfer_method_id]': z.coerce
    .number()
    .pipe(z.union([z.literal(1), z.literal(2)]))
    .optional(),
  'filter[min_price]': wholeNumber.max(1_000_000_000).optional(),
  'filter[max_price]': wholeNumber.max(1_000_000_000).optional(),
  /** A post code or its district; with `filter[radius_miles]`, and for `nearest`. */
  'filter[post_code]': text(10).optional(),
  'filter[radius_miles]': z.coerce.number().min(1).max(500).optional(),
})

export type SearchFilter = z.output<typeof searchFilter>

const endingWithin = {
  /** A duration such as `1h` or `24h`. */
  'filter[ending_within]': z
    .string()
    .regex(/^\d{1,4}[smhd]$/, 'a duration such as 30m, 24h or 7d')
    .optional(),
}

const listingsQuery = searchFilter.extend({
  ...endingWithin,
  'filter[status]': z.enum(['active', 'ended']).default('active'),
  sort: z.enum(listingSorts).default('ending_soonest'),
  ...pageQuery.shape,
})

const degrees = String.raw`-?\d{1,2}(?:\.\d{1,6})?`

const mapQuery = searchFilter.extend({
  ...endingWithin,
  /** `south,west,north,east` in degrees: what the map shows. */
  'filter[bounds]': z
    .string()
    .regex(new RegExp(`^${degrees}(?:,${degrees}){3}$`), 'south,west,north,east in degrees')
    .optional(),
})

/** Few listings are points, many are clusters: one of the two lists is empty. Coordinates to about a mile, as everywhere. */
const listingMap = z
  .object({
    points: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        town: z.string(),
        latitude: z.number(),
        longitude: z.number(),
        price: money,
        price_basis: z.enum(['lot', 'tonne']),
        material_group: z.string(),
        expires_at: time,
      }),
    ),
    clusters: z.array(z.object({ latitude: z.number(), longitude: z.number(), count: z.int() })),
    /** Whether every match is counted; of very many the clusters count the first that end. */
    is_complete: z.boolean(),
    server_time: time,
  })
  .meta({ id: 'ListingMap' })
export type ListingMap = z.output<typeof listingMap>

export const cursorMeta = z.object({ next_cursor: z.string().nullable(), prev_cursor: z.string().nullable(), per_page: z.int() })

export const listingEndpoints = endpoints({
  'GET /api/v1/listings': {
    summary: 'Listings a page at a time: Active ones in an order of choice, or those that have ended, the last end first',
    access: 'anyone',
    query: listingsQuery,
    replies: { 200: z.object({ data: z.array(listing), meta: cursorMeta }) },
  },
  'GET /api/v1/listings/map': {
    summary: 'Where the Active listings that match are',
    access: 'anyone',
    query: mapQuery,
    replies: { 200: z.object({ data: listingMap }) },
  },
  'POST /api/v1/listings': {
    summary: 'List goods; it is Processing until its media are checked, and then Active',
    access: 'member',
    permission: 'auction_create',
    body: listingForm,
    replies: { 201: z.object({ data: listing }) },
  },
  'DELETE /api/v1/listings/{id}': {
    summary: 'Withdraw before the first bid; later the action `withdraw` carries the reason that bidders see',
    access: 'member',
    params: listingId,
    replies: { 200: z.object({ data: listing }) },
  },
  'GET /api/v1/listings/{id}': {
    summary: 'One listing, as the caller may see it',
    access: 'anyone',
    params: listingId,
    replies: { 200: z.object({ data: listing }) },
  },
})
