import { milesBetween, type Spot } from '#domain/search/uk-map.ts'

// Which preferences may reach a place, found by one index. A preference is a circle on the map. It is filed once, under the square that
// holds its centre, on the level of its radius; the squares of a level are a quarter as wide as its widest circle. So a place lies in the
// circle only if the circle's square is within that width: about seventy squares of each level are looked up, however many preferences
// there are. What is found there is at most about three times what matches; the distance is then compared exactly.

/** Miles: the widest radius of each level. Whole numbers, so that the database counts to the same square (0038-finer-squares.sql). */
const widths = [4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512]
const SQUARES_A_WIDTH = 4
/** Preferences without a radius: the whole country. */
const EVERYWHERE = 0

/** Where a preference is filed. */
export function cellOfPreference(centre: Spot | null, radiusMiles: number | null): number {
  if (!centre || radiusMiles === null) return EVERYWHERE
  const level = widths.findIndex((width) => radiusMiles <= width)
  const side = (widths[level] ?? 0) / SQUARES_A_WIDTH
  return level < 0 ? EVERYWHERE : cellNumber(level, Math.floor(centre.x / side), Math.floor(centre.y / side))
}

/** Where every preference is filed whose circle may hold this place. */
export function cellsAround(place: Spot): number[] {
  const cells = [EVERYWHERE]
  for (const [level, width] of widths.entries()) {
    const side = width / SQUARES_A_WIDTH
    const [column, row] = [Math.floor(place.x / side), Math.floor(place.y / side)]
    const reach = SQUARES_A_WIDTH + 1
    for (let east = column - reach; east <= column + reach; east++) {
      for (let north = row - reach; north <= row + reach; north++) {
        const nearest = { x: clamp(place.x, east * side, (east + 1) * side), y: clamp(place.y, north * side, (north + 1) * side) }
        // no circle of this level is wider
        if (milesBetween(place, nearest) <= width + ROUNDING_MILES) cells.push(cellNumber(level, east, north))
      }
    }
  }
  return cells
}

const ROUNDING_MILES = 0.001

/** Fits the database's integer: the highest level is below 21. */
const cellNumber = (level: number, column: number, row: number) => (level + 1) * 100_000_000 + (column + 1_000) * 10_000 + row + 5_000

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most)
