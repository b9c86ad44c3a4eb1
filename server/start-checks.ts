import { once } from 'node:events'
import { createServer } from 'node:net'
import pg from 'pg'
import { CONNECT_WITHIN_MS } from '#database/deadlines.ts'
import { writableAddress } from '#database/hosts.ts'
import { LEAST_CONNECTIONS } from '#server/db/budget.ts'

// What would fail later is refused at the start in one line, before anything is made.

const LEAST_VERSION = 16

export class StartRefusal extends Error {}

type Address = { host: string; port: number; /** The variables that choose it. */ by?: string }

export async function checkPort({ host, port, by = 'PORT and HOST' }: Address): Promise<void> {
  if (port === 0) return
  const probe = createServer()
  try {
    probe.listen(port, host)
    await once(probe, 'listening')
  } catch (cause) {
    const why: Record<string, string> = {
      EADDRINUSE: 'is taken by another process',
      EACCES: 'is not allowed for this user',
      EADDRNOTAVAIL: 'cannot be opened: this machine has no such address',
    }
    const code = (cause as NodeJS.ErrnoException).code ?? ''
    throw new StartRefusal(`Port ${port} on ${host} ${why[code] ?? `cannot be opened (${code})`}. Choose another by ${by}.`, {
      cause,
    })
  }
  probe.close()
  await once(probe, 'close')
}

type Server = { version: number; max: number; reserved: number; used: number }

/** Reachable, new enough, and with room for the connections of this process. */
export async function checkDatabase(url: string, connections: number): Promise<void> {
  const address = await writableAddress(url).catch((cause: Error) => {
    throw new StartRefusal(`${cause.message}.`, { cause })
  })
  const { version, max, reserved, used } = await readServer(address)
  if (version < LEAST_VERSION * 10_000)
    throw new StartRefusal(`The database is PostgreSQL ${Math.floor(version / 10_000)}. Yardbid needs ${LEAST_VERSION} or newer.`)
  const free = max - reserved - used
  if (connections > free)
    throw new StartRefusal(
      `PostgreSQL allows ${max} connections; ${reserved} are reserved and ${used} in use, so ${free} are left and this process needs ${connections}. Lower DATABASE_CONNECTIONS (at least ${LEAST_CONNECTIONS}) or raise max_connections.`,
    )
}

async function readServer(url: string): Promise<Server> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_WITHIN_MS, query_timeout: CONNECT_WITHIN_MS })
  client.on('error', () => {}) // a connection that breaks fails its query
  try {
    await client.connect()
    const { rows } = await client.query<Server>(`
      select current_setting('server_version_num')::int as version,
             current_setting('max_connections')::int as max,
             current_setting('superuser_reserved_connections')::int
               + coalesce(current_setting('reserved_connections', true)::int, 0) as reserved,
             (select count(*)::int from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()) as used`)
    return rows[0] as Server
  } catch (cause) {
    throw new StartRefusal(`The database of DATABASE_URL (${client.host}:${client.port}) ${whyAway(cause, client.database)}.`, { cause })
  } finally {
    client.connection.stream.destroy()
  }
}

function whyAway(cause: unknown, database: string | undefined): string {
  const { code = '', message } = cause as Error & { code?: string }
  const whys: Record<string, string> = {
    '3D000': `has no database '${database}': create it first`,
    '28P01': 'refuses the password',
    '28000': 'refuses the user',
    '53300': 'has no connection left',
    '57P03': 'is still starting or shutting down',
    ECONNREFUSED: 'is not listening',
    ENOTFOUND: 'has a host name that is not known',
  }
  return whys[code] ?? (/timeout/i.test(message) ? 'does not answer' : `cannot be used: ${message || code}`)
}
