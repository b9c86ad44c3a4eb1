import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { RecordFilter } from '#contract/sales/papers.ts'
import { call } from '#web/api/api.ts'

const PER_PAGE = 20

/** The viewer's records that a filter leaves, a page at a time. */
export const recordsQuery = (filter: RecordFilter) =>
  infiniteQueryOptions({
    queryKey: ['records', filter],
    queryFn: ({ signal, pageParam }) =>
      call('GET /api/v1/records', { query: { ...filter, per_page: PER_PAGE, ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** The same records as CSV. */
export const csvPath = (filter: RecordFilter) => {
  const query = new URLSearchParams(Object.entries(filter)).toString()
  return `/api/v1/records.csv${query && `?${query}`}`
}
