import { z } from 'zod'
import { bidStatuses, type BidStatus } from '#contract/bid-status.ts'
import { endpoints } from '#contract/endpoint.ts'
import { addressFields, keysOf, line, money, optionalLine, pence, text, time } from '#contract/fields.ts'
import { listingStatuses, type ListingStatus } from '#contract/listing-status.ts'
import { MOST_MEDIA } from '#contract/limits.ts'
import { materials, type MaterialId } from '#contract/materials.ts'
import { availableAction } from '#contract/available-action.ts'
import { mediaItem } from '#contract/storage.ts'
import { transferMethods } from '#contract/transfer-method.ts'

const storageObjectId = z.guid('This upload is not known')
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

const price = pence.min(1, 'At least 1p').max(100_000_000, 'At most £1,000,000.00')

const isRestricted = (id: MaterialId) => 'is_restricted' in materials[id]
const optionalText = (max: number) =>
  text(max)
    .nullish()
    .transform((given) => given || null)

/** What the seller says of a listing; what depends on the clock or on settings is checked where it is made. */
export const listingForm = z
  .strictObject({
    title: line('Title', 120).min(3, 'At least 3 characters'),
    description: text(5_000, 'Description is required').min(1, 'Description is required'),
    material_id: z.enum(keysOf<MaterialId>(materials), 'Choose a material'),
    grade: optionalLine('Grade'),
    ewc_code: optionalLine('EWC code', 12),
    condition: optionalLine('Condition'),
    price_basis: z.enum(['lot', 'tonne'], 'Choose a price for the lot or by the tonne'),
    weight_kg: z.int('Whole kilograms').min(1, 'At least 1 kg').max(1_000_000, 'At most 1,000 t').nullish(),
    start_price: price,
    reservation_price: price.nullish(),
    duration_days: z.int().min(1).max(14).optional(),
    expires_at: z.iso.datetime({ offset: true }).optional(),
    transfer_method_id: z.union(
      [z.literal(transferMethods.Collection), z.literal(transferMethods.Delivery)],
      'Choose collection or delivery',
    ),
    address: z.strictObject(addressFields).optional(),
    use_default_address: z.boolean().optional(),
    media: z.array(storageObjectId).min(1, 'Add at least one photo').max(MOST_MEDIA, `At most ${MOST_MEDIA} photos and videos`),
    documents: z.array(storageObjectId).max(MOST_MEDIA, `At most ${MOST_MEDIA} documents`).default([]),
    accepts_deferred_payment: z.boolean().default(false),
    extends_on_late_bids: z.boolean().default(true),
    seller_invoices: z.boolean().default(false),
    serial_numbers: optionalText(2_000),
    source: optionalLine('Source', 200),
  })
  .refine(({ material_id, serial_numbers }) => !isRestricted(material_id) || serial_numbers !== null, {
    path: ['serial_numbers'],
    message: 'Give the serial numbers',
  })
  .refine(({ material_id, source }) => !isRestricted(material_id) || source !== null, {
    path: ['source'],
    message: 'Say where they come from',
  })
  .refine(({ price_basis, weight_kg }) => price_basis === 'lot' || weight_kg != null, {
    path: ['weight_kg'],
    message: 'A price by the tonne needs a weight',
  })
  .refine(({ start_price, reservation_price }) => reservation_price == null || reservation_price >= start_price, {
    path: ['reservation_price'],
    message: 'The reservation price is below the start price',
  })
  .refine(({ duration_days, expires_at }) => (duration_days === undefined) !== (expires_at === undefined), {
    path: ['duration_days'],
    message: 'Choose how many days it runs, or when it ends',
  })
  .refine(({ address, use_default_address }) => (address === undefined) === (use_default_address === true), {
    path: ['address'],
    message: 'Give an address, or use the default one',
  })
export type ListingForm = z.output<typeof listingForm>

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
