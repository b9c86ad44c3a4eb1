import type { Socket } from 'node:net'
import type pg from 'pg'

// DESIGN rule 14: every statement has a deadline, on the server's side and on ours. The server ends a statement that takes too long
// or waits too long for a lock. A connection that says nothing for longer than that is lost: no answer will come, no error either.

/** How long a request waits for a connection before it is told to come back: below the five seconds that a page waits (SPEC §9). */
export const CONNECT_WITHIN_MS = 4_000
const LOCK_WITHIN_MS = 5_000
const STATEMENT_WITHIN_MS = 8_000
const TRANSACTION_IDLE_MS = 8_000
// after the server's own deadlines, so that a slow statement is told apart from a lost connection
const SILENT_FOR_MS = 9_000
const KEEP_ALIVE_AFTER_MS = 5_000

/** For every connection of a server, the sandbox's included. Migrations and demo data take as long as they take. */
export const withDeadlines: pg.ClientConfig = {
  connectionTimeoutMillis: CONNECT_WITHIN_MS,
  statement_timeout: STATEMENT_WITHIN_MS,
  lock_timeout: LOCK_WITHIN_MS,
  idle_in_transaction_session_timeout: TRANSACTION_IDLE_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
}

/** By database: the connections of all pools of this process that nobody uses at the moment. */
const idleByUrl = new Map<string, Set<pg.ClientBase>>()

/**
 * Destroys a connection that is in use and silent for too long, and with it the idle ones to the same database: they were lost
 * together, and each would keep the next who takes it waiting for as long.
 */
export function destroySilentConnections(pool: pg.Pool, url: string): void {
  const idle = idleByUrl.get(url) ?? new Set()
  idleByUrl.set(url, idle)
  pool.on('connect', (client) => {
    const stream = streamOf(client)
    // counts from the last byte that was sent or received
    stream.setTimeout(SILENT_FOR_MS)
    stream.on('timeout', () => {
      if (idle.has(client)) return
      destroy(client)
      destroyIdle(url)
    })
  })
  pool.on('acquire', (client) => void idle.delete(client))
  pool.on('release', (broken, client) => {
    // at once: a connection that hangs would not be ended by a farewell either, and whoever waits for its place would wait on
    if (broken) destroy(client)
    else idle.add(client)
  })
  pool.on('remove', (client) => void idle.delete(client))
}

export function destroyIdle(url: string): void {
  for (const client of idleByUrl.get(url) ?? []) destroy(client)
}

export const destroy = (client: pg.ClientBase): void => {
  streamOf(client).destroy(Object.assign(new Error('the database did not answer in time'), { code: 'ETIMEDOUT' }))
}

const streamOf = (client: pg.ClientBase) => (client as pg.Client).connection.stream as Socket
