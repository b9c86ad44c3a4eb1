import { place, upright, type Point, type Scene } from '#scripts/photos/mesh.ts'
import { noise } from '#scripts/photos/random.ts'
import { box, moved, joined, sheet, skin } from '#scripts/photos/shapes.ts'
import { of, type SubstanceName } from '#scripts/photos/substances.ts'

// What stands in a yard: ground, walls, skips, stillages, pallets, bags.

export function ground(scene: Scene, seed: number, substance: SubstanceName = 'concrete'): void {
  const uneven = sheet(60, (u, v) => {
    const [x, z] = [(v - 0.5) * 16, (u - 0.5) * 16]
    return [x, 0.05 * (noise(x * 0.7 + seed, 0, z * 0.7) - 0.6) + 0.012 * (noise(x * 5, seed, z * 5) - 0.5), z]
  })
  place(scene, uneven, { at: [0, 0, 0], material: of(substance) })
}

/** Big concrete blocks, two or three high, each a little out of line. */
export function blockWall(scene: Scene, random: () => number, z = -2.4, rows = 3): void {
  for (let row = 0; row < rows; row++) {
    for (let nth = -5; nth < 5; nth++) {
      const at: Point = [nth * 1.22 + (row % 2) * 0.6 + 0.3, 0.3 + row * 0.61, z + (random() - 0.5) * 0.06]
      const turn = upright((random() - 0.5) * 0.02)
      place(scene, box(1.2, 0.595, 0.6), { at, turn, material: of('blockWall'), tint: 0.8 + random() * 0.35 })
    }
  }
}

/** The side of a shed, of trapezoidal sheet. */
export function shedWall(scene: Scene, substance: SubstanceName = 'shed', z = -2.6): void {
  const ribs: Point[][] = [[], []]
  for (let nth = 0; nth <= 160; nth++) {
    const x = (nth / 160 - 0.5) * 14
    const out = [0, 0.04, 0.04, 0][nth % 4] ?? 0
    ribs[0]?.push([x, 0, z + out])
    ribs[1]?.push([x, 4, z + out])
  }
  place(scene, skin(ribs, false), { at: [0, 0, 0], material: of(substance) })
}

/** An open steel box with sloping ends: a skip. Inside it is dark. */
export function skip(
  scene: Scene,
  { at, turn = 0, size: [w, h, d], paint }: { at: Point; turn?: number; size: Point; paint: SubstanceName },
): void {
  const t = 0.03
  const walls = joined(
    moved(box(w, h, t), [0, h / 2, d / 2]),
    moved(box(w, h, t), [0, h / 2, -d / 2]),
    moved(box(t, h, d), [w / 2, h / 2, 0]),
    moved(box(t, h, d), [-w / 2, h / 2, 0]),
    moved(box(w + 0.1, 0.06, 0.07), [0, h, d / 2]),
    moved(box(w + 0.1, 0.06, 0.07), [0, h, -d / 2]),
    moved(box(0.07, 0.06, d), [w / 2, h, 0]),
    moved(box(0.07, 0.06, d), [-w / 2, h, 0]),
    ...[-0.3, 0.3].map((part) => moved(box(0.06, h, 0.05), [part * w, h / 2, d / 2 + 0.03])),
  )
  place(scene, walls, { at, turn: upright(turn), material: of(paint) })
}

/** A cage of wire on a frame. */
export function stillage(
  scene: Scene,
  { at, turn = 0, size: [w, h, d], paint = 'millSteel' }: { at: Point; turn?: number; size: Point; paint?: SubstanceName },
): void {
  const posts = [-1, 1].flatMap((a) => [-1, 1].map((b) => moved(box(0.05, h + 0.15, 0.05), [(a * w) / 2, (h + 0.15) / 2, (b * d) / 2])))
  const rails = [0.12, h].flatMap((y) => [
    ...[-1, 1].map((b) => moved(box(w, 0.05, 0.04), [0, y, (b * d) / 2])),
    ...[-1, 1].map((a) => moved(box(0.04, 0.05, d), [(a * w) / 2, y, 0])),
  ])
  const bars = []
  for (let x = -w / 2; x <= w / 2; x += 0.09)
    for (const b of [-1, 1]) bars.push(moved(box(0.008, h, 0.008), [x, h / 2 + 0.06, (b * d) / 2]))
  for (let z = -d / 2; z <= d / 2; z += 0.09)
    for (const a of [-1, 1]) bars.push(moved(box(0.008, h, 0.008), [(a * w) / 2, h / 2 + 0.06, z]))
  for (let y = 0.2; y < h; y += 0.09) for (const b of [-1, 1]) bars.push(moved(box(w, 0.008, 0.008), [0, y, (b * d) / 2]))
  place(scene, joined(...posts, ...rails, moved(box(w, 0.02, d), [0, 0.12, 0])), { at, turn: upright(turn), material: of(paint) })
  place(scene, joined(...bars), { at, turn: upright(turn), material: of('galvanised'), tint: 0.7 })
}

export function pallet(scene: Scene, random: () => number, at: Point, turn = 0): void {
  for (let nth = 0; nth < 7; nth++) {
    const board = moved(box(1.2, 0.022, 0.1), [0, 0.13, (nth - 3) * 0.15])
    place(scene, board, { at, turn: upright(turn), material: of('wood'), tint: 0.7 + random() * 0.5 })
  }
  for (const x of [-0.55, 0, 0.55]) {
    const bearer = joined(moved(box(0.1, 0.1, 1), [x, 0.07, 0]), moved(box(0.1, 0.02, 1), [x, 0.01, 0]))
    place(scene, bearer, { at, turn: upright(turn), material: of('wood'), tint: 0.75 })
  }
}

/** A one-tonne bag, open at the top, bulging. */
export function bag(scene: Scene, at: Point, size: number, seed: number): void {
  const rings = Array.from({ length: 13 }, (_, level) => {
    const part = level / 12
    return Array.from({ length: 48 }, (_, nth): Point => {
      const angle = (nth / 48) * 2 * Math.PI
      const square = 1 / Math.pow(Math.abs(Math.cos(angle)) ** 5 + Math.abs(Math.sin(angle)) ** 5, 0.2)
      const folds = 0.035 * (noise(Math.cos(angle) * 5 + seed, part * 5, Math.sin(angle) * 5) - 0.5)
      const bulge = 1 + 0.12 * Math.sin(part * Math.PI) + folds * 2
      const lip = part > 0.92 ? 0.05 * noise(nth, seed, 1) : 0
      return [Math.cos(angle) * square * bulge * size * 0.48, part * size * 0.95 + lip, Math.sin(angle) * square * bulge * size * 0.48]
    }).reverse()
  })
  place(scene, skin(rings), { at, material: of('bag') })
  for (const [x, z] of [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ] as const) {
    place(scene, box(0.05, 0.22, 0.012), {
      at: [at[0] + x * size * 0.43, at[1] + size, at[2] + z * size * 0.43],
      turn: upright((x * z * Math.PI) / 4),
      material: of('bluePvc'),
    })
  }
}

/** Bits that lie about on every yard's ground. */
export function litter(scene: Scene, random: () => number, count: number, substance: SubstanceName): void {
  for (let nth = 0; nth < count; nth++) {
    const at: Point = [(random() - 0.5) * 5, 0.004, (random() - 0.5) * 5 + 0.5]
    const bit = box(0.02 + random() * 0.07, 0.008, 0.01 + random() * 0.02)
    place(scene, bit, { at, turn: upright(random() * 6), material: of(substance), tint: 0.5 + random() * 0.6 })
  }
}
