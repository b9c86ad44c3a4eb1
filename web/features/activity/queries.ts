import { infiniteQueryOptions, queryOptions, type InfiniteData } from '@tanstack/react-query'
import type { Listing } from '#contract/listings.ts'
import type { ActivityGroup, OwnGroup } from '#contract/values/activity-groups.ts'
import { call } from '#web/api/api.ts'
import { queryClient } from '#web/api/query-client.ts'
import { hasEnded, hearServerTime } from '#web/api/server-clock.ts'
import { keepNewest } from '#web/live/listings.ts'

// photos are checked within seconds, and an end is decided in less
const SETTLES_EVERY_MS = 2_000
/** A dashboard shows the first few; the list shows the rest. */
export const FEW = 5

export type Side = 'my-listings' | 'activity'
type Group = { 'my-listings': OwnGroup; activity: ActivityGroup }
export type Page = { data: Listing[]; meta: { next_cursor: string | null; counts: Record<string, number> } }

/** Everything, or one group, a page at a time. */
export const groupQuery = (side: Side, group: string | undefined) =>
  infiniteQueryOptions({
    queryKey: [side, 'pages', group ?? 'all'],
    queryFn: ({ signal, pageParam }) =>
      fetchPage(side, { ...(group && { 'filter[status]': group }), ...(pageParam && { cursor: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next_cursor,
    refetchInterval: ({ state }) => settling(state.data?.pages ?? []),
    staleTime: 0,
    structuralSharing: keepNewest,
  })

/** The first few of a group, with the counts of all: what a dashboard and a badge need. */
export const fewQuery = <S extends Side>(side: S, group: Group[S]) =>
  queryOptions({
    queryKey: [side, 'few', group],
    queryFn: ({ signal }) => fetchPage(side, { 'filter[status]': group, per_page: FEW }, signal),
    refetchInterval: ({ state }) => settling(state.data ? [state.data] : []),
    staleTime: 5_000,
    structuralSharing: keepNewest,
  })

export const figuresQuery = queryOptions({
  queryKey: ['activity', 'figures'],
  queryFn: async ({ signal }) => (await call('GET /api/v1/activity/figures', { signal })).data,
  staleTime: 5_000,
})

/** Of the group that was open before: the bar need not go blank while the next one loads. */
export const knownCounts = (side: Side): Page['meta']['counts'] | undefined =>
  queryClient
    .getQueriesData<InfiniteData<Page>>({ queryKey: [side, 'pages'] })
    .map(([, data]) => data?.pages[0]?.meta.counts)
    .find(Boolean)

async function fetchPage(side: Side, query: Record<string, string | number>, signal: AbortSignal): Promise<Page> {
  const page: Page = await call(`GET /api/v1/${side}`, { query, signal })
  if (page.data[0]) hearServerTime(page.data[0].server_time)
  return page
}

const settling = (pages: readonly Page[]) =>
  pages.some(({ data }) =>
    data.some(
      ({ status, expires_at }) => status.name === 'Processing' || (status.name === 'Active' && expires_at !== null && hasEnded(expires_at)),
    ),
  ) && SETTLES_EVERY_MS
