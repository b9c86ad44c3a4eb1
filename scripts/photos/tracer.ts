import { buildTree, type Hit } from '#scripts/photos/bvh.ts'
import { cross, minus, unit, type Point, type Scene } from '#scripts/photos/mesh.ts'
import { grainy, mix, noise, randomFrom } from '#scripts/photos/random.ts'
import { substanceList, type Substance } from '#scripts/photos/substances.ts'

// Light followed backwards from the camera: sun, sky and what lies around, one bounce deep.

export type Light = { sun: Point; sunlight: Point; sky: Point; horizon: Point; softness: number }
export type Camera = { from: Point; to: Point; lens: number; blur: number; exposure: number }
export type Picture = { scene: Scene; light: Light; camera: Camera; seed: number }

// one bright speck must not outshine its surroundings
const BRIGHTEST = 5

/** Linear light, three numbers a pixel; and what is seen there, for the filter: normal, colour and distance, seven numbers. */
export type Traced = { light: Float32Array; guide: Float32Array }

export function trace({ scene, light, camera, seed }: Picture, width: number, height: number, samples: number): Traced {
  const meet = buildTree(scene)
  const normals = Float32Array.from(scene.normals)
  const random = randomFrom(seed + 99)
  const hit: Hit = { distance: 0, triangle: 0, u: 0, v: 0 }
  const pixels = new Float32Array(width * height * 3)
  const guide = new Float32Array(width * height * 7)
  const first = new Float32Array(7)

  const ahead = unit(minus(camera.to, camera.from))
  const right = unit(cross(ahead, [0, 1, 0]))
  const up = cross(right, ahead)
  const focus = Math.hypot(...minus(camera.to, camera.from))
  const sun = unit(light.sun)
  const seen = [0, 0, 0]

  function sky(dx: number, dy: number, dz: number, into: number[], weight: Point) {
    const clouds = grainy(dx * 3 + seed, dy * 5, dz * 3)
    const height = Math.max(0, dy)
    // sheds and trees round the yard: a dark band that metal reflects
    const roofs = 0.06 + 0.14 * noise(Math.atan2(dx, dz) * 4 + seed, 1, 1)
    const dark = dy < roofs ? 0.16 : 1
    const glow = Math.pow(Math.max(0, dx * sun[0] + dy * sun[1] + dz * sun[2]), 24) * 0.8
    for (let c = 0; c < 3; c++) {
      const plain = mix(light.horizon[c] as number, light.sky[c] as number, Math.sqrt(height)) * (0.75 + 0.5 * clouds)
      into[c] = (into[c] as number) + (weight[c] as number) * dark * (plain + glow * (light.sunlight[c] as number) * 0.4)
    }
  }

  function follow(ox: number, oy: number, oz: number, dx: number, dy: number, dz: number) {
    let weight: Point = [1, 1, 1]
    seen[0] = seen[1] = seen[2] = 0
    first.fill(0)
    first[6] = 50
    for (let bounce = 0; ; bounce++) {
      if (!meet(hit, ox, oy, oz, dx, dy, dz, 1e9, false)) {
        sky(dx, dy, dz, seen, weight)
        return
      }
      const { triangle: t, u, v, distance } = hit
      ox += dx * distance
      oy += dy * distance
      oz += dz * distance
      const w = 1 - u - v
      const n = t * 9
      let nx = w * (normals[n] as number) + u * (normals[n + 3] as number) + v * (normals[n + 6] as number)
      let ny = w * (normals[n + 1] as number) + u * (normals[n + 4] as number) + v * (normals[n + 7] as number)
      let nz = w * (normals[n + 2] as number) + u * (normals[n + 5] as number) + v * (normals[n + 8] as number)
      const substance = substanceList[scene.materials[t] as number] as Substance
      const tint = scene.tints[t] as number
      const { colour, isMetal, rough } = surface(substance, tint, ox, oy, oz)
      if (substance.bumpy && bounce === 0) {
        const f = (substance.fine ?? 4) * 9
        const b = substance.bumpy * 1.4
        nx += b * (noise(ox * f, oy * f, oz * f) - 0.5)
        ny += b * (noise(ox * f + 31, oy * f, oz * f) - 0.5)
        nz += b * (noise(ox * f, oy * f + 57, oz * f) - 0.5)
      }
      const length = Math.hypot(nx, ny, nz) || 1
      const facing = nx * dx + ny * dy + nz * dz > 0 ? -1 : 1
      nx = (nx / length) * facing
      ny = (ny / length) * facing
      nz = (nz / length) * facing
      if (bounce === 0) first.set([nx, ny, nz, ...colour, distance])
      ox += nx * 1e-3
      oy += ny * 1e-3
      oz += nz * 1e-3

      // what is seen in what is seen: about as bright as things in the yard are, in and out of the sun
      if (bounce === 1) {
        const open = 0.35 + 0.65 * Math.max(0, ny)
        const sunny = Math.max(0, nx * sun[0] + ny * sun[1] + nz * sun[2]) * 0.4
        for (let c = 0; c < 3; c++)
          seen[c] =
            (seen[c] as number) +
            (weight[c] as number) * (colour[c] as number) * (open * 0.45 * (light.sky[c] as number) + sunny * (light.sunlight[c] as number))
        return
      }

      // how much the surface mirrors: metal all, the rest little unless looked at flatly
      const cosine = Math.max(0, -(nx * dx + ny * dy + nz * dz))
      const edge = Math.pow(1 - cosine, 5)
      const mirror = isMetal ? 1 : rough > 0.6 ? 0 : (0.04 + 0.6 * edge) * (1 - rough * 0.7)
      const isMirrored = isMetal || random() < mirror

      // the sun, as a disc
      const lx = sun[0] + (random() - 0.5) * light.softness
      const ly = sun[1] + (random() - 0.5) * light.softness
      const lz = sun[2] + (random() - 0.5) * light.softness
      const ll = Math.hypot(lx, ly, lz)
      const toSun = (nx * lx + ny * ly + nz * lz) / ll
      if (toSun > 0 && !meet(hit, ox, oy, oz, lx / ll, ly / ll, lz / ll, 1e9, true)) {
        let strength = toSun
        if (isMirrored) {
          const hx = lx / ll - dx
          const hy = ly / ll - dy
          const hz = lz / ll - dz
          const h = (nx * hx + ny * hy + nz * hz) / Math.hypot(hx, hy, hz)
          const a = Math.max(0.04, rough * rough)
          const d = h * h * (a * a - 1) + 1
          strength = toSun * Math.min(5, (a * a) / (4 * d * d * Math.max(0.15, cosine)))
        }
        for (let c = 0; c < 3; c++)
          seen[c] =
            (seen[c] as number) +
            (weight[c] as number) * (light.sunlight[c] as number) * strength * (isMirrored && !isMetal ? 1 : (colour[c] as number))
      }

      if (isMirrored) {
        const into = 2 * (nx * dx + ny * dy + nz * dz)
        const spread = rough * rough * 1.5
        dx = dx - into * nx + spread * ball(random)
        dy = dy - into * ny + spread * ball(random)
        dz = dz - into * nz + spread * ball(random)
        if (dx * nx + dy * ny + dz * nz < 0) return
      } else {
        dx = nx + ball(random) * 1.15
        dy = ny + ball(random) * 1.15
        dz = nz + ball(random) * 1.15
        if (dx * nx + dy * ny + dz * nz < 0.01) {
          dx = nx
          dy = ny
          dz = nz
        }
      }
      const d = Math.hypot(dx, dy, dz)
      dx /= d
      dy /= d
      dz /= d
      if (!isMirrored || isMetal) weight = [weight[0] * colour[0], weight[1] * colour[1], weight[2] * colour[2]]
    }
  }

  const across = Math.ceil(Math.sqrt(samples))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const sum = [0, 0, 0]
      for (let s = 0; s < samples; s++) {
        const sx = ((x + ((s % across) + random()) / across) / width - 0.5) * camera.lens
        const sy = (0.5 - (y + (Math.floor(s / across) + random()) / across) / height) * camera.lens * (height / width)
        const lx = ball(random) * camera.blur
        const ly = ball(random) * camera.blur
        const px = camera.from[0] + right[0] * lx + up[0] * ly
        const py = camera.from[1] + right[1] * lx + up[1] * ly
        const pz = camera.from[2] + right[2] * lx + up[2] * ly
        let dx = camera.from[0] + (ahead[0] + right[0] * sx + up[0] * sy) * focus - px
        let dy = camera.from[1] + (ahead[1] + right[1] * sx + up[1] * sy) * focus - py
        let dz = camera.from[2] + (ahead[2] + right[2] * sx + up[2] * sy) * focus - pz
        const d = Math.hypot(dx, dy, dz)
        dx /= d
        dy /= d
        dz /= d
        follow(px, py, pz, dx, dy, dz)
        for (let c = 0; c < 3; c++) sum[c] = (sum[c] as number) + Math.min(BRIGHTEST, seen[c] as number)
        for (let g = 0; g < 7; g++)
          guide[(y * width + x) * 7 + g] = (guide[(y * width + x) * 7 + g] as number) + (first[g] as number) / samples
      }
      for (let c = 0; c < 3; c++) pixels[(y * width + x) * 3 + c] = ((sum[c] as number) / samples) * camera.exposure
    }
  }
  return { light: pixels, guide }
}

/** Between -1 and 1, the middle more often. */
const ball = (random: () => number) => random() + random() - 1

/** Colour, and whether metal shows or dirt lies on it, at a place. */
function surface(substance: Substance, tint: number, x: number, y: number, z: number) {
  const { colour, blotch = colour, dirt = colour, blotched = 0, dirty = 0, fine = 4, metal = false, rough } = substance
  // each thing has blotches of its own: its tint shifts them
  const shift = tint * 57.3
  const f = fine * 1.5
  const first = step(grainy(x * f + shift, y * f, z * f), 1 - blotched)
  const second = step(grainy(x * f * 0.7 - shift, y * f * 0.7 + 9, z * f * 0.7), 1 - dirty)
  const brightness = tint * (0.86 + 0.28 * noise(x * 40 + shift, y * 40, z * 40))
  const at = (c: 0 | 1 | 2) => mix(mix(colour[c], blotch[c], first), dirt[c], second) * brightness
  return {
    colour: [at(0), at(1), at(2)] as Point,
    isMetal: metal && second < 0.5,
    rough: Math.min(1, rough + 0.15 * first + 0.35 * second),
  }
}

const step = (value: number, border: number) => Math.max(0, Math.min(1, (value - border * 0.75 - 0.08) / 0.14))
