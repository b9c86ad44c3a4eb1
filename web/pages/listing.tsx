import { useLocation, useParams } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import type { Listing } from '#contract/listings.ts'
import { ApiError, messageOf } from '#web/api-error.ts'
import { BidBox } from '#web/features/bids/bid-box.tsx'
import { BidHistory } from '#web/features/bids/bid-history.tsx'
import { Cover } from '#web/features/listings/cover.tsx'
import { Photos } from '#web/features/listings/photos.tsx'
import { ListingFacts } from '#web/features/listings/listing-facts.tsx'
import { keepListing, refetchListing, useLiveListing } from '#web/features/listings/queries.ts'
import { StatusLabel } from '#web/features/listings/status-label.tsx'
import { BackToList } from '#web/pages/back-to-list.tsx'
import { Heading } from '#web/shell/page.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { FailedState } from '#web/ui/state.tsx'

export default function ListingPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return (
    <article className="relative grid content-start gap-6 max-md:pb-24">
      <BackToList />
      <Shown key={id} id={id} />
    </article>
  )
}

function Shown({ id }: { id: string }) {
  const { data, error, refetch, isFetching } = useLiveListing(id)
  if (data) return <Detail listing={data} />
  if (error instanceof ApiError && error.status === 404) return <NoSuchListing />
  if (!error) return <DetailSkeleton />
  return (
    <>
      <Heading className="text-28">This listing did not load</Heading>
      <FailedState message={messageOf(error)} onRetry={() => refetch()} isRetrying={isFetching} />
    </>
  )
}

function Detail({ listing }: { listing: Listing }) {
  const here = useLocation({ select: ({ href }) => href })
  const { id, title, description, status } = listing
  return (
    <>
      <div className="grid gap-x-4 gap-y-6 lg:grid-cols-[11rem_minmax(0,1fr)]">
        <Cover
          listing={listing}
          sizes="(min-width: 64rem) 12rem, 100vw"
          isEager
          className={`rounded-base max-md:-mx-4 max-md:rounded-none ${listing.media.length === 0 ? 'max-md:aspect-2/1' : ''}`}
        />
        <div className="grid content-start justify-items-start gap-2 lg:pt-2">
          <StatusLabel status={status} />
          <Heading className="text-28">{title}</Heading>
        </div>
      </div>
      <BidBox listing={listing} here={here} onPlaced={keepListing} onRefused={() => void refetchListing(id)} />
      <Photos media={listing.media} />
      <section aria-labelledby="description" className="grid gap-2">
        <h2 id="description" className="text-16">
          Description
        </h2>
        <p className="text-16 whitespace-pre-line wrap-anywhere">{description}</p>
      </section>
      <ListingFacts listing={listing} />
      <BidHistory listing={listing} />
    </>
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
