import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Listing } from '#contract/listings.ts'
import { call } from '#web/api.ts'

/** The timeline is as new as the listing: one that stands elsewhere by now asks for it. */
export const eventsQuery = ({ id, version, status, notes }: Listing) =>
  queryOptions({
    queryKey: ['events', id, version, status.name, notes.length],
    queryFn: async ({ signal }) => (await call('GET /api/v1/listings/{id}/events', { params: { id }, signal })).data,
    placeholderData: keepPreviousData,
  })
