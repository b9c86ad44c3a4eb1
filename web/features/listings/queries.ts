import { queryOptions, useQuery, type InfiniteData } from '@tanstack/react-query'
import type { Listing } from '#contract/listings.ts'
import { call } from '#web/api/api.ts'
import { queryClient } from '#web/api/query-client.ts'
import { hearServerTime } from '#web/api/server-clock.ts'
import { useViewerId } from '#web/api/session.ts'
import { keepNewest, useLiveListings } from '#web/live/listings.ts'
import { useIsDown } from '#web/live/live.ts'
import { PRICES_EVERY_MS } from '#web/live/timing.ts'

type Page = { data: Listing[]; meta: { next_cursor: string | null } }
type Pages = InfiniteData<Page, string | null>

// whoever looks is part of the key: a listing says what it is to its viewer
const listingQuery = (id: string, viewer: string) =>
  queryOptions({
    queryKey: ['listing', id, viewer],
    queryFn: async ({ signal }) => {
      const { data } = await call('GET /api/v1/listings/{id}', { params: { id }, signal })
      hearServerTime(data.server_time)
      keepInLists(data)
      return data
    },
    placeholderData: () => findInLists(id, viewer),
    // a listing that somebody opens is looked at anew
    staleTime: 0,
    structuralSharing: keepNewest,
  })

/** One listing as it changes, asked for again only while nothing arrives live. */
export function useLiveListing(id: string) {
  useLiveListings([id])
  return useQuery({ ...listingQuery(id, useViewerId()), refetchInterval: useIsDown() && PRICES_EVERY_MS })
}

/** What the server answered is what every open page shows. */
export function keepListing(listing: Listing): void {
  hearServerTime(listing.server_time)
  queryClient.setQueriesData<Listing>({ queryKey: ['listing', listing.id] }, listing)
  keepInLists(listing)
}

export const refetchListing = (id: string): Promise<void> => queryClient.invalidateQueries({ queryKey: ['listing', id] })

/** Every list that holds listings page by page; the first is kept apart for each viewer, the others are the viewer's own. */
const listKeys = (viewer?: string) => [
  ['listings', ...(viewer === undefined ? [] : [viewer])],
  ['my-listings', 'pages'],
  ['activity', 'pages'],
]

function keepInLists(listing: Listing) {
  for (const queryKey of listKeys())
    queryClient.setQueriesData<Pages>({ queryKey }, (pages) => {
      if (!pages?.pages.some(({ data }) => data.some(({ id }) => id === listing.id))) return pages
      const replaced = pages.pages.map((page) => ({ ...page, data: page.data.map((known) => (known.id === listing.id ? listing : known)) }))
      return { ...pages, pages: replaced }
    })
}

function findInLists(id: string, viewer: string): Listing | undefined {
  return listKeys(viewer)
    .flatMap((queryKey) => queryClient.getQueriesData<Pages>({ queryKey }))
    .flatMap(([, pages]) => pages?.pages ?? [])
    .flatMap(({ data }) => data)
    .find((listing) => listing.id === id)
}
