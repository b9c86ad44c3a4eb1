/** A place on the flat map of the UK, in miles east and north of its middle. */
export type Spot = { x: number; y: number }

const RADIUS = 3958.8 * 0.9996
export const MIDDLE = { latitude: 54.5, longitude: -2 }
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** The transverse Mercator projection, as map_spot() of the database has it: less than 0.2 % off anywhere in the UK. */
export function mapSpot(latitude: number, longitude: number): Spot {
  const east = radians(longitude - MIDDLE.longitude)
  const north = radians(latitude)
  return {
    x: RADIUS * Math.atanh(Math.cos(north) * Math.sin(east)),
    y: RADIUS * (Math.atan2(Math.tan(north), Math.cos(east)) - radians(MIDDLE.latitude)),
  }
}

export const milesBetween = (one: Spot, other: Spot): number => Math.hypot(one.x - other.x, one.y - other.y)

export type Area = { west: number; south: number; east: number; north: number }

export const areaRound = ({ x, y }: Spot, miles: number): Area => ({ west: x - miles, south: y - miles, east: x + miles, north: y + miles })

/** Sides in miles, as map_squares() of the database names them. */
const sides = [2, 8, 32, 128] as const
const MOST_IN_A_ROW = 8

/** Words of the squares that cover an area, in the smallest size of which few do; nothing for an area beyond the country. */
export function squaresOf({ west, south, east, north }: Area): string[] | undefined {
  const reach = Math.max(east - west, north - south)
  const side = sides.find((each) => reach / each <= MOST_IN_A_ROW)
  if (!side) return undefined
  const words: string[] = []
  for (let column = Math.floor(west / side); column <= Math.floor(east / side); column++) {
    for (let row = Math.floor(south / side); row <= Math.floor(north / side); row++) words.push(`s${side}:${column}:${row}`)
  }
  return words
}
