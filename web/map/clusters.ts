export type Pixel = { x: number; y: number }
export type Cluster<P> = { points: P[]; at: Pixel }

// about a marker with a price: two that are nearer would cover one another
const WIDE_PX = 80
const HIGH_PX = 44

/** Points that would cover one another, as one. The first of them places it, so that a cluster stands on a real place. */
export function clustersOf<P>(points: readonly P[], pixelOf: (point: P) => Pixel): Cluster<P>[] {
  const clusters: Cluster<P>[] = []
  for (const point of points) {
    const at = pixelOf(point)
    const near = clusters.find((cluster) => Math.abs(cluster.at.x - at.x) < WIDE_PX && Math.abs(cluster.at.y - at.y) < HIGH_PX)
    if (near) near.points.push(point)
    else clusters.push({ points: [point], at })
  }
  return clusters
}
