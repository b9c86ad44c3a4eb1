import { useParams } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { ApiError, messageOf } from '#web/api-error.ts'
import { useLiveListing } from '#web/features/listings/queries.ts'
import { BackToList } from '#web/pages/back-to-list.tsx'
import { ListingDetail } from '#web/pages/listing-detail.tsx'
import { Heading } from '#web/shell/page.tsx'
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
