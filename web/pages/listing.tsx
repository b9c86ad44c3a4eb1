import { useLocation, useParams, useSearch } from '@tanstack/react-router'
import { ArrowLeft, SearchX, X } from 'lucide-react'
import { placeOf, type Place } from '#contract/places.ts'
import { ApiError, messageOf } from '#web/api-error.ts'
import { useLiveListing } from '#web/features/listings/queries.ts'
import { ListingDetail } from '#web/pages/listing-detail.tsx'
import { PlaceLink } from '#web/place-link.tsx'
import { Heading } from '#web/shell/page.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { FailedState } from '#web/ui/state.tsx'
import { useIsWide } from '#web/use-is-wide.ts'

export default function ListingPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return (
    <article className="@container relative grid content-start gap-6 max-md:pb-24">
      <BackToList />
      <Shown key={id} id={id} />
    </article>
  )
}

function Shown({ id }: { id: string }) {
  const { data, error, refetch, isFetching } = useLiveListing(id)
  if (data) return <ListingDetail listing={data} />
  if (error instanceof ApiError && error.status === 404) return <NoSuchListing />
  if (!error) return <DetailSkeleton />
  return (
    <>
      <Heading className="text-28">This listing did not load</Heading>
      <FailedState message={messageOf(error)} onRetry={() => refetch()} isRetrying={isFetching} />
    </>
  )
}

/** By the place that the listing is shown in: the list it is one of. */
const lists: Partial<Record<Place, { to: Place; label: string }>> = {
  'my-listing': { to: 'my-listings', label: 'My listings' },
  'activity-listing': { to: 'activity', label: 'Activity' },
}

/** Back on a phone and from a page of its own, away from beside the list; the filter stays. */
function BackToList() {
  const isWide = useIsWide()
  const search = useSearch({ strict: false }) as Record<string, string>
  const place = placeOf(useLocation({ select: ({ pathname }) => pathname }))
  const list = place && lists[place]
  const isPanel = isWide && !list
  const Icon = isPanel ? X : ArrowLeft
  return (
    <PlaceLink
      to={list?.to ?? 'listings'}
      isExact
      {...(!list && { search })}
      resetScroll={!isPanel}
      className={buttonLook('quiet', isPanel ? 'absolute -top-1 -right-4 z-10' : '-my-3 -ml-4 justify-self-start')}
    >
      <Icon className="size-4" aria-hidden="true" />
      {list?.label ?? (isPanel ? 'Close' : 'All listings')}
    </PlaceLink>
  )
}

function NoSuchListing() {
  return (
    <div className="grid justify-items-start gap-3">
      <SearchX className="size-8 text-copper" strokeWidth={1.5} aria-hidden="true" />
      <Heading className="text-28">There is no such listing</Heading>
      <p className="text-16 text-muted">The address may be mistyped, or the listing was taken down.</p>
    </div>
  )
}

function DetailSkeleton() {
  return (
    <div role="status" className="grid gap-6">
      <span className="sr-only">Loading the listing…</span>
      <Skeleton className="aspect-4/3 w-full" />
      <Skeleton className="h-8 w-4/5" />
      <Skeleton className="h-60 w-full" />
    </div>
  )
}
