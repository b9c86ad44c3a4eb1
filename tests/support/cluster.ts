import { rmSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { findPostmaster, stopPostmaster } from '#database/embedded-postmaster.ts'
import { isAlive } from '#database/embedded-process.ts'
import { startPostgres } from '#database/embedded.ts'

const CACHE = resolve(import.meta.dirname, '../../.cache')
const PREFIX = 'test-postgres-'

/** A quick PostgreSQL that this process takes with it, however it ends; one that was killed outright is removed by the next. */
export async function throwAwayCluster(): Promise<{ url: string; remove: () => Promise<void> }> {
  await removeOrphans()
  const dir = join(CACHE, `${PREFIX}${process.pid}`)
  const { url, stop } = await startPostgres({ dir, fast: true })
  const removeAtOnce = () => {
    const server = findPostmaster(dir)
    if (server) process.kill(server.pid, 'SIGQUIT')
    rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
  process.once('exit', removeAtOnce)
  const remove = async () => {
    process.off('exit', removeAtOnce)
    await stop()
    await rm(dir, { recursive: true, force: true })
  }
  return { url, remove }
}

async function removeOrphans(): Promise<void> {
  await mkdir(CACHE, { recursive: true })
  for (const name of await readdir(CACHE)) {
    if (!name.startsWith(PREFIX) || isAlive(Number.parseInt(name.slice(PREFIX.length), 10))) continue
    const server = findPostmaster(join(CACHE, name))
    if (server) await stopPostmaster(server)
    await rm(join(CACHE, name), { recursive: true, force: true, maxRetries: 3 })
  }
}
