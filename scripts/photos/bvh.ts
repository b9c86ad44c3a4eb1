import type { Scene } from '#scripts/photos/mesh.ts'

// Which triangle a ray meets first: a tree of boxes, flat in typed arrays, without an allocation per ray.

export type Hit = { distance: number; triangle: number; u: number; v: number }

const LEAF = 4
const BINS = 12
const FIELDS = 8 // a node: lower corner, first child or triangle, upper corner, count of triangles

export function buildTree({ corners }: Scene) {
  const count = corners.length / 9
  const points = Float32Array.from(corners)
  const centres = new Float32Array(count * 3)
  const lower = new Float32Array(count * 3)
  const upper = new Float32Array(count * 3)
  for (let t = 0; t < count; t++) {
    for (let axis = 0; axis < 3; axis++) {
      const [a, b, c] = [points[t * 9 + axis] ?? 0, points[t * 9 + 3 + axis] ?? 0, points[t * 9 + 6 + axis] ?? 0]
      lower[t * 3 + axis] = Math.min(a, b, c)
      upper[t * 3 + axis] = Math.max(a, b, c)
      centres[t * 3 + axis] = (a + b + c) / 3
    }
  }
  const order = Uint32Array.from({ length: count }, (_, nth) => nth)
  const nodes = new Float32Array(count * 2 * FIELDS + FIELDS)
  let used = 1

  function split(node: number, from: number, to: number): void {
    const low = [Infinity, Infinity, Infinity]
    const high = [-Infinity, -Infinity, -Infinity]
    const least = [Infinity, Infinity, Infinity]
    const most = [-Infinity, -Infinity, -Infinity]
    for (let nth = from; nth < to; nth++) {
      const t = order[nth] as number
      for (let axis = 0; axis < 3; axis++) {
        low[axis] = Math.min(low[axis] as number, lower[t * 3 + axis] as number)
        high[axis] = Math.max(high[axis] as number, upper[t * 3 + axis] as number)
        least[axis] = Math.min(least[axis] as number, centres[t * 3 + axis] as number)
        most[axis] = Math.max(most[axis] as number, centres[t * 3 + axis] as number)
      }
    }
    nodes.set([...low, 0, ...high, 0], node * FIELDS)
    const spans = [0, 1, 2].map((axis) => (most[axis] as number) - (least[axis] as number))
    const axis = spans.indexOf(Math.max(...spans))
    if (to - from <= LEAF || (spans[axis] as number) < 1e-7) {
      nodes[node * FIELDS + 3] = from
      nodes[node * FIELDS + 7] = to - from
      return
    }
    const border = bestBorder(axis, from, to, least[axis] as number, spans[axis] as number)
    let middle = from
    for (let nth = from; nth < to; nth++) {
      const t = order[nth] as number
      if ((centres[t * 3 + axis] as number) < border) {
        order[nth] = order[middle] as number
        order[middle++] = t
      }
    }
    if (middle === from || middle === to) middle = (from + to) >> 1
    const child = used
    used += 2
    nodes[node * FIELDS + 3] = child
    split(child, from, middle)
    split(child + 1, middle, to)
  }
  split(0, 0, count)

  /** Where the two halves together have the least surface to be met. */
  function bestBorder(axis: number, from: number, to: number, start: number, span: number): number {
    const boxes = Array.from({ length: BINS }, () => new Float64Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity, 0]))
    for (let nth = from; nth < to; nth++) {
      const t = order[nth] as number
      const bin = Math.min(BINS - 1, Math.floor((((centres[t * 3 + axis] as number) - start) / span) * BINS))
      const into = boxes[bin] as Float64Array
      for (let a = 0; a < 3; a++) {
        into[a] = Math.min(into[a] as number, lower[t * 3 + a] as number)
        into[a + 3] = Math.max(into[a + 3] as number, upper[t * 3 + a] as number)
      }
      into[6] = (into[6] as number) + 1
    }
    const costs = (order: Float64Array[]) => {
      const all = new Float64Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity, 0])
      return order.map((one) => {
        for (let a = 0; a < 3; a++) {
          all[a] = Math.min(all[a] as number, one[a] as number)
          all[a + 3] = Math.max(all[a + 3] as number, one[a + 3] as number)
        }
        all[6] = (all[6] as number) + (one[6] as number)
        const [x, y, z] = [0, 1, 2].map((a) => (all[a + 3] as number) - (all[a] as number)) as [number, number, number]
        return all[6] === 0 ? 0 : (x * y + y * z + z * x) * all[6]
      })
    }
    const before = costs(boxes)
    const after = costs([...boxes].reverse()).reverse()
    let best = 1
    for (let bin = 1; bin < BINS; bin++) {
      if ((before[bin - 1] as number) + (after[bin] as number) < (before[best - 1] as number) + (after[best] as number)) best = bin
    }
    return start + (best / BINS) * span
  }

  const edges = new Float32Array(count * 9)
  for (let nth = 0; nth < count; nth++) {
    const t = (order[nth] as number) * 9
    for (let axis = 0; axis < 3; axis++) {
      const a = points[t + axis] as number
      edges[nth * 9 + axis] = a
      edges[nth * 9 + 3 + axis] = (points[t + 3 + axis] as number) - a
      edges[nth * 9 + 6 + axis] = (points[t + 6 + axis] as number) - a
    }
  }
  const stack = new Int32Array(128)
  const distances = new Float64Array(128)

  /** How far a ray goes before it is inside a box; infinitely far if it never is. */
  function enters(at: number, ox: number, oy: number, oz: number, ix: number, iy: number, iz: number, within: number): number {
    const x1 = ((nodes[at] as number) - ox) * ix
    const x2 = ((nodes[at + 4] as number) - ox) * ix
    const y1 = ((nodes[at + 1] as number) - oy) * iy
    const y2 = ((nodes[at + 5] as number) - oy) * iy
    const z1 = ((nodes[at + 2] as number) - oz) * iz
    const z2 = ((nodes[at + 6] as number) - oz) * iz
    const enter = Math.max(Math.min(x1, x2), Math.min(y1, y2), Math.min(z1, z2), 0)
    const leave = Math.min(Math.max(x1, x2), Math.max(y1, y2), Math.max(z1, z2), within)
    return enter <= leave ? enter : Infinity
  }

  /** The nearest triangle within a distance; with `any`, whether there is one at all. */
  return function meet(
    hit: Hit,
    ox: number,
    oy: number,
    oz: number,
    dx: number,
    dy: number,
    dz: number,
    within: number,
    any: boolean,
  ): boolean {
    const ix = 1 / dx
    const iy = 1 / dy
    const iz = 1 / dz
    let nearest = within
    let found = false
    let top = 1
    stack[0] = 0
    distances[0] = 0
    while (top > 0) {
      top--
      if ((distances[top] as number) >= nearest) continue
      const at = (stack[top] as number) * FIELDS
      const many = nodes[at + 7] as number
      const first = nodes[at + 3] as number
      if (many === 0) {
        // the nearer child on top of the stack: what it holds hides most of the other
        let near = first
        let far = first + 1
        let nearAt = enters(near * FIELDS, ox, oy, oz, ix, iy, iz, nearest)
        let farAt = enters(far * FIELDS, ox, oy, oz, ix, iy, iz, nearest)
        if (farAt < nearAt) {
          near = first + 1
          far = first
          const swapped = nearAt
          nearAt = farAt
          farAt = swapped
        }
        if (farAt < Infinity) {
          stack[top] = far
          distances[top++] = farAt
        }
        if (nearAt < Infinity) {
          stack[top] = near
          distances[top++] = nearAt
        }
        continue
      }
      for (let nth = first; nth < first + many; nth++) {
        const e = nth * 9
        const e1x = edges[e + 3] as number
        const e1y = edges[e + 4] as number
        const e1z = edges[e + 5] as number
        const e2x = edges[e + 6] as number
        const e2y = edges[e + 7] as number
        const e2z = edges[e + 8] as number
        const px = dy * e2z - dz * e2y
        const py = dz * e2x - dx * e2z
        const pz = dx * e2y - dy * e2x
        const det = e1x * px + e1y * py + e1z * pz
        if (det > -1e-12 && det < 1e-12) continue
        const inv = 1 / det
        const tx = ox - (edges[e] as number)
        const ty = oy - (edges[e + 1] as number)
        const tz = oz - (edges[e + 2] as number)
        const u = (tx * px + ty * py + tz * pz) * inv
        if (u < 0 || u > 1) continue
        const qx = ty * e1z - tz * e1y
        const qy = tz * e1x - tx * e1z
        const qz = tx * e1y - ty * e1x
        const v = (dx * qx + dy * qy + dz * qz) * inv
        if (v < 0 || u + v > 1) continue
        const distance = (e2x * qx + e2y * qy + e2z * qz) * inv
        if (distance < 1e-4 || distance >= nearest) continue
        if (any) return true
        nearest = distance
        found = true
        hit.distance = distance
        hit.triangle = order[nth] as number
        hit.u = u
        hit.v = v
      }
    }
    return found
  }
}
