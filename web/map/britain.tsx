import L from 'leaflet'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { clustersOf } from '#web/map/clusters.ts'
import { drawBritain } from '#web/map/uk-map.ts'

type Place = { latitude: number; longitude: number }

/** What a marker says, and what a screen reader is told. */
export type MarkerName = { text: string; spoken: string; isSeveral: boolean; look?: string }

type Props<P extends Place> = {
  points: readonly P[]
  /** Of more points than can be told apart: where, and how many. */
  clusters?: readonly (Place & { count: number })[]
  /** Points that would cover one another have one name. */
  nameOf: (points: readonly P[]) => MarkerName
  nameOfCluster?: (count: number) => MarkerName
  /** `south,west,north,east` of what is shown now. */
  onMoved?: (bounds: string) => void
  onChoose: (points: P[]) => void
}

const none: never[] = []

/** The map of the UK with markers that can be chosen by hand and by keyboard. */
export function Britain<P extends Place>({ points, clusters = none, nameOf, nameOfCluster, onMoved, onChoose }: Props<P>) {
  const element = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<L.Map>()
  const choose = useEffectEvent(onChoose)
  const moved = useEffectEvent((bounds: string) => onMoved?.(bounds))
  const name = useEffectEvent(nameOf)
  const nameCluster = useEffectEvent((count: number) => nameOfCluster?.(count))

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
      for (const { points: near } of clustersOf(points, (point) => map.project(placeOf(point)))) {
        marker(placeOf(near[0] as P), name(near), () => choose(near)).addTo(layer)
      }
      for (const cluster of clusters) {
        const zoomIn = () => map.setView(placeOf(cluster), map.getZoom() + 2)
        const named = nameCluster(cluster.count)
        if (named) marker(placeOf(cluster), named, zoomIn).addTo(layer)
      }
    }
    draw()
    map.on('zoomend', draw)
    return () => {
      map.off('zoomend', draw)
      layer.remove()
    }
  }, [map, points, clusters])

  return <div ref={element} className="h-[min(70dvh,44rem)] min-h-80 w-full rounded-base border border-line bg-sunken" />
}

const boundsOf = (map: L.Map): string => {
  const bounds = map.getBounds()
  return [bounds.getSouth(), bounds.getWest(), bounds.getNorth(), bounds.getEast()].map((degrees) => degrees.toFixed(3)).join(',')
}

const placeOf = ({ latitude, longitude }: Place): L.LatLngTuple => [latitude, longitude]

function marker(at: L.LatLngTuple, { text, spoken, isSeveral, look = '' }: MarkerName, onClick: () => void): L.Marker {
  const label = document.createElement('span')
  label.textContent = text
  label.className = [isSeveral ? 'is-several' : '', look].filter(Boolean).join(' ')
  const made = L.marker(at, { icon: L.divIcon({ className: 'map-marker', html: label, iconSize: undefined }), riseOnHover: true })
  made.on('click', onClick).on('add', () => made.getElement()?.setAttribute('aria-label', spoken))
  // Leaflet calls it a button, but tells only of keys
  return made.on(
    'keydown',
    ({ originalEvent }) => ['Enter', ' '].includes(originalEvent.key) && (originalEvent.preventDefault(), onClick()),
  )
}
