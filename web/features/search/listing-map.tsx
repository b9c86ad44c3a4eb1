import { useState } from 'react'
import type { ListingMap as Found } from '#contract/search.ts'
import { MOST_MAP_POINTS } from '#contract/values/limits.ts'
import { formatPrice } from '#domain/format.ts'
import { messageOf } from '#web/api/api-error.ts'
import { Countdown } from '#web/cards/countdown.tsx'
import { writeFilter, type Filter } from '#web/features/search/filter.ts'
import { useListingMap } from '#web/features/search/queries.ts'
import { Britain, type MarkerName } from '#web/map/britain.tsx'
import { isUnknownPlace, UnknownPlace } from '#web/features/search/unknown-place.tsx'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { FailedState } from '#web/ui/state.tsx'

type Point = Found['points'][number]

/** Where the goods lie, to about a mile: a marker per place, with what is there below the map. */
export default function ListingMap({ filter, onFilter }: { filter: Filter; onFilter: (filter: Filter) => void }) {
  const [bounds, setBounds] = useState<string | null>(null)
  const { data, error, refetch, isFetching } = useListingMap(filter, bounds)
  const [chosen, setChosen] = useState<readonly string[]>([])
  // what was shown before is not round this post code
  if (isUnknownPlace(error)) return <UnknownPlace filter={filter} onFilter={onFilter} />
  if (!data && error) return <FailedState message={messageOf(error)} onRetry={() => refetch()} isRetrying={isFetching} />
  const shown = data?.points.filter(({ id }) => chosen.includes(id)) ?? []
  // the whole country in single points needs no second look when it is moved
  const onMoved = (next: string) => (bounds !== null || data?.clusters.length ? setBounds(next) : undefined)
  return (
    <section aria-label="Map of listings" className="grid gap-4">
      <Britain
        points={(data ?? nothing).points}
        clusters={(data ?? nothing).clusters}
        nameOf={nameOf}
        nameOfCluster={(count) => severalAs(count, 'here')}
        onMoved={onMoved}
        onChoose={(points) => setChosen(points.map(({ id }) => id))}
      />
      <p role="status" className="text-muted">
        {data ? inWords(data) : 'Loading the map…'}
      </p>
      {shown.length > 0 && <Chosen points={shown} search={writeFilter(filter)} />}
    </section>
  )
}

const nothing: Pick<Found, 'points' | 'clusters'> = { points: [], clusters: [] }

function inWords({ points, clusters, is_complete }: Found): string {
  const count = points.length + clusters.reduce((sum, cluster) => sum + cluster.count, 0)
  if (count === 0) return 'No listing matches here.'
  const many = `${is_complete ? '' : 'More than '}${count.toLocaleString('en-GB')} ${count === 1 ? 'listing' : 'listings'}.`
  return clusters.length > 0
    ? `${many} Zoom in, or narrow the search below ${MOST_MAP_POINTS.toLocaleString('en-GB')}, to see them one by one.`
    : `${many} Choose a place to see what lies there.`
}

const severalAs = (count: number, where: string): MarkerName => ({
  text: count.toLocaleString('en-GB'),
  spoken: `${count} listings ${where}`,
  isSeveral: true,
})

function nameOf(points: readonly Point[]): MarkerName {
  const [first] = points as [Point, ...Point[]]
  if (points.length > 1) return severalAs(points.length, `near ${first.town}`)
  const text = formatPrice(first.price.value, first.price_basis)
  return { text, spoken: `${first.title}, ${first.town}, ${text}`, isSeveral: false }
}

function Chosen({ points, search }: { points: Point[]; search: Record<string, string> }) {
  return (
    <ul aria-label="Listings at this place" className="border-y border-line">
      {points.map(({ id, title, town, price, price_basis, expires_at }) => (
        <li key={id} className="border-t border-line first:border-t-0">
          <PlaceLink
            to="listing"
            params={{ id }}
            search={{ ...search, view: 'map' }}
            resetScroll={false}
            className="group grid min-h-14 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 py-2"
          >
            <span className="truncate font-strong group-hover:text-primary">{title}</span>
            <span className="tabular text-right text-20">{formatPrice(price.value, price_basis)}</span>
            <span className="truncate text-muted">{town}</span>
            <span className="justify-self-end">
              <Countdown expires_at={expires_at} />
            </span>
          </PlaceLink>
        </li>
      ))}
    </ul>
  )
}
