import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'
import { cursorMeta, keysOf, money, pageQuery, text, time, wholeNumber } from '#contract/fields.ts'
import { listing } from '#contract/listings.ts'
import { materials, type MaterialId } from '#contract/values/materials.ts'

export const listingSorts = ['ending_soonest', 'newest', 'price_low', 'price_high', 'nearest', 'most_bids'] as const
export type ListingSort = (typeof listingSorts)[number]

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

export const searchEndpoints = endpoints({
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
})
