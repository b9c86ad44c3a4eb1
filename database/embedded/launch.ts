import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { insideFolder } from '#database/embedded/folder.ts'
import type { Postmaster } from '#database/embedded/postmaster.ts'
import { cleanEnvironment, commandLine, type Way } from '#database/embedded/ways.ts'

/** A server that has been asked to start; `readLog` is what it has said since. */
export type Launched = Postmaster & { readLog: () => string; hasEnded: () => boolean }

type Launch = { dir: string; binary: string; way: Way; fast: boolean; port?: number | undefined }

/** On any free port, unless one is given. */
export async function launch({ dir, binary, way, fast, port: wanted }: Launch): Promise<Launched> {
  const { cluster, log } = insideFolder(dir)
  const port = wanted ?? (await freePort())
  const [command, args] = commandLine(way, binary, ['-D', cluster, '-p', String(port), ...settings(fast)])
  const from = existsSync(log) && statSync(log).size < LOG_MAX_BYTES ? statSync(log).size : 0
  const output = openSync(log, from === 0 ? 'w' : 'a', 0o600)
  // detached: Ctrl-C must reach the app alone, which stops its database last
  const child = spawn(command, args, { detached: true, stdio: ['ignore', output, output], env: cleanEnvironment() })
  closeSync(output)
  child.unref()
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  return {
    pid: child.pid!,
    port,
    cluster,
    readLog: () => readFileSync(log).subarray(from).toString(),
    // not by /proc: between unshare and postgres the command line is empty for a moment, as a zombie's is
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
  }
}

const LOG_MAX_BYTES = 1_000_000

const settings = (fast: boolean): string[] =>
  [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'timezone=UTC',
    // containers have no /dev/shm, or 64 MB of it; PostgreSQL holds a System V segment in any case
    ...(process.platform === 'linux' ? ['dynamic_shared_memory_type=sysv'] : []),
    // what a statement was refused for is the app's to log, and may hold somebody's e-mail address
    'log_min_messages=log',
    'log_error_verbosity=terse',
    'log_checkpoints=off',
    ...(fast ? ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off'] : []),
  ].flatMap((setting) => ['-c', setting])

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
