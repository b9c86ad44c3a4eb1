import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { insideFolder } from '#database/embedded/folder.ts'
import { isAlive } from '#database/embedded/process.ts'

export type Postmaster = { pid: number; port: number; cluster: string }

/** The server that runs on this folder now, whoever started it. */
export function findPostmaster(dir: string): Postmaster | undefined {
  const written = readPidFile(dir)
  return written && isRunning(written) ? written : undefined
}

export function isRunning({ pid, cluster }: Postmaster): boolean {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') return true // no /proc: a wrong guess shows when nobody answers on the port
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8') // empty for a zombie
    return command.includes('postgres') && command.includes(cluster)
  } catch {
    return false // gone between the two looks
  }
}

/**
 * After a power cut the pid in the file may belong to any process of the new boot; PostgreSQL takes one of the same
 * user for its own predecessor, and refuses to start.
 */
export async function removeStalePidFile(dir: string): Promise<void> {
  const written = readPidFile(dir)
  if (written && isAlive(written.pid) && !isRunning(written)) await rm(insideFolder(dir).pidFile, { force: true })
}

/** Ends the sessions, writes everything committed to disk, resolves when the process is gone. */
export async function stopPostmaster(server: Postmaster): Promise<void> {
  for (const { signal, withinMs } of shutdowns) {
    if (isRunning(server)) process.kill(server.pid, signal)
    const patience = AbortSignal.timeout(withinMs)
    while (isRunning(server) && !patience.aborted) await pause(10)
  }
}

// DESIGN, rule 12: everything stops within 10 s. SIGINT is PostgreSQL's fast shutdown; SIGQUIT is as safe as a power
// cut, the next start replays the log.
const shutdowns = [
  { signal: 'SIGINT', withinMs: 7_000 },
  { signal: 'SIGQUIT', withinMs: 2_000 },
] as const

function readPidFile(dir: string): Postmaster | undefined {
  const { pidFile } = insideFolder(dir)
  if (!existsSync(pidFile)) return undefined
  const [pid, cluster = '', , port] = readFileSync(pidFile, 'utf8').split('\n')
  // a server that is only just starting has not written its port yet
  return Number(pid) > 0 && Number(port) > 0 ? { pid: Number(pid), port: Number(port), cluster } : undefined
}
