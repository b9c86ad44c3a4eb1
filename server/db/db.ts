import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { DB } from '#database/schema.gen.ts'
import { clientsOf } from '#database/hosts.ts'
import { APP_ROLE } from '#database/migrate.ts'
import { CONNECT_WITHIN_MS, destroySilentConnections, withDeadlines } from '#database/deadlines.ts'

export type Db = Kysely<DB>
export type Tx = Transaction<DB>
export type DbOrTx = Db | Tx

// Dates without a time stay text: a birthday has no time zone. bigint ids stay text too, numbers that count fit an integer.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

/** Connections that are the application's role: append-only tables are append-only for them. */
export function openPool(url: string, max: number, { options = '', ...more }: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({
    ...clientsOf(url),
    max,
    // a day of an interval is 24 hours there, whatever zone the server keeps
    options: `-c role=${APP_ROLE} -c timezone=UTC ${options}`,
    idleTimeoutMillis: 30_000,
    ...withDeadlines,
    ...more,
  })
  destroySilentConnections(pool, url)
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
export const openAuctionPool = (url: string, max = 4, connectWithinMs = CONNECT_WITHIN_MS): pg.Pool =>
  // kept once they are open: a bid must not find that others have taken the last connection that the server had
  openPool(url, max, { min: max, pipeline: true, options: '-c enable_seqscan=off', connectionTimeoutMillis: connectWithinMs })

/** Opens them at the start rather than at the first burst. */
export async function openAll(pool: pg.Pool, count: number): Promise<void> {
  const opened = await Promise.all(Array.from({ length: count }, () => pool.connect()))
  for (const client of opened) client.release()
}

/** Several statements of a pipelined connection in one message; each begins when the one before it has ended. */
export function sendTogether<const Sent extends readonly unknown[]>(
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

export const openDatabase = (url: string, max = 20, connectWithinMs = CONNECT_WITHIN_MS): Db =>
  new Kysely<DB>({ dialect: new PostgresDialect({ pool: openPool(url, max, { connectionTimeoutMillis: connectWithinMs }) }) })

/**
 * For searches: each says by its form which index it goes by. The planner, by its statistics of last night, is not to think that
 * reading and sorting everything would do as well; and compiling a query takes longer than running one of these.
 */
export const openSearchDatabase = (url: string, max: number, connectWithinMs = CONNECT_WITHIN_MS): Db =>
  new Kysely<DB>({
    dialect: new PostgresDialect({
      pool: openPool(url, max, {
        options: '-c enable_seqscan=off -c enable_sort=off -c jit=off',
        statement_timeout: SEARCH_WITHIN_MS,
        connectionTimeoutMillis: connectWithinMs,
      }),
    }),
  })

// a hundred times what a search takes: anybody may ask for one, so none may hold a connection for longer
const SEARCH_WITHIN_MS = 5_000

/**
 * Hand-written SQL, wherever it runs: on a locked transaction's own connection or on any. With a name a connection plans it once: for what
 * runs often, is long, and has always the same text.
 */
export type ReadRows = <Row>(text: string, values: readonly unknown[], name?: string) => Promise<Row[]>

export const rowsOn =
  (client: pg.ClientBase): ReadRows =>
  async <Row>(text: string, values: readonly unknown[], name?: string) =>
    (await client.query({ text, values: [...values], ...(name && { name }) })).rows as Row[]

export const rowsOf =
  (db: DbOrTx): ReadRows =>
  async <Row>(text: string, values: readonly unknown[]) =>
    (await db.executeQuery(CompiledQuery.raw(text, [...values]))).rows as Row[]

/** One transaction on a connection of this pool; a refusal rolls it back. */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let isBroken = false
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    // why it failed is what the caller needs to know, not that the connection is gone too
    await client.query('rollback').catch(() => (isBroken = true))
    throw error
  } finally {
    client.release(isBroken)
  }
}
