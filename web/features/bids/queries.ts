import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#web/api.ts'

/** The history is as new as the count of bids: a listing that tells of one more asks for it. */
export const bidsQuery = (id: string, bid_count: number) =>
  queryOptions({
    queryKey: ['bids', id, bid_count],
    queryFn: async ({ signal }) => (await call('GET /api/v1/listings/{id}/bids', { params: { id }, query: {}, signal })).data,
    placeholderData: keepPreviousData,
    enabled: bid_count > 0,
  })
