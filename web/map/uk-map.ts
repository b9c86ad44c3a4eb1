import L from 'leaflet'
import 'leaflet/dist/leaflet.css'
import outline from '#web/map/uk-outline.json'
import '#web/styles/map.css'

// The coast is ours (Natural Earth, public domain), so that nobody else learns where a merchant looks. Towns are for orientation.

const towns: [name: string, latitude: number, longitude: number][] = [
  ['Aberdeen', 57.15, -2.1],
  ['Belfast', 54.6, -5.93],
  ['Birmingham', 52.48, -1.9],
  ['Bristol', 51.45, -2.59],
  ['Cardiff', 51.48, -3.18],
  ['Edinburgh', 55.95, -3.19],
  ['Glasgow', 55.86, -4.25],
  ['Inverness', 57.48, -4.22],
  ['Leeds', 53.8, -1.55],
  ['London', 51.51, -0.13],
  ['Manchester', 53.48, -2.24],
  ['Newcastle', 54.97, -1.61],
  ['Norwich', 52.63, 1.3],
  ['Plymouth', 50.37, -4.14],
  ['Southampton', 50.9, -1.4],
]

const britain = L.latLngBounds([49.9, -8.2], [58.7, 1.8])
const furthest = L.latLngBounds([47, -16], [63, 8])

export function drawBritain(element: HTMLElement): L.Map {
  const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  const map = L.map(element, {
    attributionControl: false,
    minZoom: 4,
    maxZoom: 11,
    // between whole steps: the country fills whatever the screen offers
    zoomSnap: 0.25,
    maxBounds: furthest,
    zoomAnimation: !still,
    fadeAnimation: !still,
    markerZoomAnimation: !still,
  })
  map.fitBounds(britain)
  const land = (rings: number[][][], className: string) =>
    rings.map((ring) => L.polygon(ring as L.LatLngTuple[], { className, interactive: false }).addTo(map))
  land(outline.other, 'map-elsewhere')
  land(outline.uk, 'map-land')
  // under the markers, whichever stands further north
  map.createPane('towns').classList.add('map-towns')
  for (const [name, latitude, longitude] of towns) {
    const icon = L.divIcon({ className: 'map-town', html: `<span>${name}</span>`, iconSize: undefined })
    L.marker([latitude, longitude], { pane: 'towns', interactive: false, keyboard: false, icon }).addTo(map)
  }
  return map
}
