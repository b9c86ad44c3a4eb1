import { execFile } from 'node:child_process'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Where things lie in the unpacked folder. */
export type Layout = { executable: string; libraries: string[] }

/** Chromium's headless shell (twice as quick as the whole browser) and what it lacks here, downloaded and unpacked without installing: no root, nothing of the machine changes. */
export async function unpackDebianChromium(into: string): Promise<Layout> {
  const apt = join(into, 'apt')
  const downloads = join(apt, 'downloads')
  for (const folder of [downloads, join(apt, 'lists', 'partial'), join(apt, 'cache', 'archives', 'partial')])
    await mkdir(folder, { recursive: true })
  try {
    const get = (...args: string[]) => run('apt-get', [...ownFolders(apt), ...args], { cwd: downloads, maxBuffer: 16 * 1024 * 1024 })
    await get('update')
    const { stdout } = await get('install', '--simulate', '--no-install-recommends', 'chromium-headless-shell')
    await get('download', ...[...stdout.matchAll(/^Inst (\S+)/gm)].flatMap(([, name]) => name ?? []))
    for (const name of await readdir(downloads)) await run('dpkg-deb', ['-x', join(downloads, name), into])
  } catch (cause) {
    throw new Error(
      `npm has no Chromium for ${process.arch}, and Debian's could not be fetched. Install one and set CHROMIUM to its path.`,
      { cause },
    )
  }
  await rm(apt, { recursive: true })

  const libraries = `usr/lib/${process.arch === 'arm64' ? 'aarch64' : process.arch}-linux-gnu`
  return {
    executable: 'usr/lib/chromium/chromium-headless-shell',
    libraries: [libraries, `${libraries}/pulseaudio`, libraries.slice('usr/'.length)],
  }
}

const run = promisify(execFile)

// package lists of our own: images are shipped without any, old ones name files that are gone, and /var is root's
const ownFolders = (apt: string): string[] =>
  [`Dir::State::lists=${apt}/lists`, `Dir::Cache=${apt}/cache`, 'Debug::NoLocking=1', 'APT::Sandbox::User=root'].flatMap((option) => [
    '-o',
    option,
  ])
