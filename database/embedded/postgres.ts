import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { findBinaries } from '#database/embedded/binaries.ts'
import { giveFolderTo, makeFolderOnce, OWNER_ROLE, readPassword } from '#database/embedded/folder.ts'
import { launch, type Launched } from '#database/embedded/launch.ts'
import { findPostmaster, isRunning, removeStalePidFile, stopPostmaster, type Postmaster } from '#database/embedded/postmaster.ts'
import { chooseWay, type WayName } from '#database/embedded/ways.ts'

export type EmbeddedPostgres = {
  url: string
  /** It ran already: its app was killed, or another process uses the folder. */
  adopted: boolean
  /** Starts it again on the same port if it has ended, as after a crash. */
  revive: () => Promise<void>
  stop: () => Promise<void>
}

type Options = {
  dir: string
  /** For tests: nothing survives a crash, everything is quicker. */
  fast?: boolean
  /** How root runs it; by default whatever works here. */
  as?: WayName
  port?: number
  /** How long it may take until it answers; a restored one has its log to replay first. */
  withinMs?: number
}

/** A real PostgreSQL in a folder: made when missing, adopted when it lives, started otherwise. */
export async function startPostgres({
  dir: folder,
  fast = false,
  as,
  port,
  withinMs = START_WITHIN_MS,
}: Options): Promise<EmbeddedPostgres> {
  const dir = resolve(folder)
  await mkdir(dirname(dir), { recursive: true })
  const binaries = findBinaries()
  const way = chooseWay(binaries, dirname(dir), as)
  await makeFolderOnce({ dir, binaries, way, fast })

  const password = await readPassword(dir)
  const urlOf = ({ port }: Postmaster, database: string) => `postgres://${OWNER_ROLE}:${password}@127.0.0.1:${port}/${database}`
  const running = (server: Postmaster, adopted: boolean): EmbeddedPostgres => ({
    url: urlOf(server, DATABASE),
    adopted,
    async revive() {
      if (!findPostmaster(dir)) await startPostgres({ dir, fast, port: server.port, ...(as && { as }) })
    },
    // the one that runs now: it may have been started again
    stop: () => stopPostmaster(findPostmaster(dir) ?? server),
  })

  const patience = AbortSignal.timeout(withinMs)
  while (!patience.aborted) {
    const living = findPostmaster(dir)
    if (living && (await becomesReady(urlOf(living, 'postgres'), () => isRunning(living), patience))) return running(living, true)
    if (living) continue

    await giveFolderTo(way, dir)
    await removeStalePidFile(dir)
    const launched = await launch({ dir, binary: binaries.postgres, way, fast, port })
    if (await becomesReady(urlOf(launched, 'postgres'), () => !launched.hasEnded(), patience)) return running(launched, false)
    await stopPostmaster(launched)
    if (!mayPass(launched)) throw new Error(`PostgreSQL did not start in ${dir}.\n${lastLines(launched)}`)
    await pause(50)
  }
  throw new Error(`PostgreSQL in ${dir} did not answer within ${withinMs / 1000} s. Its log is ${dir}/postgres.log`)
}

const DATABASE = 'yardbid'
const START_WITHIN_MS = 30_000

/** False when it ended, or when patience did. */
async function becomesReady(url: string, isUp: () => boolean, patience: AbortSignal): Promise<boolean> {
  while (isUp() && !patience.aborted) {
    try {
      await createDatabaseOnce(url)
      return true
    } catch (error) {
      if (!isStillStarting(error)) throw error
    }
    await pause(15)
  }
  return false
}

async function createDatabaseOnce(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {}) // a connection that breaks fails its query, which is where we look
  try {
    await client.connect()
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end().catch(() => {})
  }
}

// refused or reset: not listening yet, or no longer; 57P03: starting up, recovering or shutting down; 57P01: shut down
// under us; 42P04 and 23505: another process made the database in the same moment
const passing = new Set(['ECONNREFUSED', 'ECONNRESET', '57P03', '57P01', '42P04', '23505'])

const isStillStarting = (error: unknown): boolean =>
  error instanceof Error && (passing.has((error as { code?: string }).code ?? '') || /terminated|timeout/i.test(error.message))

// another process took the port or the folder between our look and our start, or the sessions of a killed server are still ending
const mayPass = ({ readLog }: Launched): boolean => /already exists|already in use|is still in use|could not create any TCP/.test(readLog())

const lastLines = ({ readLog }: Launched): string => readLog().trim().split('\n').slice(-12).join('\n') || 'It said nothing.'
