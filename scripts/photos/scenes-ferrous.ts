import { heap } from '#scripts/photos/heap.ts'
import { along, place, upright, type Point, type Scene } from '#scripts/photos/mesh.ts'
import { noise } from '#scripts/photos/random.ts'
import { crumpled } from '#scripts/photos/scenes-light.ts'
import { box, joined, moved, pipe, rod, sheet, stood, turnedOnLathe, wire } from '#scripts/photos/shapes.ts'
import { of } from '#scripts/photos/substances.ts'
import { blockWall, ground, litter, pallet, shedWall, skip } from '#scripts/photos/yard.ts'

type Draw = (scene: Scene, random: () => number) => void

const girder = (length: number, s: number) =>
  joined(
    box(length, 0.2 * s, 0.012),
    moved(box(length, 0.014, 0.12 * s), [0, 0.1 * s, 0]),
    moved(box(length, 0.014, 0.12 * s), [0, -0.1 * s, 0]),
  )
const angle = (length: number, s: number) =>
  joined(moved(box(length, 0.008, s), [0, 0, s / 2]), moved(box(length, s, 0.008), [0, s / 2, 0]))

function mixedSteel(scene: Scene, random: () => number, count: number, where: Parameters<typeof heap>[1], sizes = 1) {
  const drop = heap(random, where)
  for (let nth = 0; nth < count; nth++) {
    const length = (0.3 + random() * 0.7) * sizes
    const kind = nth % 5
    const thickness = [0.16, 0.03, 0.08, 0.09, 0.04][kind] ?? 0.05
    const { at, turn } = drop({ length, width: 0.15, thickness, settle: 0.55 })
    const shape = [
      () => girder(length, 0.7 + random() * 0.4),
      () => box(length, 0.012 + random() * 0.02, 0.1 + random() * 0.3),
      () => pipe(length, 0.025 + random() * 0.045, 0.12, 14),
      () => angle(length, 0.06 + random() * 0.05),
      () => rod(length, 0.01 + random() * 0.015, 8),
    ][kind]
    if (shape) place(scene, shape(), { at, turn, material: of(random() < 0.65 ? 'rustySteel' : 'millSteel'), tint: 0.65 + random() * 0.6 })
  }
}

export const ferrousScenes = {
  'steel-plate-girder': (scene, random) => {
    ground(scene, 31)
    blockWall(scene, random, -2.8)
    const drop = heap(random, { spread: [0.95, 0.6] })
    for (let nth = 0; nth < 70; nth++) {
      const length = 0.8 + random() * 0.7
      const isGirder = nth % 3 !== 0
      const { at, turn } = drop({
        length,
        width: isGirder ? 0.16 : 0.4,
        thickness: isGirder ? 0.2 : 0.05,
        settle: 0.6,
        yaw: (random() - 0.5) * 2.2,
      })
      const shape = isGirder ? girder(length, 0.9 + random() * 0.5) : box(length, 0.02 + random() * 0.02, 0.3 + random() * 0.3)
      place(scene, shape, {
        at,
        turn,
        material: of(random() < 0.7 ? 'rustySteel' : random() < 0.6 ? 'millSteel' : 'redPaint'),
        tint: 0.7 + random() * 0.6,
      })
    }
  },
  'steel-mixed': (scene, random) => {
    ground(scene, 32)
    blockWall(scene, random, -2.6)
    mixedSteel(scene, random, 210, { spread: [0.95, 0.6] })
    litter(scene, random, 120, 'rustySteel')
  },
  'steel-rebar-pipe': (scene, random) => {
    ground(scene, 33)
    shedWall(scene, 'shed', -2.8)
    mixedSteel(scene, random, 190, { spread: [0.85, 0.55] }, 1.3)
  },
  'light-iron': (scene, random) => {
    ground(scene, 34)
    blockWall(scene, random, -2.7)
    const drop = heap(random, { spread: [1, 0.6] })
    for (let nth = 0; nth < 95; nth++) {
      if (nth % 8 === 0) {
        const { at, turn } = drop({ length: 0.6, width: 0.55, thickness: 0.5, settle: 0.7 })
        const machine = joined(
          box(0.55, 0.6, 0.5),
          moved(
            turnedOnLathe(
              [
                [0.27, 0.12],
                [0.29, 0.19],
                [0.275, 0.21],
                [0.27, 0.12],
              ],
              24,
            ),
            [0, 0, 0],
          ),
        )
        place(scene, machine, { at, turn, material: of('whiteEnamel'), tint: 0.75 + random() * 0.3 })
        continue
      }
      const [width, depth] = [0.4 + random() * 0.6, 0.25 + random() * 0.4]
      const { at, turn } = drop({ length: width, width: depth, thickness: 0.09, settle: 0.5 })
      const material =
        (['rustySteel', 'whiteEnamel', 'millSteel', 'bluePaint', 'rustySteel', 'greenPaint', 'galvanised'] as const)[nth % 7] ??
        'rustySteel'
      place(scene, crumpled(random, width, depth, 0.9), { at, turn, material: of(material), tint: 0.65 + random() * 0.5 })
    }
  },
  'cast-radiators': (scene, random) => {
    ground(scene, 35)
    shedWall(scene, 'greyPaint', -1.9)
    const column = joined(
      stood(
        turnedOnLathe(
          [
            [-0.33, 0.001],
            [-0.32, 0.04],
            [-0.25, 0.028],
            [0.25, 0.028],
            [0.32, 0.04],
            [0.33, 0.001],
          ],
          12,
        ),
      ),
      moved(
        stood(
          turnedOnLathe(
            [
              [-0.3, 0.001],
              [-0.28, 0.035],
              [0.28, 0.035],
              [0.3, 0.001],
            ],
            12,
          ),
        ),
        [0, 0, 0.075],
      ),
      moved(box(0.05, 0.07, 0.12), [0, 0.28, 0.04]),
      moved(box(0.05, 0.07, 0.12), [0, -0.28, 0.04]),
    )
    const radiator = (sections: number) =>
      joined(...Array.from({ length: sections }, (_, nth) => moved(column, [(nth - sections / 2) * 0.066, 0, 0])))
    for (const [x, z, yaw, lean, sections] of [
      [-0.7, -0.7, 0.1, 0.15, 11],
      [0.55, -0.85, -0.1, 0.18, 13],
      [-0.35, -0.2, 0.25, 0.3, 9],
      [0.75, -0.15, 0.05, 0.25, 10],
    ] as const) {
      const [c, s] = [Math.cos(yaw), Math.sin(yaw)]
      const turn = [
        [c, 0, -s],
        [-s * Math.sin(lean) * 1, Math.cos(lean), -c * Math.sin(lean)],
        [s * Math.cos(lean), Math.sin(lean), c * Math.cos(lean)],
      ] as const
      place(scene, radiator(sections), {
        at: [x, 0.34, z],
        turn,
        material: of(random() < 0.5 ? 'castIron' : 'whiteEnamel'),
        tint: 0.7 + random() * 0.4,
      })
    }
    for (const [x, z, yaw] of [
      [0.15, 0.5, 0.5],
      [-0.9, 0.45, -0.4],
    ] as const) {
      const flat = along([Math.cos(yaw), 0, Math.sin(yaw)], Math.PI / 2)
      place(scene, radiator(8), { at: [x, 0.06, z], turn: flat, material: of('castIron'), tint: 0.9 })
    }
    const drop = heap(random, { centre: [0.9, 0.6], spread: [0.25, 0.2] })
    for (let nth = 0; nth < 14; nth++) {
      const { at, turn } = drop({ length: 0.3, width: 0.12, thickness: 0.08 })
      place(scene, pipe(0.3, 0.05, 0.15), { at, turn, material: of('castIron'), tint: 0.7 + random() * 0.4 })
    }
  },
  turnings: (scene, random) => {
    ground(scene, 36)
    blockWall(scene, random, -2.4)
    skip(scene, { at: [0, 0, 0], turn: 0.1, size: [2.1, 0.75, 1.3], paint: 'greenPaint' })
    const core = sheet(30, (u, v) => {
      const [x, z] = [(v - 0.5) * 2, (u - 0.5) * 1.2]
      return [x, 0.62 + 0.28 * Math.exp(-(x * x) / 0.5 - (z * z) / 0.2) * (0.8 + 0.5 * noise(x * 6, 2, z * 6)), z]
    })
    place(scene, core, { at: [0, 0, 0], turn: upright(0.1), material: of('turnings'), tint: 0.35 })
    for (let nth = 0; nth < 900; nth++) {
      const [x, z] = [(random() - 0.5) * 1.95, (random() - 0.5) * 1.15]
      const y = 0.64 + 0.28 * Math.exp(-(x * x) / 0.5 - (z * z) / 0.2) * (0.8 + 0.5 * noise(x * 6, 2, z * 6))
      const [radius, turns] = [0.008 + random() * 0.02, 1.5 + random() * 3]
      const curl = wire(
        Array.from({ length: Math.ceil(turns * 7) }, (_, step): Point => [
          step * radius * 0.22,
          Math.cos(step * 0.9) * radius,
          Math.sin(step * 0.9) * radius,
        ]),
        0.0035,
        3,
      )
      place(scene, curl, {
        at: [x, y + random() * 0.05, z],
        turn: along([random() - 0.5, random() * 0.6 - 0.2, random() - 0.5]),
        material: of('turnings'),
        tint: 0.6 + random() * 0.7,
      })
    }
  },
  bales: (scene, random) => {
    ground(scene, 37)
    blockWall(scene, random, -3)
    const bale = (at: Point, yaw: number) => {
      const seed = random() * 99
      const [w, h, d] = [0.72 + random() * 0.1, 0.42, 0.42]
      for (const [axis, sign] of [
        [0, 1],
        [0, -1],
        [1, 1],
        [2, 1],
        [2, -1],
      ] as const) {
        const face = sheet(22, (u, v) => {
          const [a, b] = [u - 0.5, v - 0.5]
          const rough = 0.09 * (noise(a * 11 + seed, b * 11, axis * 7 + sign) - 0.45) + 0.05 * (noise(a * 26, b * 26 + seed, sign) - 0.5)
          const edge = 0.05 * Math.max(Math.abs(a), Math.abs(b)) ** 4 * 16
          const out = sign * (0.5 + rough * 0.9 - edge)
          if (axis === 0) return [out * w, sign * b * h, a * d]
          if (axis === 1) return [a * w, out * h, sign * b * d]
          return [sign * a * w, b * h, out * d]
        })
        place(scene, face, {
          at,
          turn: upright(yaw),
          material: of(
            (['rustySteel', 'millSteel', 'bluePaint', 'redPaint', 'millSteel', 'whiteEnamel'] as const)[Math.floor(random() * 6)] ??
              'millSteel',
          ),
          tint: 0.6 + random() * 0.5,
        })
      }
    }
    for (let level = 0; level < 4; level++)
      for (let nth = 0; nth < 5 - (level > 2 ? 2 : 0); nth++)
        for (let row = 0; row < 2; row++)
          bale(
            [(nth - 2) * 0.8 + (level % 2) * 0.2 + (random() - 0.5) * 0.08, 0.21 + level * 0.41, -0.6 - row * 0.5],
            (random() - 0.5) * 0.14,
          )
    bale([0.9, 0.21, 0.25], 0.6)
  },
  'steel-tube-bundles': (scene, random) => {
    ground(scene, 38)
    shedWall(scene, 'shed', -1.6)
    for (const [x, y, z, rows] of [
      [0, 0.1, 0, 6],
      [0, 0.1, -0.62, 6],
      [0.1, 0.55, -0.3, 5],
    ] as const) {
      for (let row = 0; row < rows; row++)
        for (let nth = 0; nth < 8 - (row % 2); nth++) {
          const at: Point = [x + (random() - 0.5) * 0.05, y + row * 0.066 + 0.03, z + (nth - 4 + (row % 2) * 0.5) * 0.076]
          place(scene, pipe(4.4, 0.037, 0.14, 14), { at, material: of('galvanised'), tint: 0.8 + random() * 0.3 })
        }
      for (const strap of [-1.2, 0.9])
        place(scene, box(0.03, 0.44, 0.62), { at: [strap, y + 0.2, z - 0.03], material: of('millSteel'), tint: 0.5 })
    }
    for (const at of [-1.4, 0.2, 1.5]) place(scene, box(0.1, 0.09, 1.4), { at: [at, 0.045, -0.3], material: of('wood') })
  },
  'mixed-skip': (scene, random) => {
    ground(scene, 39)
    blockWall(scene, random, -2.8)
    skip(scene, { at: [0, 0, 0], turn: 0.18, size: [2.7, 0.9, 1.5], paint: 'redPaint' })
    const drop = heap(random, { spread: [0.85, 0.42], within: [1.2, 0.65], floor: 0.5 })
    for (let nth = 0; nth < 130; nth++) {
      const [width, depth] = [0.25 + random() * 0.6, 0.12 + random() * 0.3]
      const { at, turn } = drop({ length: width, width: depth, thickness: 0.07, settle: 0.5 })
      const material =
        (['rustySteel', 'aluminium', 'millSteel', 'whiteEnamel', 'castAluminium', 'oldCopper', 'galvanised', 'bluePaint'] as const)[
          nth % 8
        ] ?? 'rustySteel'
      const shape =
        nth % 3 === 0
          ? pipe(width * 1.2, 0.02 + random() * 0.04, 0.12)
          : nth % 3 === 1
            ? crumpled(random, width, depth, 0.8)
            : box(width, 0.03, depth * 0.4)
      place(scene, shape, { at, turn, material: of(material), tint: 0.65 + random() * 0.5 })
    }
  },
  'cast-drains': (scene, random) => {
    ground(scene, 40)
    blockWall(scene, random, -2)
    pallet(scene, random, [0, 0, 0], 0.1)
    const drop = heap(random, { spread: [0.45, 0.35], within: [0.75, 0.55], floor: 0.14 })
    for (let nth = 0; nth < 34; nth++) {
      const length = 0.35 + random() * 0.5
      const { at, turn } = drop({ length, width: 0.13, thickness: 0.13, settle: 0.75 })
      const collar = moved(
        turnedOnLathe(
          [
            [-0.04, 0.055],
            [-0.04, 0.085],
            [0.04, 0.085],
            [0.04, 0.055],
          ],
          18,
        ),
        [length / 2, 0, 0],
      )
      place(scene, joined(pipe(length, 0.06, 0.16, 18), collar), { at, turn, material: of('castIron'), tint: 0.7 + random() * 0.6 })
    }
  },
} satisfies Record<string, Draw>
