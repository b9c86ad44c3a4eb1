import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { LIBRARY_FOLDER, readDebianArchive } from '#scripts/browsers/debian.ts'

/** A name for this machine, for WebKit alone, that is not its own: over plain http it is no secure context. */
export const OTHER_NAME = 'yard.test'

/** The command line that runs one of WebKit's programs. */
export type WebKit = { commandFor: (program: string, ...args: string[]) => [command: string, args: string[]] }

/** WebKitGTK with its WebDriver and a display without a screen, unpacked once into .cache; or why this machine cannot have them. */
export async function findWebKit(): Promise<WebKit | { unavailable: string }> {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get'))
    return { unavailable: 'there is no apt, and it comes from Debian’s packages' }
  const dir = join(CACHE, `webkit-${await systemVersion()}`)
  const draft = `${dir}.draft`
  const isUnpacked = existsSync(dir)
  if (!isUnpacked) await startDraft(draft)
  if (!canEnter(isUnpacked ? dir : draft))
    return { unavailable: 'its kernel or container lets nobody lay folders over /usr in a namespace of their own' }
  if (isUnpacked) return webKitIn(dir)

  const archive = await readDebianArchive(draft)
  if (!(await archive.has(DRIVER))) return { unavailable: `Debian’s archive does not answer, or has no ${DRIVER}` }
  await archive.unpack(DRIVER, 'xvfb')
  await rename(draft, dir)
  return webKitIn(dir)
}

const CACHE = resolve(import.meta.dirname, '../../.cache')
const DRIVER = 'webkit2gtk-driver'

// what is unpacked completes the libraries of one release
async function systemVersion(): Promise<string> {
  const release = await readFile('/etc/os-release', 'utf8')
  return ['ID', 'VERSION_ID'].map((name) => new RegExp(`^${name}="?([\\w.]+)`, 'm').exec(release)?.[1] ?? 'unknown').join('-')
}

// also removes the remains of an interrupted run
async function startDraft(draft: string): Promise<void> {
  await rm(draft, { recursive: true, force: true })
  for (const folder of ['usr', 'etc']) await mkdir(join(draft, folder), { recursive: true })
  await writeFile(join(draft, 'etc', 'hosts'), `127.0.0.1 localhost ${OTHER_NAME}\n`)
}

// WebKit looks for its other processes, and Xvfb for its keyboards, below /usr and nowhere else
const ENTER = `mount -t overlay overlay -o "lowerdir=$1/usr:/usr" /usr
mount -t overlay overlay -o "lowerdir=$1/etc:/etc" /etc
export LD_LIBRARY_PATH="$1/lib/${LIBRARY_FOLDER}"
shift
exec "$@"`

const webKitIn = (dir: string): WebKit => ({
  commandFor: (...command) => ['unshare', ['--user', '--map-root-user', '--mount', '--', 'sh', '-e', '-c', ENTER, 'sh', dir, ...command]],
})

const canEnter = (dir: string): boolean => spawnSync(...webKitIn(dir).commandFor('true')).status === 0
