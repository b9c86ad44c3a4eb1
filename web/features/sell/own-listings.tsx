import { useInfiniteQuery } from '@tanstack/react-query'
import { PackagePlus } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import type { Listing } from '#contract/listings.ts'
import { messageOf } from '#web/api-error.ts'
import { ownListingsQuery } from '#web/features/sell/queries.ts'
import { Withdraw } from '#web/features/sell/withdraw.tsx'
import { useLiveListings } from '#web/live-listings.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { EmptyState, FailedState } from '#web/ui/state.tsx'

type Props = {
  Row: ComponentType<{ listing: Listing; action: ReactNode }>
  listGoods: ReactNode
  onWithdrawn: (listing: Listing) => void
}

/** Newest first. */
export function OwnListings({ Row, listGoods, onWithdrawn }: Props) {
  const { data, error, isPending, isFetching, refetch, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } =
    useInfiniteQuery(ownListingsQuery)
  useLiveListings(data?.pages.flatMap((page) => page.data.map(({ id }) => id)) ?? [])
  if (isPending) return <RowsSkeleton />
  if (!data) return <FailedState message={messageOf(error)} onRetry={() => void refetch()} isRetrying={isFetching} />

  const listings = data.pages.flatMap((page) => page.data)
  if (listings.length === 0) {
    return (
      <EmptyState icon={PackagePlus} title="You have no listings" action={listGoods}>
        <p>A photo, a weight and a price: it takes two minutes, and every yard on Yardbid sees it.</p>
      </EmptyState>
    )
  }
  return (
    <div className="grid justify-items-start gap-6">
      {listGoods}
      <ul className="w-full border-b border-line">
        {listings.map((listing) => (
          <li key={listing.id} className="border-t border-line">
            <Row listing={listing} action={canWithdraw(listing) && <Withdraw listing={listing} onWithdrawn={onWithdrawn} />} />
          </li>
        ))}
      </ul>
      {isFetchNextPageError && <p className="text-danger">{messageOf(error)}</p>}
      {hasNextPage && (
        <Button kind="plain" className="justify-self-center" onClick={() => void fetchNextPage()} isLoading={isFetchingNextPage}>
          Show more
        </Button>
      )}
    </div>
  )
}

const canWithdraw = ({ status }: Listing) => status.name === 'Active' || status.name === 'Processing'

function RowsSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading your listings…</span>
      {Array.from({ length: 4 }, (_, row) => (
        <div key={row} className="flex gap-4 border-t border-line py-4">
          <Skeleton className="h-20 w-26" />
          <Skeleton className="h-20 flex-1" />
        </div>
      ))}
    </div>
  )
}
