import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import { isAlive } from '#database/embedded/process.ts'

export type WebBuild = {
  /** Changes when anything does that goes into the bundle. */
  version: string
  dir: string
}

/** Builds the web unless what lies in dist/web is made of exactly these sources. */
export async function ensureWebBuild(): Promise<WebBuild> {
  const version = await sourceVersion()
  if ((await builtVersion()) === version) return { version, dir: BUILD }

  const draft = `${BUILD}${DRAFT}${process.pid}`
  await removeLeftovers()
  try {
    await bundle(version, draft)
    await compress(draft)
    await writeFile(join(draft, VERSION_FILE), JSON.stringify({ version }))
    await swapIn(draft, version)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return { version, dir: BUILD }
}

const ROOT = resolve(import.meta.dirname, '..')
const BUILD = join(ROOT, 'dist', 'web')
const DRAFT = '.draft-'
const VERSION_FILE = 'version.json'
const SOURCES = ['web', 'contract', 'domain', 'vite.config.ts', 'package-lock.json']

// contents, not times: a fresh clone and a changed branch must not build what is built
async function sourceVersion(): Promise<string> {
  const hash = createHash('sha256')
  const files = (await Promise.all(SOURCES.map(filesOf))).flat().sort()
  const contents = await Promise.all(files.map((file) => readFile(join(ROOT, file))))
  files.forEach((file, at) => hash.update(`${file}\0${contents[at]?.length}\0`).update(contents[at] ?? ''))
  return hash.digest('hex').slice(0, 12)
}

async function filesOf(source: string): Promise<string[]> {
  if (extname(source)) return [source]
  const entries = await readdir(join(ROOT, source), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
}

async function builtVersion(): Promise<string | undefined> {
  try {
    return (JSON.parse(await readFile(join(BUILD, VERSION_FILE), 'utf8')) as { version?: string }).version
  } catch {
    return undefined // never built, or not to the end
  }
}

async function bundle(version: string, outDir: string): Promise<void> {
  process.env['APP_VERSION'] = version
  const { build } = await import('vite') // 300 ms to load, not for a start that finds everything built
  await build({ root: join(ROOT, 'web'), configFile: join(ROOT, 'vite.config.ts'), logLevel: 'warn', build: { outDir, emptyOutDir: true } })
}

const TEXT = new Set(['.html', '.js', '.css', '.svg', '.json', '.webmanifest', '.txt', '.map'])
const WORTH_IT_BYTES = 1024

async function compress(dir: string): Promise<void> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const texts = entries
    .filter((entry) => entry.isFile() && TEXT.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
  for (const file of texts) {
    const { byteLength } = await readFile(file)
    if (byteLength < WORTH_IT_BYTES) continue
    const brotli = createBrotliCompress({ params: { [constants.BROTLI_PARAM_SIZE_HINT]: byteLength } })
    await Promise.all([
      pipeline(createReadStream(file), brotli, createWriteStream(`${file}.br`)),
      pipeline(createReadStream(file), createGzip({ level: 9 }), createWriteStream(`${file}.gz`)),
    ])
  }
}

// killed between the two renames there is no dist/web, and the next start builds it again
async function swapIn(draft: string, version: string): Promise<void> {
  const old = `${draft}-old`
  try {
    if (existsSync(BUILD)) await rename(BUILD, old)
    await rename(draft, BUILD)
  } catch (error) {
    if ((await builtVersion()) !== version) throw error // else another process put the same build there a moment before
  }
  await rm(old, { recursive: true, force: true })
}

async function removeLeftovers(): Promise<void> {
  const parent = dirname(BUILD)
  await mkdir(parent, { recursive: true })
  const prefix = basename(BUILD) + DRAFT
  for (const name of await readdir(parent)) {
    const builder = Number.parseInt(name.slice(prefix.length), 10)
    if (!name.startsWith(prefix) || (builder !== process.pid && isAlive(builder))) continue
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 3 })
  }
}

if (import.meta.main) {
  const { version, dir } = await ensureWebBuild()
  console.log(`web ${version} in ${dir}`)
}
