import { execFile } from 'node:child_process'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

export type DebianArchive = {
  /** False too where the archive does not answer. */
  has: (name: string) => Promise<boolean>
  /** Unpacks these packages and what they need that the machine lacks, without installing: no root, nothing of the machine changes. */
  unpack: (...names: string[]) => Promise<void>
}

/** The archive that this machine's apt is set up for, to be unpacked into a folder. */
export async function readDebianArchive(into: string): Promise<DebianArchive> {
  const apt = join(into, 'apt')
  const downloads = join(apt, 'downloads')
  for (const folder of [downloads, join(apt, 'lists', 'partial'), join(apt, 'cache', 'archives', 'partial')])
    await mkdir(folder, { recursive: true })
  const ask = async (command: string, ...args: string[]) =>
    (await run(command, [...ownFolders(apt), ...args], { cwd: downloads, maxBuffer: 16 * 1024 * 1024 })).stdout
  // without an answer it ends well, with empty lists
  await ask('apt-get', 'update')
  return {
    has: async (name) => (await ask('apt-cache', 'pkgnames', name)).split('\n').includes(name),
    async unpack(...names) {
      const plan = await ask('apt-get', 'install', '--simulate', '--no-install-recommends', ...names)
      await ask('apt-get', 'download', ...[...plan.matchAll(/^Inst (\S+)/gm)].flatMap(([, name]) => name ?? []))
      for (const file of await readdir(downloads)) await run('dpkg-deb', ['-x', join(downloads, file), into])
      await rm(apt, { recursive: true })
    },
  }
}

/** Debian's name for the libraries of this processor. */
const machine: Record<string, string> = { x64: 'x86_64', arm64: 'aarch64' }
export const LIBRARY_FOLDER = `${machine[process.arch] ?? process.arch}-linux-gnu`

const run = promisify(execFile)

// package lists of our own: images are shipped without any, old ones name files that are gone, and /var is root's
const ownFolders = (apt: string): string[] =>
  [`Dir::State::lists=${apt}/lists`, `Dir::Cache=${apt}/cache`, 'Debug::NoLocking=1', 'APT::Sandbox::User=root'].flatMap((option) => [
    '-o',
    option,
  ])
