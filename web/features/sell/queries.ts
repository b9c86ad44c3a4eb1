import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '#web/api.ts'
import { queryClient } from '#web/query-client.ts'
import { hearServerTime } from '#web/server-clock.ts'

// its photos are checked within seconds, and then it runs
const PROCESSING_EVERY_MS = 2_000

export const defaultAddressQuery = queryOptions({
  queryKey: ['default-address'],
  queryFn: async ({ signal }) => (await call('GET /api/v1/auth/me/default-address', { signal })).data,
  // it may have been changed in the account a moment ago
  staleTime: 0,
})

export const ownListingsQuery = infiniteQueryOptions({
  queryKey: ['my-listings'],
  queryFn: async ({ signal, pageParam }) => {
    const page = await call('GET /api/v1/my-listings', { query: { ...(pageParam && { cursor: pageParam }) }, signal })
    if (page.data[0]) hearServerTime(page.data[0].server_time)
    return page
  },
  initialPageParam: null as string | null,
  getNextPageParam: ({ meta }) => meta.next_cursor,
  refetchInterval: ({ state }) =>
    state.data?.pages.some(({ data }) => data.some(({ status }) => status.name === 'Processing')) && PROCESSING_EVERY_MS,
  staleTime: 0,
})

export const refetchOwnListings = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ownListingsQuery.queryKey })
