import { heap } from '#scripts/photos/heap.ts'
import { along, place, upright, type Point, type Scene } from '#scripts/photos/mesh.ts'
import { noise } from '#scripts/photos/random.ts'
import { across, box, joined, moved, pipe, prism, rod, sheet, stood, turnedOnLathe } from '#scripts/photos/shapes.ts'
import { of, type SubstanceName } from '#scripts/photos/substances.ts'
import { blockWall, ground, litter, pallet, shedWall, skip, stillage } from '#scripts/photos/yard.ts'

// Aluminium, stainless, lead and zinc.

type Draw = (scene: Scene, random: () => number) => void

/** A sheet that somebody has bent, folded or trodden on. */
export const crumpled = (random: () => number, width: number, depth: number, wild: number) => {
  const [seed, fold, curl] = [random() * 99, (random() - 0.5) * 2.4 * wild, (random() - 0.5) * 1.6 * wild]
  return sheet(12, (u, v) => {
    const [x, z] = [(v - 0.5) * width, (u - 0.5) * depth]
    const crease = Math.abs(x * 0.8 + z * 0.4 - 0.06) * fold
    const dents = 0.09 * wild * (noise(x * 6 + seed, 1, z * 6) - 0.5)
    return [x, crease + curl * z * z + dents, z]
  })
}

/** A lid of sheets over a mound, so that nothing shines through. */
function mound(scene: Scene, size: [number, number], high: number, substance: SubstanceName) {
  const core = sheet(30, (u, v) => {
    const [x, z] = [(v - 0.5) * 4 * size[0], (u - 0.5) * 4 * size[1]]
    return [x, high * Math.exp(-((x / size[0]) ** 2) - (z / size[1]) ** 2) * (0.8 + 0.4 * noise(x * 5, 1, z * 5)) - 0.08, z]
  })
  place(scene, core, { at: [0, 0, 0], material: of(substance), tint: 0.3 })
}

const wheel = (spokes: number) =>
  joined(
    turnedOnLathe(
      [
        [-0.1, 0.185],
        [-0.1, 0.215],
        [-0.07, 0.2],
        [0.06, 0.19],
        [0.1, 0.205],
        [0.1, 0.215],
        [0.095, 0.19],
        [0.04, 0.17],
        [-0.09, 0.18],
      ],
      30,
    ),
    turnedOnLathe(
      [
        [0.03, 0.001],
        [0.085, 0.03],
        [0.085, 0.055],
        [0.04, 0.065],
        [0.03, 0.001],
      ],
      18,
    ),
    ...Array.from({ length: spokes }, (_, nth) => {
      const spoke = prism(
        [
          [-0.012, -0.022],
          [0.012, -0.028],
          [0.012, 0.028],
          [-0.012, 0.022],
        ],
        0.15,
      )
      const angle = (nth / spokes) * 2 * Math.PI
      const [c, s] = [Math.cos(angle), Math.sin(angle)]
      const turn = ([x, y, z]: Point): Point => [y + 0.07, c * (x + 0.115) - s * z, s * (x + 0.115) + c * z]
      const still = ([x, y, z]: Point): Point => [y, c * x - s * z, s * x + c * z]
      return { corners: spoke.corners.map(turn), normals: spoke.normals.map(still) }
    }),
  )

const profiles = [
  [
    [-0.03, -0.03],
    [0.03, -0.03],
    [0.03, -0.024],
    [-0.024, -0.024],
    [-0.024, 0.03],
    [-0.03, 0.03],
  ],
  [
    [-0.02, -0.04],
    [0.02, -0.04],
    [0.02, -0.035],
    [-0.015, -0.035],
    [-0.015, 0.035],
    [0.02, 0.035],
    [0.02, 0.04],
    [-0.02, 0.04],
  ],
  [
    [-0.025, -0.025],
    [0.025, -0.025],
    [0.025, 0.025],
    [-0.025, 0.025],
  ],
  [
    [-0.004, -0.035],
    [0.004, -0.035],
    [0.004, 0.035],
    [-0.004, 0.035],
  ],
] as const

export const lightScenes = {
  'aluminium-wheels': (scene, random) => {
    ground(scene, 21)
    blockWall(scene, random, -2.2)
    for (const [x, z] of [
      [-0.75, 0],
      [0.62, -0.1],
      [-0.1, -1.2],
    ] as const) {
      pallet(scene, random, [x, 0, z], 0.1)
      for (let i = 0; i < 2; i++)
        for (let j = 0; j < 2; j++)
          for (let level = 0; level < 4; level++) {
            if (level === 3 && random() < 0.4) continue
            const at: Point = [
              x + (i - 0.5) * 0.5 + (random() - 0.5) * 0.06,
              0.25 + level * 0.205,
              z + (j - 0.5) * 0.46 + (random() - 0.5) * 0.06,
            ]
            place(scene, stood(wheel(5 + Math.floor(random() * 3))), {
              at,
              turn: upright(random() * 6),
              material: of(random() < 0.8 ? 'aluminium' : 'castAluminium'),
              tint: 0.65 + random() * 0.4,
            })
          }
    }
    for (const at of [
      [0.25, 0.215, 0.95],
      [-1.5, 0.215, 0.7],
    ] as Point[])
      place(scene, wheel(5), { at, turn: along([0.5, 0.25, 1]), material: of('aluminium'), tint: 0.85 })
  },
  'aluminium-wheels-heap': (scene, random) => {
    ground(scene, 22)
    shedWall(scene, 'greyPaint')
    const drop = heap(random, { spread: [0.75, 0.5] })
    for (let nth = 0; nth < 75; nth++) {
      const { at, turn } = drop({ length: 0.42, width: 0.42, thickness: 0.2, settle: 0.75 })
      const tilted = random() < 0.7 ? stood(wheel(5 + Math.floor(random() * 3))) : wheel(5)
      place(scene, tilted, { at, turn, material: of(random() < 0.75 ? 'aluminium' : 'castAluminium'), tint: 0.6 + random() * 0.45 })
    }
  },
  'aluminium-sheet': (scene, random) => {
    ground(scene, 23)
    blockWall(scene, random)
    mound(scene, [0.8, 0.6], 0.5, 'aluminium')
    const drop = heap(random, { spread: [0.8, 0.55] })
    for (let nth = 0; nth < 110; nth++) {
      const [width, depth] = [0.3 + random() * 0.6, 0.2 + random() * 0.4]
      const { at, turn } = drop({ length: width, width: depth, thickness: 0.07, settle: 0.5 })
      place(scene, crumpled(random, width, depth, 0.7), {
        at,
        turn,
        material: of(random() < 0.7 ? 'aluminium' : random() < 0.6 ? 'paintedSheet' : 'greenPaint'),
        tint: 0.7 + random() * 0.4,
      })
    }
  },
  'aluminium-extrusion': (scene, random) => {
    ground(scene, 24)
    blockWall(scene, random, -1.9)
    stillage(scene, { at: [0, 0, 0], turn: 0.2, size: [1.5, 0.65, 0.95], paint: 'bluePaint' })
    const drop = heap(random, { spread: [0.3, 0.32], within: [0.8, 0.42], floor: 0.3 })
    for (let nth = 0; nth < 190; nth++) {
      const length = 0.4 + random() * 0.85
      const { at, turn } = drop({ length, width: 0.06, thickness: 0.05, yaw: 0.2 + (random() - 0.5) * 0.5, settle: 0.6 })
      const outline = profiles[nth % profiles.length] as (typeof profiles)[number]
      place(scene, prism(outline, length, outline.length === 4 ? [outline] : []), {
        at,
        turn,
        material: of(random() < 0.85 ? 'aluminium' : 'paintedSheet'),
        tint: 0.8 + random() * 0.3,
      })
    }
  },
  'aluminium-cast': (scene, random) => {
    ground(scene, 25)
    blockWall(scene, random)
    const drop = heap(random, { spread: [0.75, 0.5] })
    for (let nth = 0; nth < 46; nth++) {
      const s = 0.75 + random() * 0.4
      const { at, turn } = drop({ length: 0.5 * s, width: 0.36 * s, thickness: 0.3 * s, settle: 0.65 })
      place(scene, engineBlock(), { at, turn, scale: s, material: of('castAluminium'), tint: 0.7 + random() * 0.5 })
    }
    litter(scene, random, 40, 'castAluminium')
  },
  'stainless-cuttings': (scene, random) => {
    ground(scene, 26)
    blockWall(scene, random)
    mound(scene, [0.75, 0.55], 0.5, 'stainless')
    const drop = heap(random, { spread: [0.75, 0.5] })
    for (let nth = 0; nth < 120; nth++) {
      const [width, depth] = [0.2 + random() * 0.55, 0.12 + random() * 0.35]
      const { at, turn } = drop({ length: width, width: depth, thickness: 0.06, settle: 0.5 })
      const curl = 1.2 + random() * 2
      const piece = sheet(10, (u, v) => [(v - 0.5) * width, curl * ((v - 0.5) * width) ** 2, (u - 0.5) * depth])
      if (nth % 5 === 0) place(scene, pipe(width * 1.3, 0.03 + random() * 0.03, 0.06), { at, turn, material: of('stainless'), tint: 0.9 })
      else place(scene, piece, { at, turn, material: of('stainless'), tint: 0.75 + random() * 0.3 })
    }
  },
  'stainless-skip': (scene, random) => {
    ground(scene, 27)
    shedWall(scene, 'shed')
    skip(scene, { at: [0, 0, 0], turn: -0.15, size: [2.3, 0.8, 1.4], paint: 'bluePaint' })
    const drop = heap(random, { spread: [0.7, 0.4], within: [1.05, 0.6], floor: 0.45 })
    for (let nth = 0; nth < 150; nth++) {
      const [width, depth] = [0.2 + random() * 0.5, 0.1 + random() * 0.3]
      const { at, turn } = drop({ length: width, width: depth, thickness: 0.05, settle: 0.5 })
      if (nth % 3 === 0) place(scene, pipe(width * 1.4, 0.02 + random() * 0.04, 0.06), { at, turn, material: of('stainless') })
      else place(scene, crumpled(random, width, depth, 0.4), { at, turn, material: of('stainless'), tint: 0.75 + random() * 0.3 })
    }
  },
  'lead-sheet': (scene, random) => {
    ground(scene, 28)
    blockWall(scene, random, -2)
    pallet(scene, random, [0, 0, 0], -0.15)
    const drop = heap(random, { spread: [0.42, 0.32], within: [0.68, 0.5], floor: 0.14 })
    for (let nth = 0; nth < 36; nth++) {
      const long = 0.4 + random() * 0.4
      const [turns, thick] = [2 + random() * 1.5, 0.03 + random() * 0.02]
      const { at, turn } = drop({ length: long, width: 0.2, thickness: 0.15, settle: 0.7, yaw: (random() - 0.5) * 0.9 })
      const roll = sheet(40, (u, v) => {
        const angle = u * turns * 6.283
        const r = 0.02 + u * thick * turns * 0.75
        return [(v - 0.5) * long + 0.02 * noise(u * 9, nth, 1), Math.cos(angle) * r * 0.8, Math.sin(angle) * r]
      })
      place(scene, roll, { at, turn, material: of('lead'), tint: 0.8 + random() * 0.4 })
    }
    for (let nth = 0; nth < 12; nth++) {
      const { at, turn } = drop({ length: 0.5, width: 0.3, thickness: 0.05 })
      place(scene, crumpled(random, 0.5, 0.3, 0.5), { at, turn, material: of('lead'), tint: 0.9 + random() * 0.3 })
    }
  },
  'zinc-ingots': (scene, random) => {
    ground(scene, 29)
    shedWall(scene, 'greyPaint', -2)
    pallet(scene, random, [0, 0, 0], 0.2)
    const ingot = joined(
      prism(
        [
          [-0.035, -0.06],
          [0.035, -0.045],
          [0.035, 0.045],
          [-0.035, 0.06],
        ],
        0.5,
      ),
      ...[-0.27, 0.27].map((x) => moved(box(0.05, 0.03, 0.08), [x, -0.01, 0])),
    )
    for (let level = 0; level < 8; level++) {
      for (let nth = 0; nth < (level % 2 ? 8 : 7); nth++) {
        if (level > 5 && random() < 0.3) continue
        const offset = (nth - 3.5) * 0.128 + (random() - 0.5) * 0.01
        const shape = level % 2 ? ingot : across(ingot)
        for (const half of [-0.29, 0.29]) {
          const local: Point = level % 2 ? [half, 0, offset] : [offset, 0, half]
          const [c, s] = [Math.cos(0.2), Math.sin(0.2)]
          const at: Point = [c * local[0] + s * local[2], 0.18 + level * 0.072, -s * local[0] + c * local[2]]
          place(scene, shape, { at, turn: upright(0.2 + (random() - 0.5) * 0.05), material: of('zinc'), tint: 0.75 + random() * 0.45 })
        }
      }
    }
  },
} satisfies Record<string, Draw>

const engineBlock = () =>
  joined(
    box(0.46, 0.26, 0.2),
    moved(box(0.5, 0.03, 0.26), [0, -0.14, 0]),
    moved(box(0.48, 0.025, 0.23), [0, 0.135, 0]),
    ...[-0.165, -0.055, 0.055, 0.165].map((x) => moved(stood(pipe(0.06, 0.047, 0.12, 16)), [x, 0.15, 0])),
    ...[-0.2, -0.1, 0, 0.1, 0.2].map((x) => moved(box(0.012, 0.22, 0.25), [x, 0, 0])),
    moved(across(rod(0.3, 0.04)), [0.15, 0.02, 0]),
    moved(rod(0.54, 0.05), [0, -0.07, 0.02]),
  )
