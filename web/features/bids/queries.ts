import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import type { Listing } from '#contract/listings.ts'
import type { Pence } from '#domain/money.ts'
import { call } from '#web/api/api.ts'
import { queryClient } from '#web/api/query-client.ts'
import { useViewerId } from '#web/api/session.ts'
import { hearBids } from '#web/live/bids.ts'

hearBids()

/** Newest first, a page at a time. Bids that arrive live are put in front (live/bids.ts); whoever looks is part of the key. */
export const bidsQuery = (id: string, viewer: string) =>
  infiniteQueryOptions({
    queryKey: ['bids', id, viewer],
    queryFn: ({ signal, pageParam }) =>
      call('GET /api/v1/listings/{id}/bids', { params: { id }, query: { ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next_cursor,
    staleTime: 0,
  })

/** The price after each bid, oldest first, of the bids that were read so far: a bid counts once, however many rows answer it. */
export const pricesOf = (rows: readonly BidRow[]): PricePoint[] =>
  rows
    .filter(({ is_automatic }) => !is_automatic)
    .map(({ seq, price_after }) => ({ seq, price: price_after.value }))
    .toReversed()

export type PricePoint = { seq: number; price: Pence }
type BidRow = { seq: number; is_automatic: boolean; price_after: { value: Pence } }

/** The late bids, newest first, that moved the end of a listing, as far as its bids were read. */
export function useExtensions({ id, bid_count }: Listing): Extension[] {
  const { data } = useInfiniteQuery({ ...bidsQuery(id, useViewerId()), enabled: bid_count > 0 })
  const rows = data?.pages.flatMap((page) => page.data) ?? []
  return rows.flatMap((row) => (row.extended_to ? [{ id: row.id, at: row.accepted_at, extended_to: row.extended_to }] : []))
}

type Extension = { id: string; at: string; extended_to: string }

export const refetchBids = (id: string): Promise<void> => queryClient.invalidateQueries({ queryKey: ['bids', id] })
