import L from 'leaflet'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ListingMap as Found } from '#contract/search.ts'
import { MOST_MAP_POINTS } from '#contract/values/limits.ts'
import { formatPrice } from '#domain/format.ts'
import { messageOf } from '#web/api/api-error.ts'
import { Countdown } from '#web/cards/countdown.tsx'
import { clustersOf } from '#web/features/search/clusters.ts'
import { writeFilter, type Filter } from '#web/features/search/filter.ts'
import { useListingMap } from '#web/features/search/queries.ts'
import { drawBritain } from '#web/features/search/uk-map.ts'
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
      <Britain found={data ?? nothing} onMoved={onMoved} onChoose={(points) => setChosen(points.map(({ id }) => id))} />
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

type BritainProps = {
  found: Pick<Found, 'points' | 'clusters'>
  onMoved: (bounds: string) => void
  onChoose: (points: Point[]) => void
}

function Britain({ found, onMoved, onChoose }: BritainProps) {
  const element = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<L.Map>()
  const choose = useEffectEvent(onChoose)
  const moved = useEffectEvent(onMoved)

  useEffect(() => {
    if (!element.current) return
    const drawn = drawBritain(element.current)
    drawn.on('moveend', () => moved(boundsOf(drawn)))
    setMap(drawn)
    return () => void drawn.remove()
  }, [])

  useEffect(() => {
    if (!map) return
    const layer = L.layerGroup().addTo(map)
    const draw = () => {
      layer.clearLayers()
      for (const { points } of clustersOf(found.points, (point) => map.project(placeOf(point)))) {
        marker(placeOf(points[0] as Point), nameOf(points), () => choose(points)).addTo(layer)
      }
      for (const cluster of found.clusters) {
        const zoomIn = () => map.setView(placeOf(cluster), map.getZoom() + 2)
        marker(placeOf(cluster), severalAs(cluster.count, 'here'), zoomIn).addTo(layer)
      }
    }
    draw()
    map.on('zoomend', draw)
    return () => {
      map.off('zoomend', draw)
      layer.remove()
    }
  }, [map, found])

  return <div ref={element} className="h-[min(70dvh,44rem)] min-h-80 w-full rounded-base border border-line bg-sunken" />
}

const boundsOf = (map: L.Map): string => {
  const bounds = map.getBounds()
  return [bounds.getSouth(), bounds.getWest(), bounds.getNorth(), bounds.getEast()].map((degrees) => degrees.toFixed(3)).join(',')
}

const placeOf = ({ latitude, longitude }: { latitude: number; longitude: number }): L.LatLngTuple => [latitude, longitude]

type Name = { text: string; spoken: string; isSeveral: boolean }

const severalAs = (count: number, where: string): Name => ({
  text: count.toLocaleString('en-GB'),
  spoken: `${count} listings ${where}`,
  isSeveral: true,
})

function nameOf(points: readonly Point[]): Name {
  const [first] = points as [Point, ...Point[]]
  if (points.length > 1) return severalAs(points.length, `near ${first.town}`)
  const text = formatPrice(first.price.value, first.price_basis)
  return { text, spoken: `${first.title}, ${first.town}, ${text}`, isSeveral: false }
}

function marker(at: L.LatLngTuple, { text, spoken, isSeveral }: Name, onClick: () => void): L.Marker {
  const label = document.createElement('span')
  label.textContent = text
  if (isSeveral) label.className = 'is-several'
  const made = L.marker(at, { icon: L.divIcon({ className: 'map-marker', html: label, iconSize: undefined }), riseOnHover: true })
  made.on('click', onClick).on('add', () => made.getElement()?.setAttribute('aria-label', spoken))
  // Leaflet calls it a button, but tells only of keys
  return made.on(
    'keydown',
    ({ originalEvent }) => ['Enter', ' '].includes(originalEvent.key) && (originalEvent.preventDefault(), onClick()),
  )
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
