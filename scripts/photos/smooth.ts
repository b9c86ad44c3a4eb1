import type { Traced } from '#scripts/photos/tracer.ts'

const KERNEL = [1 / 16, 1 / 4, 3 / 8, 1 / 4, 1 / 16]

/** Takes the speckle of few samples out: each pixel borrows light from neighbours that show the same thing, never across an edge. */
export function smooth({ light, guide }: Traced, width: number, height: number): Float32Array {
  let from = light
  for (const reach of [1, 2]) {
    const into = new Float32Array(from.length)
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const at = y * width + x
        const sum = [0, 0, 0]
        let weights = 0
        for (let j = -2; j <= 2; j++) {
          const ny = y + j * reach
          if (ny < 0 || ny >= height) continue
          for (let i = -2; i <= 2; i++) {
            const nx = x + i * reach
            if (nx < 0 || nx >= width) continue
            const other = ny * width + nx
            const weight = (KERNEL[i + 2] as number) * (KERNEL[j + 2] as number) * likeness(guide, from, at, other)
            weights += weight
            for (let c = 0; c < 3; c++) sum[c] = (sum[c] as number) + weight * (from[other * 3 + c] as number)
          }
        }
        for (let c = 0; c < 3; c++) into[at * 3 + c] = (sum[c] as number) / weights
      }
    }
    from = into
  }
  return from
}

function likeness(guide: Float32Array, light: Float32Array, a: number, b: number): number {
  let normal = 0
  let colour = 0
  let bright = 0
  for (let c = 0; c < 3; c++) {
    normal += ((guide[a * 7 + c] as number) - (guide[b * 7 + c] as number)) ** 2
    colour += ((guide[a * 7 + 3 + c] as number) - (guide[b * 7 + 3 + c] as number)) ** 2
    bright += (Math.log(0.1 + (light[a * 3 + c] as number)) - Math.log(0.1 + (light[b * 3 + c] as number))) ** 2
  }
  const depth = Math.abs((guide[a * 7 + 6] as number) - (guide[b * 7 + 6] as number)) / (guide[a * 7 + 6] as number)
  return Math.exp(-normal * 6 - colour * 60 - bright * 0.5 - depth * 25)
}
