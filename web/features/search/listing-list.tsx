import { SearchX } from 'lucide-react'
import { messageOf } from '#web/api/api-error.ts'
import { CardSkeleton, cardGrid, ListingCard } from '#web/cards/listing-card.tsx'
import { emptyFilter, writeFilter, type Filter } from '#web/features/search/filter.ts'
import { useListings } from '#web/features/search/queries.ts'
import { isUnknownPlace, UnknownPlace } from '#web/features/search/unknown-place.tsx'
import { MorePages } from '#web/listing/more-pages.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState, FailedState } from '#web/ui/state.tsx'

type Props = { filter: Filter; onFilter: (filter: Filter) => void }

export function ListingList({ filter, onFilter }: Props) {
  const pages = useListings(filter)
  const { data, error, isPending, isFetching, refetch } = pages
  if (isPending) return <ListSkeleton />
  if (!data && isUnknownPlace(error)) return <UnknownPlace filter={filter} onFilter={onFilter} />
  if (!data) return <FailedState message={messageOf(error)} onRetry={() => refetch()} isRetrying={isFetching} />

  const listings = data.pages.flatMap((page) => page.data)
  if (listings.length === 0) return <NothingFound filter={filter} onFilter={onFilter} />
  const search = writeFilter(filter)
  return (
    <div className="grid gap-6">
      <ul className={cardGrid}>
        {listings.map((listing) => (
          <li key={listing.id}>
            <ListingCard listing={listing} search={search} />
          </li>
        ))}
      </ul>
      <MorePages pages={pages} />
    </div>
  )
}

function ListSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading listings…</span>
      <div className={cardGrid}>
        {Array.from({ length: 8 }, (_, card) => (
          <CardSkeleton key={card} />
        ))}
      </div>
    </div>
  )
}

function NothingFound({ filter, onFilter }: Props) {
  const isNarrowed = Object.keys(writeFilter({ ...filter, sort: emptyFilter.sort })).length > 0
  return (
    <EmptyState
      icon={SearchX}
      title={isNarrowed ? 'No listing matches' : 'No listings at the moment'}
      action={
        isNarrowed && (
          <Button kind="plain" onClick={() => onFilter({ ...emptyFilter, sort: filter.sort })}>
            Show all listings
          </Button>
        )
      }
    >
      <p>{isNarrowed ? 'Try another word, another material or a wider price.' : 'New ones come every working day. Look in again soon.'}</p>
    </EmptyState>
  )
}
