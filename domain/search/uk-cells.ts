import { UK } from '#contract/values/limits.ts'
import { degrees, mapSpot, milesBetween, placeOf, radians, type Spot } from '#domain/search/uk-map.ts'

// Listings are shown, and so found, at hundredths of a degree: each such place is a cell. Few of them lie at any distance, and which
// ones is worked out here without looking at what is nearer.

/** In miles from somewhere, both ends included. */
export type Ring = { from: number; to: number }

/** A ring from this distance on that holds about so many cells: fewer in the south of the UK, more in the north. */
export const ringOf = (from: number, cells: number): Ring => ({ from, to: Math.sqrt(from ** 2 + (cells * SQUARE_MILES) / Math.PI) })

/** The cells of a ring, nearest first, as map_cell() of the database counts them. Those at the same distance are together. */
export function cellsOfRing(near: Spot, { from, to }: Ring): number[][] {
  const cells = candidates(near, { from: from * (1 - OFF) - SLACK, to: to * (1 + OFF) + SLACK })
    .map(({ row, column }) => ({ cell: row * 10_000 + column + 5_000, miles: milesBetween(near, mapSpot(row / 100, column / 100)) }))
    .filter(({ miles }) => miles >= from - SLACK && miles <= to + SLACK)
    .sort((one, other) => one.miles - other.miles)
  const together: number[][] = []
  for (const [nth, { cell, miles }] of cells.entries()) {
    if (miles - (cells[nth - 1]?.miles ?? -1) < SLACK) together.at(-1)?.push(cell)
    else together.push([cell])
  }
  return together
}

const SQUARE_MILES = 0.28
/** The database works out distances by itself: what differs by less may be the other way round there, or the same. */
const SLACK = 1e-6
/** Distances on the ground are those of the map but for this. */
const OFF = 0.004
const EARTH_MILES = 3958.8

type Cell = { row: number; column: number }

/** Row by row, by distances on the ground, for which there is a formula: to the west of the ring's hole, and to the east of it. */
function candidates(near: Spot, { from, to }: Ring): Cell[] {
  const { latitude, longitude } = placeOf(near)
  const reach = degrees(to / EARTH_MILES)
  const cells: Cell[] = []
  const [south, north] = [Math.max(UK.south, latitude - reach), Math.min(UK.north, latitude + reach)]
  for (let row = Math.ceil(south * 100); row <= north * 100; row++) {
    const [hole, end] = [halfWidth(latitude, row / 100, from), halfWidth(latitude, row / 100, to)]
    const west = Math.floor((longitude - hole) * 100)
    const east = Math.max(west + 1, Math.ceil((longitude + hole) * 100))
    for (let column = west; column >= Math.max(UK.west, longitude - end) * 100; column--) cells.push({ row, column })
    for (let column = east; column <= Math.min(UK.east, longitude + end) * 100; column++) cells.push({ row, column })
  }
  return cells
}

/** How many degrees of longitude a parallel runs within so many miles of a place on another, to one side; the haversine formula. */
function halfWidth(latitude: number, parallel: number, miles: number): number {
  if (miles <= 0) return 0
  const reach = Math.sin(miles / EARTH_MILES / 2) ** 2 - Math.sin(radians(parallel - latitude) / 2) ** 2
  if (reach <= 0) return 0
  return degrees(2 * Math.asin(Math.min(1, Math.sqrt(reach / (Math.cos(radians(latitude)) * Math.cos(radians(parallel)))))))
}
