/** A place on the flat map of the UK, in miles east and north of its middle. */
export type Spot = { x: number; y: number }

const RADIUS = 3958.8 * 0.9996
export const MIDDLE = { latitude: 54.5, longitude: -2 }
export const radians = (angle: number): number => (angle * Math.PI) / 180
export const degrees = (angle: number): number => (angle * 180) / Math.PI

/** The transverse Mercator projection, as map_spot() of the database has it: less than 0.2 % off anywhere in the UK. */
export function mapSpot(latitude: number, longitude: number): Spot {
  const east = radians(longitude - MIDDLE.longitude)
  const north = radians(latitude)
  return {
    x: RADIUS * Math.atanh(Math.cos(north) * Math.sin(east)),
    y: RADIUS * (Math.atan2(Math.tan(north), Math.cos(east)) - radians(MIDDLE.latitude)),
  }
}

/** The place that lies there: the way back. */
export function placeOf({ x, y }: Spot): { latitude: number; longitude: number } {
  const north = y / RADIUS + radians(MIDDLE.latitude)
  return {
    latitude: degrees(Math.asin(Math.sin(north) / Math.cosh(x / RADIUS))),
    longitude: MIDDLE.longitude + degrees(Math.atan2(Math.sinh(x / RADIUS), Math.cos(north))),
  }
}

export const milesBetween = (one: Spot, other: Spot): number => Math.hypot(one.x - other.x, one.y - other.y)

export type Area = { west: number; south: number; east: number; north: number }

export type Squares = { side: number; squares: number[] }

/** Sides in miles, as the database's indexes have them. */
const sides = [4, 16] as const
// more squares of a smaller size hold less of what lies outside, and each costs a search of the index
const MOST_IN_A_ROW = 20

/** The squares that cover an area, of the smallest size that does not take too many; nothing for an area that is half the country. */
export function squaresOf({ west, south, east, north }: Area, isWanted: (square: Area) => boolean = () => true): Squares | undefined {
  const reach = Math.max(east - west, north - south)
  const side = sides.find((each) => reach / each <= MOST_IN_A_ROW)
  if (!side) return undefined
  const squares: number[] = []
  for (let column = Math.floor(west / side); column * side <= east; column++) {
    for (let row = Math.floor(south / side); row * side <= north; row++) {
      const square = { west: column * side, south: row * side, east: (column + 1) * side, north: (row + 1) * side }
      // as map_square() of the database counts them
      if (isWanted(square)) squares.push((column + 1_000) * 10_000 + row + 5_000)
    }
  }
  return { side, squares }
}

/** The same of a circle, without the squares in the corners that it does not reach. */
export const squaresRound = ({ x, y }: Spot, miles: number): Squares | undefined =>
  squaresOf({ west: x - miles, south: y - miles, east: x + miles, north: y + miles }, ({ west, south, east, north }) => {
    const nearest = { x: clamp(x, west, east), y: clamp(y, south, north) }
    return milesBetween({ x, y }, nearest) <= miles + 0.001
  })

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most)
