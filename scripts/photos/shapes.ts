import { mix } from '#scripts/photos/random.ts'
import { cross, minus, unit, type Point, type Shape } from '#scripts/photos/mesh.ts'

export const joined = (...shapes: Shape[]): Shape => ({
  corners: shapes.flatMap(({ corners }) => corners),
  normals: shapes.flatMap(({ normals }) => normals),
})

export const moved = ({ corners, normals }: Shape, [dx, dy, dz]: Point): Shape => ({
  corners: corners.map(([x, y, z]) => [x + dx, y + dy, z + dz]),
  normals,
})

/** Stood on its end: what lay along x stands along y. */
export const stood = ({ corners, normals }: Shape): Shape => ({
  corners: corners.map(([x, y, z]) => [-y, x, z]),
  normals: normals.map(([x, y, z]) => [-y, x, z]),
})

/** Turned in the plane: what lay along x lies along z. */
export const across = ({ corners, normals }: Shape): Shape => ({
  corners: corners.map(([x, y, z]) => [-z, y, x]),
  normals: normals.map(([x, y, z]) => [-z, y, x]),
})

function flat(...polygons: Point[][]): Shape {
  const shape: Shape = { corners: [], normals: [] }
  for (const [first, ...rest] of polygons) {
    for (let nth = 0; nth + 1 < rest.length; nth++) {
      const [a, b, c] = [first as Point, rest[nth] as Point, rest[nth + 1] as Point]
      const normal = unit(cross(minus(b, a), minus(c, a)))
      shape.corners.push(a, b, c)
      shape.normals.push(normal, normal, normal)
    }
  }
  return shape
}

export const box = (width: number, height: number, depth: number): Shape => prism(rectangle(height, depth), width)

export const rectangle = (height: number, depth: number): [number, number][] => [
  [-height / 2, -depth / 2],
  [height / 2, -depth / 2],
  [height / 2, depth / 2],
  [-height / 2, depth / 2],
]

/** An outline in (y, z) drawn along x: girders, angles, extrusions. An outline that is not convex has open ends, seen from the side. */
export function prism(
  outline: readonly (readonly [number, number])[],
  length: number,
  caps: readonly (readonly (readonly [number, number])[])[] = [outline],
): Shape {
  const half = length / 2
  const sides = outline.map(([y, z], nth): Point[] => {
    const [nextY, nextZ] = outline[(nth + 1) % outline.length] ?? [0, 0]
    return [
      [-half, y, z],
      [half, y, z],
      [half, nextY, nextZ],
      [-half, nextY, nextZ],
    ]
  })
  const ends = caps.flatMap((cap) => [half, -half].map((x) => cap.map(([y, z]): Point => [x, y, z])))
  return flat(...sides, ...ends)
}

/** Rings of corners in a row, joined by a skin. */
export function skin(rings: readonly Point[][], isClosed = true): Shape {
  const shape: Shape = { corners: [], normals: [] }
  const around = rings[0]?.length ?? 0
  const last = rings.length - 1
  const normalAt = (ring: number, at: number): Point => {
    const here = rings[ring] as Point[]
    const wrap = (nth: number) => (isClosed ? (nth + around) % around : Math.max(0, Math.min(around - 1, nth)))
    const tangent = minus(here[wrap(at + 1)] as Point, here[wrap(at - 1)] as Point)
    const onward = minus((rings[Math.min(last, ring + 1)] as Point[])[at] as Point, (rings[Math.max(0, ring - 1)] as Point[])[at] as Point)
    return unit(cross(tangent, onward))
  }
  const normals = rings.map((ring, nth) => ring.map((_, at) => normalAt(nth, at)))
  for (let ring = 0; ring < last; ring++) {
    for (let at = 0; at < (isClosed ? around : around - 1); at++) {
      const next = (at + 1) % around
      const corner = (r: number, a: number) => {
        shape.corners.push((rings[r] as Point[])[a] as Point)
        shape.normals.push((normals[r] as Point[])[a] as Point)
      }
      for (const [r, a] of [
        [ring, at],
        [ring, next],
        [ring + 1, next],
        [ring, at],
        [ring + 1, next],
        [ring + 1, at],
      ] as const)
        corner(r, a)
    }
  }
  return shape
}

/** Turned on a lathe: (x, radius) along x. `squash` makes it oval. */
export const turnedOnLathe = (profile: readonly (readonly [x: number, radius: number])[], sides = 20, squash = 1): Shape =>
  joined(
    ...profile.slice(1).map(([x, radius], nth) => {
      const [fromX, fromRadius] = profile[nth] ?? [0, 0]
      // short pieces: slivers as long as a pipe would make every ray look at all of them
      const pieces = Math.max(1, Math.ceil(Math.abs(x - fromX) / 0.1))
      return skin(
        Array.from({ length: pieces + 1 }, (_, piece) =>
          ring(mix(fromX, x, piece / pieces), mix(fromRadius, radius, piece / pieces), sides, squash),
        ),
      )
    }),
  )

const ring = (x: number, radius: number, sides: number, squash: number): Point[] =>
  Array.from({ length: sides }, (_, nth) => {
    const angle = (nth / sides) * 2 * Math.PI
    return [x, Math.cos(angle) * radius * squash, Math.sin(angle) * radius]
  })

export const rod = (length: number, radius: number, sides = 14): Shape =>
  turnedOnLathe(
    [
      [-length / 2, 0.001],
      [-length / 2, radius],
      [length / 2, radius],
      [length / 2, 0.001],
    ],
    sides,
  )

/** A tube that one can look into. */
export const pipe = (length: number, radius: number, wall = 0.12, sides = 16): Shape => {
  const inner = radius * (1 - wall)
  const half = length / 2
  return turnedOnLathe(
    [
      [-half, inner],
      [-half, radius],
      [half, radius],
      [half, inner],
      [-half, inner],
    ],
    sides,
  )
}

/** A round wire or hose through these points. */
export function wire(points: readonly Point[], radius: number, sides = 6): Shape {
  let side: Point = [0, 0, 0]
  const rings = points.map((point, nth): Point[] => {
    const ahead = unit(minus(points[Math.min(points.length - 1, nth + 1)] as Point, points[Math.max(0, nth - 1)] as Point))
    const guess: Point = nth === 0 ? (Math.abs(ahead[1]) > 0.9 ? [1, 0, 0] : [0, 1, 0]) : side
    const other = unit(cross(ahead, guess))
    side = cross(other, ahead)
    return Array.from({ length: sides }, (_, at) => {
      const angle = (at / sides) * 2 * Math.PI
      const [c, s] = [Math.cos(angle) * radius, Math.sin(angle) * radius]
      return [point[0] + side[0] * c + other[0] * s, point[1] + side[1] * c + other[1] * s, point[2] + side[2] * c + other[2] * s]
    })
  })
  return skin(rings)
}

/** A sheet whose points lie where the function says, for u and v from 0 to 1. */
export const sheet = (steps: number, at: (u: number, v: number) => Point): Shape =>
  skin(
    Array.from({ length: steps + 1 }, (_, i) => Array.from({ length: steps + 1 }, (_, j) => at(i / steps, j / steps))),
    false,
  )
