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
export function openPool(url: string, max: number, more = ''): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    options: `-c role=${APP_ROLE} ${more}`,
    connectionTimeoutMillis: 4_000,
    idleTimeoutMillis: 30_000,
  })
  // A connection that breaks fails the query that uses it, and is replaced at the next; one listener less would end the process.
  const seenElsewhere = () => undefined
  pool.on('error', seenElsewhere)
  pool.on('connect', (client) => void client.on('error', seenElsewhere))
  return pool
}

export const openDatabase = (url: string, max = 20): Db => new Kysely<DB>({ dialect: new PostgresDialect({ pool: openPool(url, max) }) })

/**
 * For searches: each says by its form which index it goes by. The planner, by its statistics of last night, is not to think that
 * reading and sorting everything would do as well; and compiling a query takes longer than running one of these.
 */
export const openSearchDatabase = (url: string, max = 10): Db =>
  new Kysely<DB>({ dialect: new PostgresDialect({ pool: openPool(url, max, '-c enable_seqscan=off -c enable_sort=off -c jit=off') }) })
