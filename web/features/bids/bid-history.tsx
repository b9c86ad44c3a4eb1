import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Listing } from '#contract/listings.ts'
import { extensionWords } from '#domain/bids/history.ts'
import { formatPence, formatPrice } from '#domain/format.ts'
import { inLondon } from '#domain/format-time.ts'
import { messageOf } from '#web/api/api-error.ts'
import { useViewerId } from '#web/api/session.ts'
import { PriceChart } from '#web/features/bids/price-chart.tsx'
import { bidsQuery, pricesOf } from '#web/features/bids/queries.ts'
import { ShowMore } from '#web/ui/show-more.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { FailedState } from '#web/ui/state.tsx'

const moment = inLondon({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** Everybody sees amounts, times and 'Bidder 3'; the owner sees the company (RULES §3.7). */
export function BidHistory({ listing }: { listing: Listing }) {
  return (
    <section aria-labelledby="bids" className="grid gap-3">
      <h2 id="bids" className="text-16">
        Bids
      </h2>
      <History listing={listing} />
    </section>
  )
}

function History({ listing: { id, status, bid_count, start_price, price_basis } }: { listing: Listing }) {
  const isActive = status.name === 'Active'
  const viewer = useViewerId()
  const query = useInfiniteQuery({ ...bidsQuery(id, viewer), enabled: bid_count > 0 })
  const { error, refetch, isFetching, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const rows = query.data?.pages.flatMap(({ data }) => data)
  // a bid that did not arrive live, or whose bidder only the owner may know
  const missed = rows === undefined ? 0 : bid_count - (rows[0]?.seq ?? 0)
  useEffect(() => {
    if (missed > 0) void refetch()
  }, [missed, refetch])
  if (bid_count === 0)
    return <p className="text-muted">No bids yet. The first one opens at {formatPrice(start_price.value, price_basis)}.</p>
  if (!rows && error) return <FailedState message={messageOf(error)} onRetry={() => refetch()} isRetrying={isFetching} />
  if (!rows) return <Skeleton className="h-40 w-full" />
  return (
    <>
      <PriceChart start={start_price.value} points={pricesOf(rows)} count={bid_count} />
      <ol className="border-y border-line">
        {rows.map(({ id: rowId, bidder, is_mine, amount, is_automatic, is_leading_after, accepted_at, extended_to }, nth) => (
          <li key={rowId} className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 border-t border-line py-2 first:border-t-0">
            <span className="truncate">
              {is_mine ? <strong>You</strong> : bidder}
              {is_automatic && <span className="text-muted">, automatic bid</span>}
              {nth === 0 && is_leading_after && <span className="text-muted">, {isActive ? 'leading' : 'highest bid'}</span>}{' '}
              <time className="block text-12 text-muted" dateTime={accepted_at}>
                {moment.format(new Date(accepted_at))}
              </time>
              {extended_to && <span className="block text-12 text-muted">{extensionWords(new Date(extended_to))}</span>}
            </span>
            <span className="tabular text-20">{formatPence(amount.value)}</span>
          </li>
        ))}
      </ol>
      {hasNextPage && <ShowMore onMore={() => void fetchNextPage()} isLoading={isFetchingNextPage} isByItself={false} />}
    </>
  )
}
