import { heap } from '#scripts/photos/heap.ts'
import { place, upright, type Point, type Scene } from '#scripts/photos/mesh.ts'
import { across, box, joined, moved, pipe, prism, rod, stood, turnedOnLathe, wire } from '#scripts/photos/shapes.ts'
import { of } from '#scripts/photos/substances.ts'
import { blockWall, ground, pallet, shedWall, skip, stillage } from '#scripts/photos/yard.ts'

// Motors, batteries, converters, electrical waste; machines and tools.

type Draw = (scene: Scene, random: () => number) => void

/** The ribbed body, the feet and the shaft of an electric motor. */
const motor = () => ({
  body: joined(
    turnedOnLathe(
      [
        [-0.17, 0.001],
        [-0.17, 0.08],
        [-0.15, 0.1],
        [0.13, 0.1],
        [0.15, 0.085],
        [0.17, 0.05],
        [0.17, 0.001],
      ],
      20,
    ),
    ...Array.from({ length: 16 }, (_, nth) => {
      const angle = (nth / 16) * 2 * Math.PI
      return moved(box(0.24, 0.012, 0.012), [0, Math.cos(angle) * 0.105, Math.sin(angle) * 0.105])
    }),
    moved(box(0.1, 0.07, 0.09), [-0.02, 0.12, 0]),
    moved(box(0.2, 0.02, 0.24), [0, -0.115, 0]),
  ),
  shaft: moved(rod(0.1, 0.016), [0.21, 0, 0]),
})

const converter = () =>
  joined(
    turnedOnLathe(
      [
        [-0.19, 0.028],
        [-0.13, 0.09],
        [-0.1, 0.095],
        [0.1, 0.095],
        [0.13, 0.09],
        [0.19, 0.028],
      ],
      22,
      0.68,
    ),
    ...[-0.06, 0, 0.06].map((x) =>
      moved(
        turnedOnLathe(
          [
            [-0.006, 0.095],
            [0, 0.101],
            [0.006, 0.095],
          ],
          22,
          0.68,
        ),
        [x, 0, 0],
      ),
    ),
    moved(pipe(0.16, 0.028, 0.1), [-0.26, 0, 0]),
    moved(pipe(0.2, 0.028, 0.1), [0.28, 0, 0]),
    moved(
      turnedOnLathe(
        [
          [-0.008, 0.028],
          [-0.008, 0.055],
          [0.008, 0.055],
          [0.008, 0.028],
        ],
        14,
      ),
      [0.38, 0, 0],
    ),
  )

export const goodsScenes = {
  motors: (scene, random) => {
    ground(scene, 41)
    blockWall(scene, random)
    const drop = heap(random, { spread: [0.75, 0.5] })
    for (let nth = 0; nth < 75; nth++) {
      const scale = 0.6 + random() * 0.75
      const { at, turn } = drop({ length: 0.36 * scale, width: 0.25 * scale, thickness: 0.22 * scale, settle: 0.65 })
      const { body, shaft } = motor()
      const paint = (['bluePaint', 'greyPaint', 'greenPaint', 'greyPaint', 'castIron', 'bluePaint'] as const)[nth % 6] ?? 'greyPaint'
      place(scene, body, { at, turn, scale, material: of(paint), tint: 0.7 + random() * 0.6 })
      place(scene, shaft, { at, turn, scale, material: of('millSteel') })
    }
  },
  'motors-pallet': (scene, random) => {
    ground(scene, 42)
    shedWall(scene, 'shed', -2)
    pallet(scene, random, [0, 0, 0], 0.15)
    for (let nth = 0; nth < 9; nth++) {
      const scale = 0.95 + random() * 0.35
      const at: Point = [(Math.floor(nth / 3) - 1) * 0.4, 0.16 + 0.125 * scale, ((nth % 3) - 1) * 0.32]
      const { body, shaft } = motor()
      const turn = upright(0.15 + (random() - 0.5) * 0.5 + (nth % 2) * Math.PI)
      place(scene, body, {
        at,
        turn,
        scale,
        material: of(nth % 4 === 1 ? 'greenPaint' : nth % 3 ? 'bluePaint' : 'greyPaint'),
        tint: 0.75 + random() * 0.5,
      })
      place(scene, shaft, { at, turn, scale, material: of('chrome') })
    }
  },
  batteries: (scene, random) => {
    ground(scene, 43)
    blockWall(scene, random, -1.9)
    for (const [x, z] of [
      [-0.72, 0],
      [0.62, -0.25],
    ] as const) {
      pallet(scene, random, [x, 0, z], 0.12)
      for (let level = 0; level < 4; level++)
        for (let i = 0; i < 4; i++)
          for (let j = 0; j < 5; j++) {
            if (level === 3 && random() < 0.45) continue
            const at: Point = [x + (i - 1.5) * 0.27, 0.24 + level * 0.2, z + (j - 2) * 0.19]
            const turn = upright((random() - 0.5) * 0.12)
            place(scene, joined(box(0.25, 0.17, 0.17), moved(box(0.255, 0.03, 0.175), [0, 0.07, 0])), {
              at,
              turn,
              material: of(
                (['blackPlastic', 'blackPlastic', 'greyPvc', 'blackPlastic', 'bluePvc', 'whitePvc'] as const)[Math.floor(random() * 6)] ??
                  'blackPlastic',
              ),
              tint: 0.8 + random() * 0.5,
            })
            place(
              scene,
              joined(moved(stood(rod(0.03, 0.012, 8)), [-0.09, 0.1, 0.05]), moved(stood(rod(0.03, 0.012, 8)), [0.09, 0.1, 0.05])),
              { at, turn, material: of('lead'), tint: 1.5 },
            )
            if (random() < 0.6)
              place(scene, moved(box(0.14, 0.002, 0.08), [0, 0.087, -0.02]), {
                at,
                turn,
                material: of(random() < 0.5 ? 'redPaint' : random() < 0.5 ? 'whitePvc' : 'yellowPaint'),
                tint: 1.2,
              })
          }
    }
  },
  'catalytic-converters': (scene, random) => {
    ground(scene, 44)
    shedWall(scene, 'greyPaint', -1.7)
    stillage(scene, { at: [0, 0, 0], turn: 0.2, size: [1.3, 0.55, 0.9], paint: 'bluePaint' })
    const drop = heap(random, { spread: [0.4, 0.28], within: [0.58, 0.38], floor: 0.22 })
    for (let nth = 0; nth < 60; nth++) {
      const scale = 0.7 + random() * 0.35
      const { at, turn } = drop({ length: 0.5 * scale, width: 0.2 * scale, thickness: 0.14 * scale, settle: 0.65 })
      place(scene, converter(), {
        at,
        turn,
        scale,
        material: of(random() < 0.45 ? 'stainless' : random() < 0.6 ? 'millSteel' : 'rustySteel'),
        tint: 0.55 + random() * 0.4,
      })
    }
  },
  weee: (scene, random) => {
    ground(scene, 45)
    shedWall(scene, 'greyPaint', -2)
    const rack = (at: Point, yaw: number) => {
      const turn = upright(yaw)
      const frame = joined(
        ...[-0.29, 0.29].flatMap((x) => [-0.35, 0.35].map((z) => moved(box(0.04, 1.7, 0.04), [x, 0.85, z]))),
        ...[0.02, 1.69].map((y) => moved(box(0.62, 0.04, 0.74), [0, y, 0])),
      )
      place(scene, frame, { at, turn, material: of('blackPlastic'), tint: 1.4 })
      for (let u = 0; u < 15; u++) {
        if (random() < 0.2) continue
        const high = random() < 0.4 ? 0.085 : 0.045
        place(scene, moved(box(0.53, high, 0.66), [0, 0.1 + u * 0.105, 0.01]), {
          at,
          turn,
          material: of((['greyPaint', 'blackPlastic', 'galvanised', 'greyPvc'] as const)[u % 4] ?? 'greyPaint'),
          tint: 0.7 + random() * 0.5,
        })
        for (let slot = 0; slot < 5; slot++)
          place(scene, moved(box(0.07, high * 0.6, 0.01), [-0.2 + slot * 0.1, 0.1 + u * 0.105, 0.345]), {
            at,
            turn,
            material: of(slot === 4 ? 'circuitBoard' : 'blackPlastic'),
          })
      }
    }
    rack([-0.75, 0, -0.8], 0.15)
    rack([-0.05, 0, -0.95], -0.05)
    rack([0.7, 0, -0.75], -0.2)
    const drop = heap(random, { centre: [0.1, 0.35], spread: [0.7, 0.25] })
    for (let nth = 0; nth < 60; nth++) {
      const [w, d] = [0.2 + random() * 0.25, 0.15 + random() * 0.2]
      const { at, turn } = drop({ length: w, width: d, thickness: 0.07 })
      const material =
        (['greyPaint', 'circuitBoard', 'blackPlastic', 'whitePvc', 'galvanised', 'circuitBoard'] as const)[nth % 6] ?? 'greyPaint'
      place(scene, box(w, nth % 6 === 1 ? 0.008 : 0.05 + random() * 0.06, d), {
        at,
        turn,
        material: of(material),
        tint: 0.75 + random() * 0.4,
      })
    }
    for (let nth = 0; nth < 14; nth++) {
      const points = Array.from({ length: 14 }, (_, step): Point => [
        0.6 * Math.sin(step * 0.4 + nth),
        0.05 + 0.15 * Math.abs(Math.sin(step * 0.3 + nth * 2)),
        0.2 + step * 0.04 + 0.2 * Math.cos(step * 0.5 + nth),
      ])
      place(scene, wire(points, 0.005, 6), { at: [(random() - 0.5) * 0.8, 0, 0], material: of(nth % 2 ? 'blackPlastic' : 'bluePvc') })
    }
  },
  lathe: (scene, random) => {
    ground(scene, 46)
    shedWall(scene, 'whitePvc', -1.5)
    const put = (shape: ReturnType<typeof box>, at: Point, material: Parameters<typeof of>[0], tint = 1) =>
      place(scene, shape, { at: [at[0], at[1], at[2] - 0.3], turn: upright(0), material: of(material), tint })
    put(box(0.6, 0.75, 0.5), [-0.95, 0.375, 0], 'greenPaint')
    put(box(0.45, 0.75, 0.45), [0.85, 0.375, 0], 'greenPaint')
    put(box(2.4, 0.09, 0.56), [-0.02, 0.72, 0.02], 'greyPaint', 0.7)
    put(
      prism(
        [
          [-0.1, -0.2],
          [0.08, -0.2],
          [0.1, -0.16],
          [0.1, -0.1],
          [0.06, -0.08],
          [0.06, 0.08],
          [0.1, 0.1],
          [0.1, 0.16],
          [0.08, 0.2],
          [-0.1, 0.2],
        ],
        1.75,
      ),
      [0.28, 0.87, 0],
      'millSteel',
      1.7,
    )
    put(box(1.75, 0.14, 0.34), [0.28, 0.84, 0], 'greenPaint')
    put(box(0.62, 0.52, 0.44), [-0.92, 1.05, 0], 'greenPaint')
    put(box(0.5, 0.2, 0.01), [-0.92, 1.1, 0.225], 'galvanised')
    for (let nth = 0; nth < 4; nth++) put(across(rod(0.05, 0.035)), [-1.1 + nth * 0.12, 1.08, 0.24], nth % 2 ? 'redPaint' : 'blackPlastic')
    put(
      turnedOnLathe(
        [
          [-0.07, 0.03],
          [-0.07, 0.15],
          [0.06, 0.15],
          [0.07, 0.14],
          [0.07, 0.02],
        ],
        30,
      ),
      [-0.53, 1.12, 0],
      'chrome',
    )
    for (const angle of [0, 2.1, 4.2])
      put(box(0.07, 0.06, 0.06), [-0.45, 1.12 + Math.cos(angle) * 0.07, Math.sin(angle) * 0.07], 'millSteel', 1.4)
    put(rod(0.5, 0.03), [-0.2, 1.12, 0], 'chrome')
    put(box(0.3, 0.08, 0.5), [0.15, 1, 0.02], 'greyPaint', 0.9)
    put(box(0.28, 0.3, 0.04), [0.15, 0.85, 0.25], 'greenPaint')
    put(
      across(
        turnedOnLathe(
          Array.from({ length: 9 }, (_, nth) => [Math.sin((nth / 8) * 6.283) * 0.012, 0.1 + Math.cos((nth / 8) * 6.283) * 0.012] as const),
          26,
        ),
      ),
      [0.1, 0.84, 0.31],
      'chrome',
    )
    put(box(0.12, 0.08, 0.12), [0.15, 1.08, 0.02], 'millSteel', 1.5)
    put(box(0.26, 0.26, 0.24), [0.85, 1.08, 0], 'greenPaint')
    put(rod(0.5, 0.05), [0.72, 1.13, 0], 'chrome')
    put(rod(1.9, 0.013), [0.25, 0.82, 0.24], 'chrome')
    put(rod(1.9, 0.011), [0.25, 0.77, 0.24], 'millSteel', 1.6)
    for (let nth = 0; nth < 60; nth++)
      place(scene, box(0.02 + random() * 0.03, 0.006, 0.008), {
        at: [(random() - 0.5) * 2.4, 0.005, random() * 0.9],
        turn: upright(random() * 6),
        material: of('turnings'),
      })
  },
  shear: (scene, random) => {
    ground(scene, 47)
    blockWall(scene, random, -2)
    const put = (shape: ReturnType<typeof box>, at: Point, material: Parameters<typeof of>[0], tint = 1) =>
      place(scene, shape, { at, turn: upright(0.35), material: of(material), tint })
    put(box(1.9, 0.14, 0.6), [0, 0.07, 0], 'greyPaint', 0.6)
    put(
      prism(
        [
          [-0.45, -0.1],
          [0.45, -0.1],
          [0.45, 0.1],
          [-0.45, 0.1],
        ],
        0.8,
      ),
      [-0.45, 0.6, 0.1],
      'yellowPaint',
    )
    put(box(1, 0.3, 0.26), [0.42, 0.3, -0.05], 'yellowPaint', 0.95)
    put(box(0.95, 0.05, 0.06), [0.42, 0.46, -0.08], 'chrome')
    const jaw = prism(
      [
        [-0.1, -0.1],
        [0.28, -0.1],
        [0.28, 0.1],
        [-0.1, 0.1],
      ],
      1,
    )
    place(scene, jaw, {
      at: [0.38, 0.86, -0.1],
      turn: [
        [0.85, 0.38, -0.36],
        [-0.35, 0.92, 0.15],
        [0.38, 0, 0.92],
      ],
      material: of('yellowPaint'),
      tint: 1.05,
    })
    put(across(rod(0.34, 0.1, 24)), [-0.1, 0.72, 0.02], 'millSteel', 1.3)
    place(scene, pipe(0.7, 0.09, 0.5, 20), {
      at: [-0.62, 1.15, 0.22],
      turn: [
        [0.85, 0.42, -0.3],
        [-0.4, 0.9, 0.14],
        [0.33, 0, 0.94],
      ],
      material: of('greyPaint'),
    })
    place(scene, rod(0.5, 0.045), {
      at: [-0.2, 1.32, 0.07],
      turn: [
        [0.85, 0.42, -0.3],
        [-0.4, 0.9, 0.14],
        [0.33, 0, 0.94],
      ],
      material: of('chrome'),
    })
    put(box(0.5, 0.5, 0.45), [-1.15, 0.4, 0.4], 'greyPaint')
    for (let nth = 0; nth < 3; nth++) {
      const points = Array.from({ length: 14 }, (_, step): Point => [
        -1.05 + step * 0.05,
        0.68 + 0.32 * Math.sin((step / 13) * 2.6) + nth * 0.03,
        0.45 - step * 0.02 + nth * 0.05,
      ])
      place(scene, wire(points, 0.018, 8), { at: [0, 0, 0], material: of('blackPlastic') })
    }
    const drop = heap(random, { centre: [1.1, 0.5], spread: [0.3, 0.3] })
    for (let nth = 0; nth < 40; nth++) {
      const { at, turn } = drop({ length: 0.25, width: 0.05, thickness: 0.04 })
      place(scene, pipe(0.25, 0.025), { at, turn, material: of('rustySteel'), tint: 0.8 + random() * 0.4 })
    }
  },
  tools: (scene, random) => {
    ground(scene, 48, 'wood')
    shedWall(scene, 'greyPaint', -1.4)
    for (const [x, z, paint] of [
      [-0.5, 0, 'redPaint'],
      [0.42, 0.05, 'bluePaint'],
      [-0.05, -0.75, 'greyPaint'],
    ] as const) {
      skip(scene, { at: [x, 0, z], turn: 0.1, size: [0.8, 0.28, 0.55], paint })
      const drop = heap(random, { centre: [x, z], spread: [0.26, 0.17], within: [0.36, 0.23], floor: 0.14 })
      for (let nth = 0; nth < 85; nth++) {
        const length = 0.12 + random() * 0.2
        const { at, turn } = drop({ length, width: 0.04, thickness: 0.022, settle: 0.6 })
        const kind = nth % 4
        const head = (end: number) =>
          moved(
            stood(
              turnedOnLathe(
                [
                  [-0.005, length * 0.05],
                  [-0.005, length * 0.11],
                  [0.005, length * 0.11],
                  [0.005, length * 0.05],
                  [-0.005, length * 0.05],
                ],
                14,
              ),
            ),
            [end * length * 0.5, 0, 0],
          )
        const shapes = [
          () => joined(box(length * 0.9, 0.009, length * 0.1), head(1), head(-1)),
          () => joined(rod(length * 0.6, 0.005, 8), moved(rod(length * 0.4, 0.014, 10), [-length * 0.45, 0, 0])),
          () => pipe(0.05 + random() * 0.03, 0.014 + random() * 0.01, 0.25, 12),
          () => joined(moved(rod(length, 0.011, 8), [0, 0, 0]), moved(across(rod(length * 0.4, 0.016, 8)), [length * 0.5, 0, 0])),
        ]
        place(scene, (shapes[kind] as () => ReturnType<typeof box>)(), {
          at,
          turn,
          material: of((['chrome', 'redPaint', 'chrome', 'millSteel'] as const)[kind] ?? 'chrome'),
          tint: 0.8 + random() * 0.5,
        })
      }
    }
  },
} satisfies Record<string, Draw>
