import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Listing } from '#contract/listings.ts'
import { call } from '#web/api.ts'

/**
 * The timeline is as new as the listing: one that stands elsewhere by now asks for it. A bid is no step, so that the many who
 * watch a listing run do not all ask at each.
 */
export const eventsQuery = ({ id, version, status, notes, is_owner }: Listing) =>
  queryOptions({
    queryKey: ['events', id, status.name, notes.length, status.name === 'Active' && !is_owner ? 'running' : version],
    queryFn: async ({ signal }) => (await call('GET /api/v1/listings/{id}/events', { params: { id }, signal })).data,
    placeholderData: keepPreviousData,
  })
