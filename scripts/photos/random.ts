/** The same numbers for the same seed: a picture can be made again. */
export function randomFrom(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const lattice = (x: number, y: number, z: number) => {
  let mixed = Math.imul(x, 374_761_393) ^ Math.imul(y, 668_265_263) ^ Math.imul(z, 2_147_483_647)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 1_274_126_177)
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 4_294_967_296
}

/** Smooth noise in space, 0 to 1. */
export function noise(x: number, y: number, z: number): number {
  const i = Math.floor(x)
  const j = Math.floor(y)
  const k = Math.floor(z)
  const u = ease(x - i)
  const v = ease(y - j)
  const w = ease(z - k)
  const near = mix(mix(lattice(i, j, k), lattice(i + 1, j, k), u), mix(lattice(i, j + 1, k), lattice(i + 1, j + 1, k), u), v)
  const far = mix(mix(lattice(i, j, k + 1), lattice(i + 1, j, k + 1), u), mix(lattice(i, j + 1, k + 1), lattice(i + 1, j + 1, k + 1), u), v)
  return mix(near, far, w)
}

/** Noise upon finer noise. */
export const grainy = (x: number, y: number, z: number) =>
  0.55 * noise(x, y, z) + 0.3 * noise(2.1 * x + 7, 2.1 * y, 2.1 * z) + 0.15 * noise(4.3 * x, 4.3 * y + 3, 4.3 * z)

export const mix = (a: number, b: number, part: number) => a + (b - a) * part

const ease = (t: number) => t * t * (3 - 2 * t)
