import type { Scene } from '#scripts/photos/mesh.ts'
import { copperScenes } from '#scripts/photos/scenes-copper.ts'
import { ferrousScenes } from '#scripts/photos/scenes-ferrous.ts'
import { goodsScenes } from '#scripts/photos/scenes-goods.ts'
import { lightScenes } from '#scripts/photos/scenes-light.ts'
import type { Camera, Light } from '#scripts/photos/tracer.ts'

export type Shot = { draw: (scene: Scene, random: () => number) => void; light: Light; camera: Camera; seed: number }

const lights = {
  noon: { sun: [0.5, 1, 0.55], sunlight: [3.1, 2.9, 2.6], sky: [0.42, 0.62, 0.95], horizon: [0.9, 0.95, 1], softness: 0.03 },
  overcast: { sun: [-0.3, 1, 0.4], sunlight: [0.5, 0.5, 0.5], sky: [1.05, 1.1, 1.15], horizon: [0.8, 0.83, 0.86], softness: 0.7 },
  evening: { sun: [-0.9, 0.5, 0.6], sunlight: [3.3, 2.3, 1.35], sky: [0.38, 0.48, 0.7], horizon: [1, 0.82, 0.62], softness: 0.04 },
  hazy: { sun: [0.7, 0.8, 0.2], sunlight: [1.7, 1.6, 1.45], sky: [0.75, 0.83, 0.95], horizon: [0.92, 0.92, 0.92], softness: 0.22 },
} as const satisfies Record<string, Light>

const exposures = { noon: 0.7, overcast: 1, evening: 0.78, hazy: 0.8 } as const

const shot = (draw: Shot['draw'], light: keyof typeof lights, seed: number, camera: Partial<Camera> = {}): Shot => ({
  draw,
  light: lights[light],
  seed,
  camera: { from: [0.5, 1.55, 2.6], to: [0, 0.35, 0], lens: 1.05, blur: 0.012, exposure: exposures[light], ...camera },
})

export const shots: Record<string, Shot> = {
  'copper-bright-heap': shot(copperScenes['copper-bright-heap'], 'noon', 1),
  'copper-bright-bag': shot(copperScenes['copper-bright-bag'], 'overcast', 2, { from: [0.6, 1.75, 2.1], to: [-0.35, 0.6, 0] }),
  'copper-pipe': shot(copperScenes['copper-pipe'], 'hazy', 3),
  'copper-pipe-stillage': shot(copperScenes['copper-pipe-stillage'], 'evening', 4, { from: [0.7, 1.65, 1.9], to: [0, 0.5, 0] }),
  'copper-windings': shot(copperScenes['copper-windings'], 'overcast', 5, { from: [-0.4, 1.3, 2] }),
  'cable-pvc': shot(copperScenes['cable-pvc'], 'noon', 6),
  'cable-armoured-skip': shot(copperScenes['cable-armoured-skip'], 'hazy', 7, { from: [1, 1.95, 2.7], to: [0, 0.55, 0] }),
  'cable-drums': shot(copperScenes['cable-drums'], 'evening', 8, { from: [0.9, 1.5, 3.2], to: [0.15, 0.5, -0.2] }),
  'brass-fittings': shot(copperScenes['brass-fittings'], 'overcast', 9, { from: [-0.5, 1.45, 1.45], to: [0, 0.45, 0] }),
  'brass-valves': shot(copperScenes['brass-valves'], 'hazy', 10, { from: [0.5, 1.25, 1.7], to: [0, 0.3, 0] }),
  'aluminium-wheels': shot(lightScenes['aluminium-wheels'], 'overcast', 11, { from: [0.7, 1.6, 2.5], to: [-0.05, 0.45, -0.2] }),
  'aluminium-wheels-heap': shot(lightScenes['aluminium-wheels-heap'], 'evening', 12),
  'aluminium-sheet': shot(lightScenes['aluminium-sheet'], 'noon', 13),
  'aluminium-extrusion': shot(lightScenes['aluminium-extrusion'], 'hazy', 14, { from: [0.9, 1.55, 1.8], to: [0, 0.5, 0] }),
  'aluminium-cast': shot(lightScenes['aluminium-cast'], 'overcast', 15, { from: [-0.5, 1.35, 2.1], to: [0, 0.3, 0] }),
  'stainless-cuttings': shot(lightScenes['stainless-cuttings'], 'hazy', 16, { from: [0.3, 1.35, 2.2], to: [0, 0.3, 0] }),
  'stainless-skip': shot(lightScenes['stainless-skip'], 'noon', 17, { from: [-0.8, 1.8, 2.3], to: [0, 0.55, 0] }),
  'lead-sheet': shot(lightScenes['lead-sheet'], 'overcast', 18, { from: [0.5, 1.35, 1.7], to: [0, 0.35, 0] }),
  'zinc-ingots': shot(lightScenes['zinc-ingots'], 'hazy', 19, { from: [0.7, 1.2, 1.8], to: [0, 0.35, 0] }),
  'steel-plate-girder': shot(ferrousScenes['steel-plate-girder'], 'noon', 20, { from: [0.6, 1.7, 3] }),
  'steel-mixed': shot(ferrousScenes['steel-mixed'], 'overcast', 21),
  'steel-rebar-pipe': shot(ferrousScenes['steel-rebar-pipe'], 'evening', 22, { from: [-0.6, 1.6, 2.7] }),
  'light-iron': shot(ferrousScenes['light-iron'], 'hazy', 23, { from: [0.4, 1.8, 3.1], to: [0, 0.5, 0] }),
  'cast-radiators': shot(ferrousScenes['cast-radiators'], 'overcast', 24, { from: [0.2, 1.35, 2.2], to: [0, 0.25, -0.2] }),
  turnings: shot(ferrousScenes.turnings, 'hazy', 25, { from: [0.6, 1.75, 2], to: [0, 0.65, 0] }),
  bales: shot(ferrousScenes.bales, 'noon', 26, { from: [0.9, 1.5, 3], to: [0, 0.7, -0.5] }),
  'steel-tube-bundles': shot(ferrousScenes['steel-tube-bundles'], 'evening', 27, { from: [3, 1.1, 1.5], to: [1.6, 0.4, -0.3] }),
  'mixed-skip': shot(ferrousScenes['mixed-skip'], 'overcast', 28, { from: [0.9, 1.9, 2.7], to: [0, 0.6, 0] }),
  'cast-drains': shot(ferrousScenes['cast-drains'], 'hazy', 29, { from: [-0.6, 1.3, 1.8], to: [0, 0.3, 0] }),
  motors: shot(goodsScenes.motors, 'overcast', 30, { from: [0.4, 1.35, 2.2], to: [0, 0.3, 0] }),
  'motors-pallet': shot(goodsScenes['motors-pallet'], 'noon', 31, { from: [0.6, 1.15, 1.6], to: [0, 0.25, 0] }),
  batteries: shot(goodsScenes.batteries, 'overcast', 32, { from: [0.5, 1.6, 2.3], to: [0, 0.45, 0] }),
  'catalytic-converters': shot(goodsScenes['catalytic-converters'], 'hazy', 33, { from: [-0.4, 1.4, 1.5], to: [0, 0.4, 0] }),
  weee: shot(goodsScenes.weee, 'overcast', 34, { from: [0.5, 1.5, 2.3], to: [0, 0.6, -0.3] }),
  lathe: shot(goodsScenes.lathe, 'hazy', 35, { from: [0.6, 1.6, 2.3], to: [-0.05, 0.75, -0.3] }),
  shear: shot(goodsScenes.shear, 'overcast', 36, { from: [0.9, 1.6, 2.5], to: [0, 0.55, 0] }),
  tools: shot(goodsScenes.tools, 'hazy', 37, { from: [0.2, 1.25, 1.35], to: [0, 0.15, -0.1] }),
}
