import type { Socket } from 'node:net'
import type pg from 'pg'

// DESIGN rule 14: every statement has a deadline, on the server's side and on ours. The server ends a statement that takes too long
// or waits too long for a lock. A connection that says nothing for longer than that is lost: no answer will come, no error either.

/** A request that gets no connection within this time is answered 503: below the five seconds that a page waits (SPEC §9). */
export const CONNECT_WITHIN_MS = 4_000
const LOCK_WITHIN_MS = 5_000
const STATEMENT_WITHIN_MS = 8_000
const TRANSACTION_IDLE_MS = 8_000
// longer than the server's own deadlines: a slow statement fails by those, and only a lost connection stays silent for this long
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

/** The idle connections of all pools of this process, by database URL. */
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
    // destroyed at once: ending it politely would wait for an answer that a lost connection never gives, and keep its place in the pool taken
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
