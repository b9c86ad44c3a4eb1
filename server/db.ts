import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { DB } from '#database/schema.gen.ts'
import { APP_ROLE } from '#database/migrate.ts'

export type Db = Kysely<DB>
export type Tx = Transaction<DB>
export type DbOrTx = Db | Tx

// Dates without a time stay text: a birthday has no time zone. bigint ids stay text too, numbers that count fit an integer.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

/** Connections that are the application's role: append-only tables are append-only for them. */
export function openPool(url: string, max: number, { options = '', ...more }: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    options: `-c role=${APP_ROLE} ${options}`,
    connectionTimeoutMillis: 4_000,
    idleTimeoutMillis: 30_000,
    ...more,
  })
  // A connection that breaks fails the query that uses it, and is replaced at the next; one listener less would end the process.
  const seenElsewhere = () => undefined
  pool.on('error', seenElsewhere)
  pool.on('connect', (client) => void client.on('error', seenElsewhere))
  return pool
}

/**
 * For what locks listings. Statements are sent without waiting for the answer to what went before; and they go by indexes alone,
 * foreign keys too: a plan is kept, and one that read a small table from end to end would still do so when it has grown.
 */
export const openAuctionPool = (url: string, max = 4): pg.Pool => openPool(url, max, { pipeline: true, options: '-c enable_seqscan=off' })

/** Several statements of a pipelined connection in one message; each begins when the one before it has ended. */
export function sendTogether<const Sent extends readonly Promise<unknown>[]>(
  client: pg.ClientBase,
  send: () => Sent,
): Promise<{ -readonly [Nth in keyof Sent]: Awaited<Sent[Nth]> }> {
  const { stream } = (client as pg.Client).connection
  stream.cork()
  try {
    return Promise.all(send())
  } finally {
    stream.uncork()
  }
}

export const openDatabase = (url: string, max = 20): Db => new Kysely<DB>({ dialect: new PostgresDialect({ pool: openPool(url, max) }) })
