import { along, type Point, type Turn } from '#scripts/photos/mesh.ts'

type Ground = { centre?: [x: number, z: number]; spread: [x: number, z: number]; within?: [x: number, z: number]; floor?: number }
type Thing = { length: number; width: number; thickness: number; settle?: number; yaw?: number }

const CELL = 0.05
const SIDE = 160
const ROLLS = 3

/** Lets things fall one after another onto what already lies there: each leans on what is under its two halves. */
export function heap(random: () => number, { centre = [0, 0], spread, within, floor = 0 }: Ground) {
  const heights = new Float32Array(SIDE * SIDE).fill(floor)
  const index = (x: number, z: number) => {
    const i = Math.round((x - centre[0]) / CELL) + SIDE / 2
    const j = Math.round((z - centre[1]) / CELL) + SIDE / 2
    return Math.max(0, Math.min(SIDE - 1, i)) * SIDE + Math.max(0, Math.min(SIDE - 1, j))
  }
  const bell = () => (random() + random() + random() - 1.5) / 0.75

  return function drop({ length, width, thickness, settle = 0.6, yaw = random() * Math.PI * 2 }: Thing): { at: Point; turn: Turn } {
    const [c, s] = [Math.cos(yaw), Math.sin(yaw)]
    const reach = (limit: number, extent: number, spreadOf: number) => {
      const free = Math.max(0, limit - extent / 2)
      return Math.max(-free, Math.min(free, bell() * spreadOf))
    }
    const spanX = Math.abs(c) * length + Math.abs(s) * width
    const spanZ = Math.abs(s) * length + Math.abs(c) * width
    // of a few places where it may come down, it rolls to the lowest
    const places = Array.from({ length: ROLLS }, () => {
      const x = centre[0] + (within ? reach(within[0], spanX, spread[0]) : bell() * spread[0])
      const z = centre[1] + (within ? reach(within[1], spanZ, spread[1]) : bell() * spread[1])
      return lie(x, z)
    })
    const { x, z, cells, left, right } = places.reduce((best, next) => (next.left + next.right < best.left + best.right ? next : best))

    function lie(x: number, z: number) {
      const cells: [cell: number, l: number][] = []
      const steps = Math.max(2, Math.ceil(length / CELL))
      const rows = Math.max(1, Math.ceil(width / CELL))
      for (let i = 0; i <= steps; i++) {
        for (let j = 0; j <= rows; j++) {
          const [l, w] = [(i / steps - 0.5) * length, (j / rows - 0.5) * width]
          cells.push([index(x + c * l - s * w, z + s * l + c * w), l])
        }
      }
      // not on the very highest point: others give way, or it lies between them
      const rest = (half: (l: number) => boolean) => {
        const under = cells.flatMap(([cell, l]) => (half(l) ? [heights[cell] as number] : [])).sort((a, b) => a - b)
        return under[Math.floor(under.length * 0.55)] ?? floor
      }
      return { x, z, cells, left: rest((l) => l <= 0), right: rest((l) => l >= 0) }
    }
    const slope = Math.max(-0.75, Math.min(0.75, (right - left) / (length * 0.75)))
    const middle = (left + right) / 2
    for (const [cell, l] of cells) heights[cell] = Math.max(heights[cell] as number, middle + slope * l + thickness * settle)
    return { at: [x, middle + thickness / 2, z], turn: along([c, slope, s], (random() - 0.5) * 0.3) }
  }
}
