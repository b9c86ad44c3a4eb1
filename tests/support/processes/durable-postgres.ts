import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '#database/embedded/postgres.ts'
import { findPostmaster, isRunning } from '#database/embedded/postmaster.ts'
import { scratchFolder } from '#tests/support/files/scratch.ts'

export type DurablePostgres = {
  /** Stays the same over every death. */
  url: string
  /** SIGKILL to the postmaster and all of its children, as if the machine had lost its power. */
  kill(): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
}

/** A PostgreSQL that writes to its disk before it answers, and can be killed. */
export async function durablePostgres(): Promise<DurablePostgres> {
  const dir = join(await scratchFolder('faults'), 'postgres')
  let server = await startPostgres({ dir })
  // each start has another port: the line in front of it keeps one
  const line = createServer((near) => connectBoth(near, connect(portOf(server.url), '127.0.0.1'))).listen(0, '127.0.0.1')
  await once(line, 'listening')
  const url = new URL(server.url)
  url.port = String((line.address() as AddressInfo).port)
  return {
    url: url.href,
    kill: () => killAll(dir),
    async start() {
      server = await startPostgres({ dir })
    },
    async remove() {
      line.close()
      await server.stop()
    },
  }
}

const portOf = (url: string) => Number(new URL(url).port)

function connectBoth(near: Socket, far: Socket) {
  near.pipe(far).pipe(near)
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
}

async function killAll(dir: string): Promise<void> {
  const postmaster = findPostmaster(dir)
  if (!postmaster) throw new Error('there is no PostgreSQL to kill')
  process.kill(postmaster.pid, 'SIGSTOP') // it starts no child while we look for them
  const all = [postmaster.pid, ...childrenOf(postmaster.pid)]
  for (const pid of all) killQuietly(pid)
  while (isRunning(postmaster)) await pause(5)
}

const childrenOf = (parent: number): number[] =>
  globSync('/proc/[0-9]*/stat').flatMap((file) => {
    const fields = readQuietly(file).split(') ').at(-1)?.split(' ') ?? []
    return Number(fields[1]) === parent ? [Number(file.split('/')[2])] : []
  })

// either may have ended by itself since we looked
function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function readQuietly(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
