import { UK } from '#contract/values/limits.ts'
import { coordinatesOf, degrees, EARTH_RADIUS_MILES, mapSpot, milesBetween, radians, type Spot } from '#domain/search/uk-map.ts'

// The database makes the grid cells: an index of listing_search holds the number that map_cell() gives the coordinates of a listing,
// which are shown rounded to hundredths of a degree, so every listing lies exactly on a cell and the cells at any distance can be
// computed without reading the listings that are nearer (database/migrations/0011-cells.sql). This file computes their numbers.

/** All that lies between two distances from a spot, in miles, both included. */
export type Ring = { from: number; to: number }

/** A ring that begins at a distance and holds about `cells` cells: fewer in the south of the UK, more in the north. */
export const ringOf = (from: number, cells: number): Ring => ({
  from,
  to: Math.sqrt(from ** 2 + (cells * SQUARE_MILES_PER_CELL) / Math.PI),
})

/** The cell numbers of a ring, nearest first, in groups: the cells of a group are at the same distance. */
export function cellsOfRing(centre: Spot, { from, to }: Ring): number[][] {
  const cells = candidateCells(centre, {
    from: from * (1 - MAP_ERROR) - ROUNDING_MILES,
    to: to * (1 + MAP_ERROR) + ROUNDING_MILES,
  })
    .map(({ row, column }) => ({ cell: cellNumber(row, column), miles: milesBetween(centre, mapSpot(row / 100, column / 100)) }))
    .filter(({ miles }) => miles >= from - ROUNDING_MILES && miles <= to + ROUNDING_MILES)
    .sort((one, other) => one.miles - other.miles)
  const groups: number[][] = []
  for (const [nth, { cell, miles }] of cells.entries()) {
    if (miles - (cells[nth - 1]?.miles ?? -1) < ROUNDING_MILES) groups.at(-1)?.push(cell)
    else groups.push([cell])
  }
  return groups
}

const SQUARE_MILES_PER_CELL = 0.28
/** The database computes distances itself. Two that differ by less than this may be equal there, or in the other order. */
const ROUNDING_MILES = 1e-6
/** A distance on the ground differs from the distance on the map by at most this share. */
const MAP_ERROR = 0.004

/** In hundredths of a degree: the row is the latitude, the column the longitude. */
type Cell = { row: number; column: number }

/** The same number as the database's map_cell(). */
const cellNumber = (row: number, column: number) => row * 10_000 + column + 5_000

/**
 * Cells that may lie in a ring, by their distance on the ground, for which there is a formula. Row by row: the cells west of the
 * ring's hole, then the cells east of it.
 */
function candidateCells(centre: Spot, { from, to }: Ring): Cell[] {
  const { latitude, longitude } = coordinatesOf(centre)
  const height = degrees(to / EARTH_RADIUS_MILES)
  const cells: Cell[] = []
  const [south, north] = [Math.max(UK.south, latitude - height), Math.min(UK.north, latitude + height)]
  for (let row = Math.ceil(south * 100); row <= north * 100; row++) {
    const [inner, outer] = [halfWidth(latitude, row / 100, from), halfWidth(latitude, row / 100, to)]
    const west = Math.floor((longitude - inner) * 100)
    const east = Math.max(west + 1, Math.ceil((longitude + inner) * 100))
    for (let column = west; column >= Math.max(UK.west, longitude - outer) * 100; column--) cells.push({ row, column })
    for (let column = east; column <= Math.min(UK.east, longitude + outer) * 100; column++) cells.push({ row, column })
  }
  return cells
}

/** How many degrees a parallel runs east (or west) within a circle of so many miles round a place at `latitude`; the haversine formula. */
function halfWidth(latitude: number, parallel: number, miles: number): number {
  if (miles <= 0) return 0
  const chord = Math.sin(miles / EARTH_RADIUS_MILES / 2) ** 2 - Math.sin(radians(parallel - latitude) / 2) ** 2
  if (chord <= 0) return 0
  return degrees(2 * Math.asin(Math.min(1, Math.sqrt(chord / (Math.cos(radians(latitude)) * Math.cos(radians(parallel)))))))
}
