import { infiniteQueryOptions, keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Listing } from '#contract/listings.ts'
import { call } from '#web/api/api.ts'
import { hearServerTime } from '#web/api/server-clock.ts'
import { useViewerId } from '#web/api/session.ts'
import { queryOf, type Filter } from '#web/features/search/filter.ts'
import { keepNewest, useLiveListings } from '#web/live/listings.ts'
import { useIsDown } from '#web/live/live.ts'
import { PRICES_EVERY_MS } from '#web/live/timing.ts'

type Page = { data: Listing[]; meta: { next_cursor: string | null } }

// whoever looks is part of the key: a listing says what it is to its viewer
const listingsQuery = (filter: Filter, viewer: string) =>
  infiniteQueryOptions({
    queryKey: ['listings', viewer, filter],
    queryFn: async ({ signal, pageParam }) => {
      const page: Page = await call('GET /api/v1/listings', {
        query: { ...queryOf(filter), ...(pageParam && { cursor: pageParam }) },
        signal,
      })
      if (page.data[0]) hearServerTime(page.data[0].server_time)
      return page
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next_cursor,
    structuralSharing: keepNewest,
  })

/** What is on the map; `bounds` are `south,west,north,east` once somebody has moved it. */
const mapQuery = (filter: Filter, bounds: string | null) =>
  queryOptions({
    queryKey: ['listings-map', filter, bounds],
    queryFn: async ({ signal }) => {
      const { sort: _order, ...query } = queryOf(filter)
      const { data } = await call('GET /api/v1/listings/map', { query: { ...query, ...(bounds && { 'filter[bounds]': bounds }) }, signal })
      hearServerTime(data.server_time)
      return data
    },
    placeholderData: keepPreviousData,
  })

export const useListingMap = (filter: Filter, bounds: string | null) => useQuery(mapQuery(filter, bounds))

/** Asked for again only while nothing arrives live. */
export function useListings(filter: Filter) {
  const query = useInfiniteQuery({ ...listingsQuery(filter, useViewerId()), refetchInterval: useIsDown() && PRICES_EVERY_MS })
  useLiveListings(query.data?.pages.flatMap(({ data }) => data.map(({ id }) => id)) ?? [])
  return query
}
