import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '#database/embedded/postgres.ts'
import { findPostmaster, isRunning } from '#database/embedded/postmaster.ts'
import { scratchFolder } from '#tests/support/files/scratch.ts'
import { silentRelay } from '#tests/support/processes/silent-relay.ts'

export type DurablePostgres = {
  /** Stays the same over every death. */
  url: string
  /** Everything that is connected stays so and is never answered again. */
  swallow(): void
  /** SIGKILL to the postmaster and all of its children, as if the machine had lost its power. */
  kill(): Promise<void>
  /** In good order, as an operator does. */
  stop(): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
}

/** A PostgreSQL that writes to its disk before it answers, and can be killed. */
export async function durablePostgres(): Promise<DurablePostgres> {
  const dir = join(await scratchFolder('faults'), 'postgres')
  let server = await startPostgres({ dir })
  // each start has another port: the line in front of it keeps one
  const line = await silentRelay(() => portOf(server.url))
  const url = new URL(server.url)
  url.port = String(line.port)
  return {
    url: url.href,
    swallow: () => line.swallow(),
    kill: () => killAll(dir),
    stop: () => server.stop(),
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

async function killAll(dir: string): Promise<void> {
  const postmaster = findPostmaster(dir)
  if (!postmaster) throw new Error('there is no PostgreSQL to kill')
  process.kill(postmaster.pid, 'SIGSTOP') // it starts no child while we look for them
  const all = [postmaster.pid, ...childrenOf(postmaster.pid)]
  for (const pid of all) killQuietly(pid)
  while (isRunning(postmaster)) await pause(5)
}

export const childrenOf = (parent: number): number[] =>
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
