import { globSync, rmSync } from 'node:fs'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findPostmaster, isRunning } from '#database/embedded/postmaster.ts'

/** A folder that this process takes with it, and every PostgreSQL that runs inside, however the process ends. */
export async function scratchFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `yardbid-${name}-`))
  await chmod(folder, 0o755)
  removeAtExit(folder)
  return folder
}

export function removeAtExit(folder: string): void {
  exitOnSignals()
  process.once('exit', () => removeNow(folder))
}

function removeNow(folder: string): void {
  for (const pidFile of globSync(`${folder}/**/postmaster.pid`)) killPostgres(dirname(dirname(pidFile)))
  rmSync(folder, { recursive: true, force: true })
}

// in an exit handler nothing can be awaited
function killPostgres(dir: string): void {
  const server = findPostmaster(dir)
  if (!server) return
  process.kill(server.pid, 'SIGQUIT')
  const sleeper = new Int32Array(new SharedArrayBuffer(4))
  for (let waitedMs = 0; isRunning(server) && waitedMs < 5_000; waitedMs += 10) Atomics.wait(sleeper, 0, 0, 10)
}

// a signal ends Node without its exit handlers, unless somebody listens
function exitOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    if (process.listenerCount(signal) === 0) process.once(signal, () => process.exit(130))
  }
}
