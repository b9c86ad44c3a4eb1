import pg from 'pg'
import { CONNECT_WITHIN_MS } from '#database/deadlines.ts'

// The connections of one process, as DATABASE_CONNECTIONS states them: who places a bid, closes a listing, reads a page or searches
// does not wait for the others. 30 by default, so that three processes fit into a PostgreSQL with its default of 100.

/** The wake-up calls of jobs and of live prices. */
const LISTENERS = 2
const least = { bids: 2, clock: 2, settings: 1, search: 2, pages: 4 }
export const LEAST_CONNECTIONS = LISTENERS + Object.values(least).reduce((sum, count) => sum + count)

export type ConnectionShares = Record<keyof typeof least, number>

/** Of 30: 4 for bids, 4 for the clock, 2 for settings, 6 for searches, 12 for pages and jobs. */
export function shareConnections(budget: number): ConnectionShares {
  const share = (of: keyof typeof least, part: number) => Math.max(least[of], Math.floor((budget - LISTENERS) * part))
  const small = {
    bids: share('bids', 0.16),
    clock: Math.min(4, share('clock', 0.16)),
    settings: share('settings', 0.08),
    search: share('search', 0.24),
  }
  const { bids, clock, settings, search } = small
  return { ...small, pages: budget - LISTENERS - bids - clock - settings - search }
}

type Room = { max: number; reserved: number; used: number }

/** Refuses a start that the server has no room for, before a burst of requests finds it out. Answers what is left after it. */
export async function checkRoom(url: string, budget: number): Promise<void> {
  const { max, reserved, used } = await readRoom(url)
  const free = max - reserved - used
  if (budget <= free) return
  throw new NoRoom(
    `PostgreSQL allows ${max} connections, of which ${reserved} are reserved and ${used} in use: ${free} are left, and this process needs DATABASE_CONNECTIONS=${budget}. Lower DATABASE_CONNECTIONS (at least ${LEAST_CONNECTIONS}), or raise max_connections.`,
  )
}

async function readRoom(url: string): Promise<Room> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_WITHIN_MS, query_timeout: CONNECT_WITHIN_MS })
  client.on('error', () => {}) // a connection that breaks fails its query
  try {
    await client.connect()
    const { rows } = await client.query<Room>(`
      select current_setting('max_connections')::int as max,
             current_setting('superuser_reserved_connections')::int + current_setting('reserved_connections')::int as reserved,
             (select count(*)::int from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()) as used`)
    const [room] = rows
    if (!room) throw new Error('PostgreSQL does not say how many connections it allows')
    return room
  } finally {
    await client.end()
  }
}

export class NoRoom extends Error {}
