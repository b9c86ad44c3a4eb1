import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { Listing } from '#contract/listings.ts'
import type { ListingEvent } from '#contract/sales/sales.ts'
import { extensionWords } from '#domain/bids/history.ts'
import { formatMoment } from '#domain/format-time.ts'
import { messageOf } from '#web/api/api-error.ts'
import { call } from '#web/api/api.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { FailedState } from '#web/ui/state.tsx'

type Extension = { id: string; at: string; extended_to: string }

/** What has happened to the listing, the newest first. Late bids that arrived live are `extensions` before the timeline is asked for again. */
export function Timeline({ listing, extensions }: { listing: Listing; extensions: readonly Extension[] }) {
  const { data: read, error, refetch, isFetching } = useQuery(eventsQuery(listing))
  const data = read && withExtensions(read, extensions)
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
                {by} · <time dateTime={at}>{formatMoment(new Date(at))}</time>
              </p>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function withExtensions(read: readonly ListingEvent[], extensions: readonly Extension[]): ListingEvent[] {
  const last = read.at(-1)?.at ?? ''
  const fresh = extensions
    .filter(({ id, at }) => at >= last && read.every((event) => event.id !== id))
    .map(({ id, at, extended_to }) => ({
      id,
      name: 'late_bid',
      label: extensionWords(new Date(extended_to)),
      by: 'Yardbid',
      reason: null,
      at,
    }))
  return [...read, ...fresh.toReversed()]
}

/**
 * The timeline is as new as the listing: one that stands elsewhere by now asks for it. A bid is no step, so that the many who
 * watch a listing run do not all ask at each.
 */
const eventsQuery = ({ id, version, status, notes, is_owner }: Listing) =>
  queryOptions({
    queryKey: ['events', id, status.name, notes.length, status.name === 'Active' && !is_owner ? 'running' : version],
    queryFn: async ({ signal }) => (await call('GET /api/v1/listings/{id}/events', { params: { id }, signal })).data,
    placeholderData: keepPreviousData,
  })
