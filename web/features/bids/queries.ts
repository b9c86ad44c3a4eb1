import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/api.ts'
import { queryClient } from '#web/api/query-client.ts'

/** Newest first. Bids that arrive live are put in front (live/listings.ts); whoever looks is part of the key. */
export const bidsQuery = (id: string, viewer: string) =>
  queryOptions({
    queryKey: ['bids', id, viewer],
    queryFn: async ({ signal }) => (await call('GET /api/v1/listings/{id}/bids', { params: { id }, query: {}, signal })).data,
    staleTime: 0,
  })

export const refetchBids = (id: string): Promise<void> => queryClient.invalidateQueries({ queryKey: ['bids', id] })
