import pg from 'pg'
import { destroySilentConnections, withDeadlines } from '#database/deadlines.ts'
import { clientsOf } from '#database/hosts.ts'

// longer than the product waits: here one request waits for the other, and hundreds may come at once
const CONNECTION_WITHIN_MS = 60_000

/** The sandbox's connections. One that breaks fails the statement that uses it, and is replaced at the next request. */
export function openSandboxPool(connectionString: string, max = 8): pg.Pool {
  const pool = new pg.Pool({ ...clientsOf(connectionString), max, ...withDeadlines, connectionTimeoutMillis: CONNECTION_WITHIN_MS })
  destroySilentConnections(pool, connectionString)
  // the pool listens to idle connections only: one that is in use needs a listener of its own, or its loss ends the process
  const seenByTheStatement = () => {}
  pool.on('error', seenByTheStatement)
  pool.on('connect', (client) => void client.on('error', seenByTheStatement))
  return pool
}

/** Runs the work in one transaction. A connection whose rollback fails is not used again. */
export async function inTransaction<Result>(pool: pg.Pool, work: (client: pg.ClientBase) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => (broken = failure))
    throw error
  } finally {
    client.release(broken)
  }
}
