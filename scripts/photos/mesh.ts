// Things are made of triangles: shapes round the origin, placed in a scene by a turn and a shift.

export type Point = readonly [x: number, y: number, z: number]
/** Corners and their normals, three corners a triangle. */
export type Shape = { corners: Point[]; normals: Point[] }
export type Turn = readonly [right: Point, up: Point, ahead: Point]

export type Scene = { corners: number[]; normals: number[]; materials: number[]; tints: number[] }

export const newScene = (): Scene => ({ corners: [], normals: [], materials: [], tints: [] })

export type Placed = { at: Point; turn?: Turn; scale?: number; material: number; tint?: number }

export function place(scene: Scene, shape: Shape, { at, turn = upright(0), scale = 1, material, tint = 1 }: Placed): void {
  for (let corner = 0; corner < shape.corners.length; corner++) {
    const [x, y, z] = turned(turn, shape.corners[corner] as Point)
    scene.corners.push(x * scale + at[0], y * scale + at[1], z * scale + at[2])
    scene.normals.push(...turned(turn, shape.normals[corner] as Point))
    if (corner % 3 === 0) {
      scene.materials.push(material)
      scene.tints.push(tint)
    }
  }
}

const turned = ([right, up, ahead]: Turn, [x, y, z]: Point): Point => [
  right[0] * x + up[0] * y + ahead[0] * z,
  right[1] * x + up[1] * y + ahead[1] * z,
  right[2] * x + up[2] * y + ahead[2] * z,
]

/** Standing, turned round the vertical. */
export const upright = (angle: number): Turn => [
  [Math.cos(angle), 0, -Math.sin(angle)],
  [0, 1, 0],
  [Math.sin(angle), 0, Math.cos(angle)],
]

/** Its length (x) along a direction, rolled round it. */
export function along(direction: Point, roll = 0): Turn {
  const x = unit(direction)
  const side = unit(Math.abs(x[1]) > 0.95 ? cross(x, [1, 0, 0]) : cross(x, [0, 1, 0]))
  const top = cross(side, x)
  const [c, s] = [Math.cos(roll), Math.sin(roll)]
  const up: Point = [c * top[0] + s * side[0], c * top[1] + s * side[1], c * top[2] + s * side[2]]
  return [x, up, cross(x, up)]
}

export const unit = ([x, y, z]: Point): Point => {
  const length = Math.hypot(x, y, z) || 1
  return [x / length, y / length, z / length]
}

export const cross = (a: Point, b: Point): Point => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

export const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
