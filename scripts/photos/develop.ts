import sharp from 'sharp'
import { noise, randomFrom } from '#scripts/photos/random.ts'

/** Light to picture, as a telephone's camera does it: a film curve, darker corners, a little grain. */
export async function develop(light: Float32Array, width: number, height: number, seed: number): Promise<Buffer> {
  const random = randomFrom(seed + 7)
  const bytes = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = [x / width - 0.5, y / height - 0.5]
      const corner = 1 - 0.55 * (u * u + v * v)
      const grain = (random() - 0.5) * 0.012 + (noise(x * 0.7, y * 0.7, seed) - 0.5) * 0.012
      for (let c = 0; c < 3; c++) {
        const at = (y * width + x) * 3 + c
        const shown = Math.pow(film((light[at] as number) * corner), 1 / 2.2) + grain
        bytes[at] = Math.max(0, Math.min(255, Math.round(shown * 255)))
      }
    }
  }
  return sharp(bytes, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()
}

/** Bright light is held back, dark keeps its depth. */
const film = (light: number) => {
  const shown = (light * (2.4 * light + 0.05)) / (light * (2.2 * light + 0.6) + 0.12)
  return Math.max(0, Math.min(1, shown))
}
