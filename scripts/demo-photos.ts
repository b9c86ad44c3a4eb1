import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { develop } from '#scripts/photos/develop.ts'
import { newScene } from '#scripts/photos/mesh.ts'
import { randomFrom } from '#scripts/photos/random.ts'
import { shots } from '#scripts/photos/shots.ts'
import { smooth } from '#scripts/photos/smooth.ts'
import { trace } from '#scripts/photos/tracer.ts'

// npm run demo-photos [-- name …] [-- --draft]: the pictures of the demo's listings, made by light through scrap
// that never was. By hand and rarely: a minute each. What it makes is committed under database/demo-photos/.

const FOLDER = path.join(import.meta.dirname, '..', 'database', 'demo-photos')
const isDraft = process.argv.includes('--draft')
// traced at less than half the size that is kept: a telephone's picture is no sharper
const [width, height, samples] = isDraft ? [320, 240, 3] : [360, 270, 3]
const SHOWN = { width: 880, height: 660 }
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))

const folder = isDraft ? path.join(FOLDER, '..', '..', '.cache', 'photos') : FOLDER
await mkdir(folder, { recursive: true })
for (const [name, { draw, light, camera, seed }] of Object.entries(shots)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const begun = performance.now()
  const scene = newScene()
  draw(scene, randomFrom(seed))
  const traced = trace({ scene, light, camera, seed }, width, height, samples)
  const picture = await sharp(await develop(smooth(traced, width, height), width, height, seed))
    .resize({ ...SHOWN, kernel: 'lanczos3' })
    .sharpen({ sigma: 1.2, m1: 0.6, m2: 1.2 })
    .png()
    .toBuffer()
  await writeFile(path.join(folder, `${name}.jpg`), await sharp(picture).jpeg({ quality: 60, mozjpeg: true }).toBuffer())
  for (const size of [320, 640]) {
    const small = sharp(picture)
      .resize({ width: size })
      .webp({ quality: size === 320 ? 66 : 56, effort: 5 })
    await writeFile(path.join(folder, `${name}.${size}.webp`), await small.toBuffer())
  }
  console.log(`${name}: ${scene.materials.length} triangles, ${Math.round((performance.now() - begun) / 1000)} s`)
}
