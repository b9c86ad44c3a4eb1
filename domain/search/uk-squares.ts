import { milesBetween, type Area, type Spot } from '#domain/search/uk-map.ts'

// Squares of 4 and 16 miles, for finding the listings of a circle or a box by the few square numbers that cover it. The database gives
// each listing its square number (map_square() in database/migrations/0007-search.sql, one index per size); this file computes which
// squares cover an area. Two other grids exist: cells (uk-cells.ts) order listings by distance; tiles (server/features/search/map.ts)
// group the markers that the map shows.

/** Square numbers, all for the same side length in miles. */
export type SquareCover = { side: number; squares: number[] }

/** In miles; one index of the database each. */
const sides = [4, 16] as const
// smaller squares cover less outside the area, but every square is one more index lookup
const MAX_SQUARES_ACROSS = 20

/** Covers an area with the smallest squares that are not too many. Undefined for an area of more than 320 miles across. */
export function squaresOfArea(
  { west, south, east, north }: Area,
  isIncluded: (square: Area) => boolean = () => true,
): SquareCover | undefined {
  const length = Math.max(east - west, north - south)
  const side = sides.find((each) => length / each <= MAX_SQUARES_ACROSS)
  if (!side) return undefined
  const squares: number[] = []
  for (let column = Math.floor(west / side); column * side <= east; column++) {
    for (let row = Math.floor(south / side); row * side <= north; row++) {
      const square = { west: column * side, south: row * side, east: (column + 1) * side, north: (row + 1) * side }
      if (isIncluded(square)) squares.push(squareNumber(column, row))
    }
  }
  return { side, squares }
}

/** Covers a circle, without the squares in the corners that the circle does not reach. */
export const squaresOfCircle = ({ x, y }: Spot, radiusMiles: number): SquareCover | undefined =>
  squaresOfArea(
    { west: x - radiusMiles, south: y - radiusMiles, east: x + radiusMiles, north: y + radiusMiles },
    ({ west, south, east, north }) => {
      const nearest = { x: clamp(x, west, east), y: clamp(y, south, north) }
      return milesBetween({ x, y }, nearest) <= radiusMiles + 0.001
    },
  )

/** The same number as the database's map_square(). */
const squareNumber = (column: number, row: number) => (column + 1_000) * 10_000 + row + 5_000

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most)
