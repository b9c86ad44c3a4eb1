import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#web/api/api.ts'
import { hearServerTime } from '#web/api/server-clock.ts'
import { CardSkeleton, cardGrid, ListingCard } from '#web/cards/listing-card.tsx'
import { useLiveListings } from '#web/live/listings.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'

const SHOWN = 8
const REFETCH_EVERY_MS = 60_000

// asked for again while it is looked at: what has ended makes room. Prices arrive live
const endingSoonQuery = queryOptions({
  queryKey: ['ending-soon'],
  queryFn: async ({ signal }) => {
    const { data } = await call('GET /api/v1/listings', { query: { per_page: SHOWN }, signal })
    if (data[0]) hearServerTime(data[0].server_time)
    return data
  },
  refetchInterval: REFETCH_EVERY_MS,
  staleTime: 0,
})

/** The next to end, for who is not looking for anything yet. Without any, or while they cannot be had, nothing. */
export function EndingSoon() {
  const { data, isPending } = useQuery(endingSoonQuery)
  useLiveListings(data?.map(({ id }) => id) ?? [])
  if (!isPending && !data?.length) return null
  return (
    <section aria-labelledby="ending" className="grid gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id="ending" className="tabular text-28">
          Ending soon
        </h2>
        <PlaceLink to="listings" className="link inline-flex min-h-11 items-center">
          All listings
        </PlaceLink>
      </div>
      <div className="@container" aria-busy={isPending}>
        <ul className={cardGrid}>
          {data
            ? data.map((listing) => (
                <li key={listing.id}>
                  <ListingCard listing={listing} search={{}} />
                </li>
              ))
            : Array.from({ length: SHOWN }, (_, card) => (
                <li key={card}>
                  <CardSkeleton />
                </li>
              ))}
        </ul>
      </div>
    </section>
  )
}
