export type Pixel = { x: number; y: number }
export type Cluster<P> = { points: P[]; at: Pixel }

// a marker is about this wide: two that are nearer would cover one another
const CELL_PX = 72

/** Points that would cover one another, as one. The first of a cell places it, so that a cluster stands on a real place. */
export function clustersOf<P>(points: readonly P[], pixelOf: (point: P) => Pixel): Cluster<P>[] {
  const cells = new Map<string, Cluster<P>>()
  for (const point of points) {
    const at = pixelOf(point)
    const cell = `${Math.floor(at.x / CELL_PX)} ${Math.floor(at.y / CELL_PX)}`
    const known = cells.get(cell)
    if (known) known.points.push(point)
    else cells.set(cell, { points: [point], at })
  }
  return [...cells.values()]
}
