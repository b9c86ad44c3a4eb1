import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'
import { line, time } from '#contract/fields.ts'
import { listing, listingId } from '#contract/listings.ts'
import { searchFilter } from '#contract/search.ts'

const savedSearch = z
  .object({
    id: z.string(),
    name: z.string(),
    /** The query string of GET /api/v1/listings, by its own names. */
    filter: searchFilter,
    /** Whether an e-mail tells of each new listing that matches. */
    alerts: z.boolean(),
    created_at: time,
  })
  .meta({ id: 'SavedSearch' })
export type SavedSearch = z.output<typeof savedSearch>

export const MOST_SAVED_SEARCHES = 50
export const MOST_WATCHED = 500

export const savedSearchEndpoints = endpoints({
  'GET /api/v1/saved-searches': {
    summary: 'The caller’s saved searches, newest first',
    access: 'member',
    replies: { 200: z.object({ data: z.array(savedSearch) }) },
  },
  'POST /api/v1/saved-searches': {
    summary: 'Save a search; with alerts an e-mail tells of each new listing that matches',
    access: 'member',
    permission: 'auction_search',
    body: z.strictObject({ name: line('Name', 60), filter: z.strictObject(searchFilter.shape), alerts: z.boolean().default(true) }),
    replies: { 201: z.object({ data: savedSearch }) },
  },
  'DELETE /api/v1/saved-searches/{id}': {
    summary: 'Forget a saved search',
    access: 'member',
    params: listingId,
    replies: { 204: null },
  },
  'PUT /api/v1/listings/{id}/watch': {
    summary: 'Put a listing on the caller’s watch list',
    access: 'member',
    params: listingId,
    replies: { 200: z.object({ data: listing }) },
  },
  'DELETE /api/v1/listings/{id}/watch': {
    summary: 'Take a listing off the watch list',
    access: 'member',
    params: listingId,
    replies: { 200: z.object({ data: listing }) },
  },
})
