import { milesBetween, type Spot } from '#domain/search/uk-map.ts'

// Which preferences may reach a place, found by one index. A preference is a circle on the map. It is filed once, under the square that
// holds its centre, on the level whose squares are just as wide as its radius or wider (each level √2 times wider than the one before).
// So a place lies in the circle only if the circle's square is the place's own or one beside it on that level: at most nine squares on
// each of the levels are looked up, however many preferences there are. What is found there is between 3 and 6 times what matches; the
// distance is then compared exactly.

/** Miles: the squares of the lowest level, for radii of up to so many. */
const LEAST_SIDE = 4
const LEVELS = 15
/** Preferences without a radius: the whole country. */
const EVERYWHERE = 0

const sideOf = (level: number) => LEAST_SIDE * Math.SQRT2 ** level

/** Where a preference is filed. */
export function cellOfPreference(centre: Spot | null, radiusMiles: number | null): number {
  if (!centre || radiusMiles === null) return EVERYWHERE
  for (let level = 0; level < LEVELS; level++) {
    const side = sideOf(level)
    if (radiusMiles <= side) return cellNumber(level, Math.floor(centre.x / side), Math.floor(centre.y / side))
  }
  return EVERYWHERE
}

/** Where every preference is filed whose circle may hold this place. */
export function cellsAround(place: Spot): number[] {
  const cells = [EVERYWHERE]
  for (let level = 0; level < LEVELS; level++) {
    const side = sideOf(level)
    const [column, row] = [Math.floor(place.x / side), Math.floor(place.y / side)]
    for (let east = column - 1; east <= column + 1; east++) {
      for (let north = row - 1; north <= row + 1; north++) {
        const nearest = { x: clamp(place.x, east * side, (east + 1) * side), y: clamp(place.y, north * side, (north + 1) * side) }
        // no circle of this level is wider
        if (milesBetween(place, nearest) <= side + ROUNDING_MILES) cells.push(cellNumber(level, east, north))
      }
    }
  }
  return cells
}

const ROUNDING_MILES = 0.001

/** Fits the database's integer: the highest level is below 21. */
const cellNumber = (level: number, column: number, row: number) => (level + 1) * 100_000_000 + (column + 1_000) * 10_000 + row + 5_000

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most)
