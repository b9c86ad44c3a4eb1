import { heap } from '#scripts/photos/heap.ts'
import { place, upright, along, type Point, type Scene } from '#scripts/photos/mesh.ts'
import { noise } from '#scripts/photos/random.ts'
import { across, joined, moved, pipe, rod, sheet, turnedOnLathe, wire } from '#scripts/photos/shapes.ts'
import { of, type SubstanceName } from '#scripts/photos/substances.ts'
import { bag, blockWall, ground, litter, pallet, skip, stillage } from '#scripts/photos/yard.ts'

type Draw = (scene: Scene, random: () => number) => void

type Mound = {
  centre?: [x: number, z: number]
  size: [x: number, z: number]
  high: number
  floor?: number
  within?: [x: number, z: number]
}
type Wires = { count: number; length: number; thick: number; what: readonly SubstanceName[]; wild?: number; mound: Mound; deep?: number }

/** Wire that lies on a mound of more wire, each length bent here and there. */
function wires(scene: Scene, random: () => number, { count, length, thick, what, wild = 0.9, mound, deep = 5 }: Wires) {
  const {
    centre: [cx, cz] = [0, 0],
    size: [sx, sz],
    high,
    floor = 0,
    within,
  } = mound
  const top = (x: number, z: number) =>
    floor + high * Math.exp(-((x / sx) ** 2) - (z / sz) ** 2) * (0.8 + 0.4 * noise(x * 4 + cx, 3, z * 4))
  const [reachX, reachZ] = within ?? [sx * 1.7, sz * 1.7]
  const core = sheet(40, (u, v) => {
    const [x, z] = [(v - 0.5) * 2 * reachX, (u - 0.5) * 2 * reachZ]
    return [cx + x, top(x, z) - thick * 2 - (within ? 0 : 0.11), cz + z]
  })
  place(scene, core, { at: [0, 0, 0], material: of(what[0] as SubstanceName), tint: 0.35 })
  for (let nth = 0; nth < count; nth++) {
    const radius = thick * (0.6 + random() * 0.8)
    const long = length * (0.4 + random())
    const pieces = Math.max(8, Math.ceil(long / 0.07))
    let [x, z, yaw] = [bell(random) * reachX * 0.7, bell(random) * reachZ * 0.7, random() * 6.3]
    let bend = (random() - 0.5) * wild
    const lift = random() * random() * thick * deep * 3
    const points: Point[] = []
    for (let piece = 0; piece <= pieces; piece++) {
      const end = Math.abs(piece / pieces - 0.5) * 2
      const spring = end > 0.7 && nth % 4 === 0 ? (end - 0.7) * 0.4 : 0
      points.push([cx + x, Math.max(floor + radius, top(x, z) + lift + spring + radius * 4 * noise(piece * 0.5, nth, 2)), cz + z])
      if (random() < 0.25) bend = (random() - 0.5) * wild
      yaw += bend
      x += (Math.cos(yaw) * long) / pieces
      z += (Math.sin(yaw) * long) / pieces
      if (within) {
        // the side of the bag or skip turns it back
        if (Math.abs(x) > reachX) yaw = Math.PI - yaw
        if (Math.abs(z) > reachZ) yaw = -yaw
        x = Math.max(-reachX, Math.min(reachX, x))
        z = Math.max(-reachZ, Math.min(reachZ, z))
      }
    }
    const material = of(what[nth % what.length] as SubstanceName)
    place(scene, wire(points, radius, thick > 0.015 ? 8 : 5), { at: [0, 0, 0], material, tint: 0.75 + random() * 0.4 })
  }
}

const bell = (random: () => number) => (random() + random() + random() - 1.5) / 1.1

/** A coil as it comes from a drum or a motor. */
const coil = (random: () => number, radius: number, turns: number, thick: number) =>
  wire(
    Array.from({ length: turns * 18 }, (_, nth): Point => {
      const angle = (nth / 18) * 2 * Math.PI
      const r = radius * (1 + 0.1 * Math.sin(nth * 0.37) + 0.04 * random())
      return [Math.cos(angle) * r, (nth / (turns * 18) - 0.5) * thick * turns * 0.9, Math.sin(angle) * r]
    }),
    thick / 2,
    6,
  )

export const copperScenes = {
  'copper-bright-heap': (scene, random) => {
    ground(scene, 3)
    blockWall(scene, random)
    wires(scene, random, { count: 520, length: 1.1, thick: 0.009, what: ['brightCopper'], mound: { size: [0.85, 0.65], high: 0.75 } })
    litter(scene, random, 50, 'brightCopper')
  },
  'copper-bright-bag': (scene, random) => {
    ground(scene, 8)
    blockWall(scene, random, -1.9)
    bag(scene, [0, 0, 0], 1, 4)
    bag(scene, [-1.15, 0, -0.35], 1, 9)
    for (const [x, z] of [
      [0, 0],
      [-1.15, -0.35],
    ] as const)
      wires(scene, random, {
        count: 230,
        length: 0.7,
        thick: 0.008,
        what: ['brightCopper'],
        mound: { centre: [x, z], size: [0.5, 0.5], high: 0.3, floor: 0.8, within: [0.46, 0.46] },
      })
  },
  'copper-pipe': (scene, random) => {
    ground(scene, 5)
    blockWall(scene, random)
    const drop = heap(random, { spread: [0.95, 0.6] })
    for (let nth = 0; nth < 330; nth++) {
      const radius = 0.011 + random() * random() * 0.035
      const length = 0.35 + random() * 0.75
      const { at, turn } = drop({ length, width: radius * 2, thickness: radius * 2 })
      place(scene, pipe(length, radius), {
        at,
        turn,
        material: of(random() < 0.8 ? 'oldCopper' : 'brightCopper'),
        tint: 0.7 + random() * 0.5,
      })
    }
  },
  'copper-pipe-stillage': (scene, random) => {
    ground(scene, 6)
    blockWall(scene, random, -1.8)
    stillage(scene, { at: [0, 0, 0], turn: 0.25, size: [1.5, 0.8, 1] })
    const drop = heap(random, { spread: [0.5, 0.35], within: [0.6, 0.4], floor: 0.16 })
    for (let nth = 0; nth < 420; nth++) {
      const radius = 0.011 + random() * random() * 0.03
      const length = 0.25 + random() * 0.7
      const { at, turn } = drop({ length, width: radius * 2, thickness: radius * 2, yaw: 0.25 + (random() - 0.5) * 1.4 })
      place(scene, pipe(length, radius), {
        at,
        turn,
        material: of(random() < 0.6 ? 'oldCopper' : 'brightCopper'),
        tint: 0.7 + random() * 0.5,
      })
    }
  },
  'copper-windings': (scene, random) => {
    ground(scene, 2)
    blockWall(scene, random)
    const drop = heap(random, { spread: [0.7, 0.5] })
    for (let nth = 0; nth < 70; nth++) {
      const radius = 0.07 + random() * 0.12
      const { at, turn } = drop({ length: radius * 2, width: radius * 2, thickness: 0.09 })
      place(scene, coil(random, radius, 7, 0.013), {
        at,
        turn,
        material: of(random() < 0.6 ? 'burntCopper' : 'oldCopper'),
        tint: 0.7 + random() * 0.5,
      })
    }
    wires(scene, random, {
      count: 160,
      length: 0.8,
      thick: 0.006,
      what: ['burntCopper', 'oldCopper'],
      mound: { size: [0.8, 0.55], high: 0.28 },
    })
  },
  'cable-pvc': (scene, random) => {
    ground(scene, 11)
    blockWall(scene, random)
    wires(scene, random, {
      count: 420,
      length: 1.5,
      thick: 0.011,
      what: ['greyPvc', 'greyPvc', 'whitePvc', 'greyPvc', 'blackPlastic', 'bluePvc', 'brownPvc'],
      wild: 0.7,
      mound: { size: [0.95, 0.7], high: 0.7 },
    })
    wires(scene, random, {
      count: 60,
      length: 0.4,
      thick: 0.004,
      what: ['brightCopper'],
      mound: { size: [0.9, 0.65], high: 0.74 },
      deep: 12,
    })
  },
  'cable-armoured-skip': (scene, random) => {
    ground(scene, 12)
    blockWall(scene, random, -2.6)
    skip(scene, { at: [0, 0, 0], turn: 0.12, size: [2.6, 0.95, 1.5], paint: 'yellowPaint' })
    wires(scene, random, {
      count: 130,
      length: 1.5,
      thick: 0.026,
      what: ['blackPlastic', 'blackPlastic', 'greyPvc', 'blackPlastic'],
      wild: 0.35,
      mound: { size: [1.1, 0.6], high: 0.35, floor: 0.72, within: [1.2, 0.68] },
    })
  },
  'cable-drums': (scene, random) => {
    ground(scene, 13)
    blockWall(scene, random, -2.3)
    const drum = (at: Point, yaw: number, radius: number) => {
      const cheek = turnedOnLathe(
        [
          [-0.02, 0.05],
          [-0.02, radius],
          [0.02, radius],
          [0.02, 0.05],
        ],
        32,
      )
      const turn = upright(yaw)
      for (const side of [-0.3, 0.3])
        place(scene, moved(cheek, [side, 0, 0]), { at, turn, material: of('wood'), tint: 0.85 + random() * 0.3 })
      for (let layer = 0; layer < 15; layer++) {
        const loop = turnedOnLathe(
          Array.from(
            { length: 9 },
            (_, nth) => [Math.sin((nth / 8) * 2 * Math.PI) * 0.0185, radius * 0.74 + Math.cos((nth / 8) * 2 * Math.PI) * 0.0185] as const,
          ),
          32,
        )
        place(scene, moved(loop, [(layer - 7) * 0.037, 0, 0]), { at, turn, material: of('blackPlastic'), tint: 0.8 + random() * 0.6 })
      }
      place(scene, rod(0.7, 0.035), { at, turn, material: of('millSteel') })
    }
    drum([-0.75, 0.6, 0], 0.5, 0.6)
    drum([0.55, 0.52, 0.2], 0.35, 0.52)
    drum([0.1, 0.6, -1.15], 0.6, 0.6)
    drum([1.55, 0.45, -0.55], 0.2, 0.45)
    wires(scene, random, {
      count: 7,
      length: 2,
      thick: 0.02,
      what: ['blackPlastic'],
      wild: 0.3,
      mound: { centre: [0.2, 0.95], size: [1, 0.2], high: 0.001 },
    })
  },
  'brass-fittings': (scene, random) => {
    ground(scene, 14)
    blockWall(scene, random, -1.6)
    stillage(scene, { at: [0, 0, 0], turn: -0.2, size: [1.3, 0.6, 0.9] })
    const drop = heap(random, { spread: [0.45, 0.32], within: [0.55, 0.36], floor: 0.32 })
    for (let nth = 0; nth < 620; nth++) {
      const size = 0.022 + random() * 0.03
      const { at } = drop({ length: size * 2.6, width: size * 2, thickness: size * 1.8, settle: 0.5 })
      const turn = along([random() - 0.5, random() - 0.5, random() - 0.5], random() * 6)
      place(scene, fitting(Math.floor(random() * 4), size), {
        at,
        turn,
        material: of(random() < 0.75 ? 'brass' : 'gunmetal'),
        tint: 0.7 + random() * 0.5,
      })
    }
  },
  'brass-valves': (scene, random) => {
    ground(scene, 15)
    blockWall(scene, random)
    pallet(scene, random, [0, 0, 0], 0.2)
    const drop = heap(random, { spread: [0.45, 0.35], within: [0.6, 0.5], floor: 0.14 })
    for (let nth = 0; nth < 17; nth++) {
      const { at, turn } = drop({ length: 0.36, width: 0.3, thickness: 0.24 })
      place(scene, valve(0.11 + random() * 0.03), { at, turn, material: of('gunmetal'), tint: 0.8 + random() * 0.4 })
    }
  },
} satisfies Record<string, Draw>

function fitting(kind: number, s: number) {
  const nut = turnedOnLathe(
    [
      [-s * 0.5, s * 0.6],
      [-s * 0.5, s],
      [s * 0.5, s],
      [s * 0.5, s * 0.6],
      [-s * 0.5, s * 0.6],
    ],
    6,
  )
  const spout = pipe(s * 2.4, s * 0.62, 0.25, 12)
  if (kind === 0) return joined(nut, spout)
  if (kind === 1) return joined(moved(nut, [-s, 0, 0]), spout, moved(nut, [s, 0, 0]))
  if (kind === 2)
    return joined(
      moved(spout, [s, 0, 0]),
      moved(across(spout), [0, 0, s]),
      turnedOnLathe(
        [
          [-s * 0.6, 0.001],
          [-s * 0.5, s * 0.75],
          [s * 0.5, s * 0.75],
          [s * 0.6, 0.001],
        ],
        12,
      ),
    )
  return joined(spout, moved(across(spout), [0, 0, s]), moved(nut, [-s, 0, 0]))
}

const valve = (r: number) =>
  joined(
    ...[-1, 1].map((side) =>
      moved(
        turnedOnLathe(
          [
            [-0.02, r * 0.6],
            [-0.02, r * 1.15],
            [0.02, r * 1.15],
            [0.02, r * 0.6],
          ],
          24,
        ),
        [side * r * 1.5, 0, 0],
      ),
    ),
    turnedOnLathe(
      [
        [-r * 1.5, r * 0.7],
        [-r * 0.6, r * 0.75],
        [0, r],
        [r * 0.6, r * 0.75],
        [r * 1.5, r * 0.7],
      ],
      20,
    ),
    moved(across(pipe(r * 2.2, r * 0.6, 0.2, 18)), [0, 0, r * 1.1]),
    moved(
      across(
        turnedOnLathe(
          [
            [-0.015, 0.01],
            [-0.015, r * 0.95],
            [0.015, r * 0.95],
            [0.015, 0.01],
          ],
          20,
        ),
      ),
      [0, 0, r * 1.6],
    ),
    moved(across(rod(r * 1.4, r * 0.12)), [0, 0, r * 2.5]),
    moved(
      across(
        turnedOnLathe(
          Array.from(
            { length: 9 },
            (_, nth) => [Math.sin((nth / 8) * 6.283) * r * 0.1, r * 0.8 + Math.cos((nth / 8) * 6.283) * r * 0.1] as const,
          ),
          22,
        ),
      ),
      [0, 0, r * 3],
    ),
  )
