// The flat map of the UK. Every distance that a search compares, sorts by or shows is a distance on this map.

/** A point on the map, in miles east and north of its centre. */
export type Spot = { x: number; y: number }

/** In degrees. */
export type Coordinates = { latitude: number; longitude: number }

/** A rectangle on the map, in miles from its centre. */
export type Area = { west: number; south: number; east: number; north: number }

/** A rectangle in degrees, such as the part of the map that a browser shows. */
export type Box = { south: number; west: number; north: number; east: number }

export const EARTH_RADIUS_MILES = 3958.8
const MAP_RADIUS_MILES = EARTH_RADIUS_MILES * 0.9996
const CENTRE: Coordinates = { latitude: 54.5, longitude: -2 }

export const radians = (angle: number): number => (angle * Math.PI) / 180
export const degrees = (angle: number): number => (angle * 180) / Math.PI

/** The transverse Mercator projection, the same as the database's map_spot(). Distances are less than 0.2 % off anywhere in the UK. */
export function mapSpot(latitude: number, longitude: number): Spot {
  const east = radians(longitude - CENTRE.longitude)
  const north = radians(latitude)
  return {
    x: MAP_RADIUS_MILES * Math.atanh(Math.cos(north) * Math.sin(east)),
    y: MAP_RADIUS_MILES * (Math.atan2(Math.tan(north), Math.cos(east)) - radians(CENTRE.latitude)),
  }
}

/** The inverse of mapSpot(). */
export function coordinatesOf({ x, y }: Spot): Coordinates {
  const north = y / MAP_RADIUS_MILES + radians(CENTRE.latitude)
  return {
    latitude: degrees(Math.asin(Math.sin(north) / Math.cosh(x / MAP_RADIUS_MILES))),
    longitude: CENTRE.longitude + degrees(Math.atan2(Math.sinh(x / MAP_RADIUS_MILES), Math.cos(north))),
  }
}

export const milesBetween = (one: Spot, other: Spot): number => Math.hypot(one.x - other.x, one.y - other.y)

/**
 * The smallest area that contains a box. On the map a parallel curves northwards away from the central meridian, so the box reaches
 * furthest south at the longitude nearest to that meridian: this longitude is projected as well as the corners.
 */
export function areaOfBox({ south, west, north, east }: Box): Area {
  const mostCentral = Math.min(Math.max(CENTRE.longitude, west), east)
  const spots = [south, north].flatMap((latitude) => [west, mostCentral, east].map((longitude) => mapSpot(latitude, longitude)))
  const xs = spots.map(({ x }) => x)
  const ys = spots.map(({ y }) => y)
  return { west: Math.min(...xs), south: Math.min(...ys), east: Math.max(...xs), north: Math.max(...ys) }
}
