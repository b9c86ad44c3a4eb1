import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import type { Listing } from '#contract/listings.ts'
import { messageOf } from '#web/api/api-error.ts'
import { GroupBar } from '#web/features/activity/group-bar.tsx'
import { rowGrid } from '#web/features/activity/listing-row.tsx'
import { groupQuery, knownCounts, type Page, type Side } from '#web/features/activity/queries.ts'
import { MorePages } from '#web/listing/more-pages.tsx'
import { useLiveListings } from '#web/live/listings.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { FailedState } from '#web/ui/state.tsx'

type Pages = UseInfiniteQueryResult<InfiniteData<Page>>
type Props = {
  side: Side
  groups: Record<string, string>
  current: string | undefined
  Row: ComponentType<{ listing: Listing }>
  empty: ReactNode
}

/** The groups, and the listings of the one that is open, page after page. */
export function GroupedListings({ side, groups, current, Row, empty }: Props) {
  const pages = useInfiniteQuery(groupQuery(side, current))
  useLiveListings(pages.data?.pages.flatMap(({ data }) => data.map(({ id }) => id)) ?? [])
  return (
    <div className="grid gap-4">
      <GroupBar side={side} groups={groups} current={current} counts={pages.data?.pages[0]?.meta.counts ?? knownCounts(side)} />
      <div className="@container">
        <Listings pages={pages} Row={Row} empty={empty} />
      </div>
    </div>
  )
}

function Listings({ pages, Row, empty }: { pages: Pages } & Pick<Props, 'Row' | 'empty'>) {
  const { data, error, isPending, isFetching, refetch } = pages
  if (isPending) return <RowsSkeleton />
  if (!data) return <FailedState message={messageOf(error)} onRetry={() => void refetch()} isRetrying={isFetching} />

  // what moved from one page to the next meanwhile is shown once
  const listings = [...new Map(data.pages.flatMap((page) => page.data).map((listing) => [listing.id, listing])).values()]
  if (listings.length === 0) return <div className="py-6">{empty}</div>
  return (
    <div className="grid gap-6">
      <ul className={`border-b border-line ${rowGrid.list}`}>
        {listings.map((listing) => (
          <li key={listing.id} className={`border-t border-line first:border-t-0 ${rowGrid.item}`}>
            <Row listing={listing} />
          </li>
        ))}
      </ul>
      <MorePages pages={pages} />
    </div>
  )
}

export function RowsSkeleton({ rows = 5 }: { rows?: number }) {
  return (
    <div role="status">
      <span className="sr-only">Loading listings…</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex gap-4 border-t border-line py-3 first:border-t-0">
          <Skeleton className="aspect-4/3 w-22 shrink-0" />
          <div className="grid flex-1 content-start gap-2">
            <Skeleton className="h-5 w-1/2" />
            <Skeleton className="h-4 w-4/5" />
          </div>
        </div>
      ))}
    </div>
  )
}
