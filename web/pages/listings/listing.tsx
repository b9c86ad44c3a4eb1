import { useLocation, useParams } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { placeOf } from '#contract/values/places.ts'
import { ApiError, messageOf } from '#web/api/api-error.ts'
import { useLiveListing } from '#web/features/listings/queries.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { Heading } from '#web/page/page.tsx'
import { BackToList } from '#web/pages/listings/back-to-list.tsx'
import { ListingDetail } from '#web/pages/listings/listing-detail.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { FailedState } from '#web/ui/state.tsx'

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
  const isAmongOwn = useLocation({ select: ({ pathname }) => placeOf(pathname) === 'my-listing' })
  if (data && isAmongOwn && !data.is_owner) return <NotYours id={id} />
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

function NotYours({ id }: { id: string }) {
  return (
    <div className="grid justify-items-start gap-3">
      <SearchX className="size-8 text-copper" strokeWidth={1.5} aria-hidden="true" />
      <Heading className="text-28">This listing is not yours</Heading>
      <p className="text-16 text-muted">My listings shows what you sell yourself.</p>
      <PlaceLink to="listing" params={{ id }} className={buttonLook('plain')}>
        See it among all listings
      </PlaceLink>
    </div>
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
      <div className="grid gap-x-4 gap-y-6 lg:grid-cols-[11rem_minmax(0,1fr)]">
        <Skeleton className="aspect-4/3 max-md:-mx-4 max-md:rounded-none" />
        <div className="grid content-start gap-2 lg:pt-2">
          <Skeleton className="h-6 w-16" />
          <Skeleton className="h-8 w-3/5" />
        </div>
      </div>
      <Skeleton className="h-80 w-full" />
    </div>
  )
}
