import L from 'leaflet'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { messageOf } from '#web/api-error.ts'
import { Countdown } from '#web/countdown.tsx'
import { clustersOf } from '#web/features/listings/clusters.ts'
import { writeFilter, type Filter } from '#web/features/listings/filter.ts'
import { useMapPoints, type MapPoint } from '#web/features/listings/queries.ts'
import { drawBritain } from '#web/features/listings/uk-map.ts'
import { formatPence, formatPrice } from '#web/money.ts'
import { PlaceLink } from '#web/place-link.tsx'
import { FailedState } from '#web/ui/state.tsx'

/** Where the goods lie, to about a mile: a marker per place, with what is there beside the map. */
export default function ListingMap({ filter }: { filter: Filter }) {
  const { data, error, refetch, isFetching } = useMapPoints(filter)
  const [chosen, setChosen] = useState<readonly string[]>([])
  if (!data && error) return <FailedState message={messageOf(error)} onRetry={() => refetch()} isRetrying={isFetching} />
  const points = data?.points ?? []
  const shown = points.filter(({ id }) => chosen.includes(id))
  return (
    <section aria-label="Map of listings" className="grid gap-4">
      <Britain points={points} onChoose={(some) => setChosen(some.map(({ id }) => id))} />
      <p role="status" className="text-muted">
        {data ? foundInWords(data.total, points.length) : 'Loading the map…'}
      </p>
      {shown.length > 0 && <Chosen points={shown} search={writeFilter(filter)} />}
    </section>
  )
}

function foundInWords(total: number, onMap: number): string {
  if (total === 0) return 'No listing matches.'
  const rest = total > onMap ? ` The ${onMap} that end soonest are on the map: narrow the list to see the others.` : ''
  return `${total} ${total === 1 ? 'listing' : 'listings'}. Choose a place to see what lies there.${rest}`
}

type BritainProps = { points: readonly MapPoint[]; onChoose: (points: MapPoint[]) => void }

function Britain({ points, onChoose }: BritainProps) {
  const element = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<L.Map>()
  const choose = useEffectEvent(onChoose)

  useEffect(() => {
    if (!element.current) return
    const drawn = drawBritain(element.current)
    setMap(drawn)
    return () => void drawn.remove()
  }, [])

  useEffect(() => {
    if (!map) return
    const layer = L.layerGroup().addTo(map)
    const draw = () => {
      layer.clearLayers()
      for (const { points: here } of clustersOf(points, (point) => map.project(placeOf(point)))) markerOf(here, choose).addTo(layer)
    }
    draw()
    map.on('zoomend', draw)
    return () => {
      map.off('zoomend', draw)
      layer.remove()
    }
  }, [map, points])

  return <div ref={element} className="h-[min(70dvh,44rem)] min-h-80 w-full rounded-base border border-line bg-sunken" />
}

const placeOf = ({ latitude, longitude }: MapPoint): L.LatLngTuple => [latitude, longitude]

function markerOf(points: MapPoint[], onChoose: (points: MapPoint[]) => void): L.Marker {
  const [first] = points as [MapPoint, ...MapPoint[]]
  const label = document.createElement('span')
  label.textContent = points.length === 1 ? formatPrice(first.price.value, first.price_basis) : String(points.length)
  if (points.length > 1) label.setAttribute('aria-label', `${points.length} listings near ${first.town}`)
  const icon = L.divIcon({ className: points.length === 1 ? 'map-price' : 'map-count', html: label, iconSize: undefined })
  return L.marker(placeOf(first), { icon, riseOnHover: true }).on('click', () => onChoose(points))
}

function Chosen({ points, search }: { points: MapPoint[]; search: Record<string, string> }) {
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
            <span className="tabular text-20">{price_basis === 'tonne' ? formatPrice(price.value, price_basis) : formatPence(price.value)}</span>
            <span className="truncate text-muted">{town}</span>
            <Countdown expires_at={expires_at} />
          </PlaceLink>
        </li>
      ))}
    </ul>
  )
}
