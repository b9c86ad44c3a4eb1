import { useQuery } from '@tanstack/react-query'
import type { Listing } from '#contract/listings.ts'
import { messageOf } from '#web/api-error.ts'
import { when } from '#web/features/deal/moment.ts'
import { eventsQuery } from '#web/features/deal/queries.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { FailedState } from '#web/ui/state.tsx'

/** What has happened to the listing, the newest first. */
export function Timeline({ listing }: { listing: Listing }) {
  const { data, error, refetch, isFetching } = useQuery(eventsQuery(listing))
  if (data?.length === 0) return null
  return (
    <section aria-labelledby="timeline" className="grid gap-3">
      <h2 id="timeline" className="text-16">
        Timeline
      </h2>
      {!data && error && <FailedState message={messageOf(error)} onRetry={() => void refetch()} isRetrying={isFetching} />}
      {!data && !error && <Skeleton className="h-24 w-full" />}
      {data && (
        <ol className="grid">
          {data.toReversed().map(({ id, label, by, reason, at }, nth) => (
            <li key={id} className="relative grid gap-1 border-l-2 border-line pb-4 pl-5 last:pb-0">
              <span
                className={`absolute top-1.5 -left-[5px] size-2 rounded-full ${nth === 0 ? 'bg-copper' : 'bg-control'}`}
                aria-hidden="true"
              />
              <p>{label}</p>
              {reason && <p className="text-muted whitespace-pre-line wrap-anywhere">“{reason}”</p>}
              <p className="text-12 text-muted">
                {by} · <time dateTime={at}>{when(at)}</time>
              </p>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
