import { mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { findPostmaster, stopPostmaster } from '#database/embedded/postmaster.ts'
import { isAlive } from '#database/embedded/process.ts'
import { startPostgres } from '#database/embedded/postgres.ts'
import { removeAtExit } from '#tests/support/files/scratch.ts'

const CACHE = resolve(import.meta.dirname, '../../../.cache')
const PREFIX = 'test-postgres-'

/** A quick PostgreSQL that ends with this process; one whose process was killed outright is removed by the next. */
export async function throwAwayCluster(): Promise<{ url: string; remove: () => Promise<void> }> {
  await removeOrphans()
  const folder = join(CACHE, `${PREFIX}${process.pid}`)
  removeAtExit(folder)
  const { url, stop } = await startPostgres({ dir: join(folder, 'postgres'), fast: true })
  const remove = async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { url, remove }
}

async function removeOrphans(): Promise<void> {
  await mkdir(CACHE, { recursive: true })
  for (const name of await readdir(CACHE)) {
    if (!name.startsWith(PREFIX) || isAlive(Number.parseInt(name.slice(PREFIX.length), 10))) continue
    const server = findPostmaster(join(CACHE, name, 'postgres'))
    if (server) await stopPostmaster(server)
    await rm(join(CACHE, name), { recursive: true, force: true, maxRetries: 3 })
  }
}
