import { callbackify } from 'node:util'
import pg from 'pg'

// DATABASE_URL may name several hosts, of which one takes writes: postgres://user@one:5432,two:5432/name?target_session_attrs=read-write.
// pg knows one host. Each new connection asks which of them it is at that moment; those of a host that steps down are destroyed.

const ASK_WITHIN_MS = 2_000
// many connections are opened at once
const KNOWN_FOR_MS = 1_000

/** One address for each host. */
export function addressesOf(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = /^([^:]+:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(url) ?? []
  const rest = after.replace(/([?&])target_session_attrs=[^&]*(&|$)/, (_all, start: string, end: string) => (end ? start : ''))
  return hosts.split(',').map((host) => `${before}${host}${rest}`)
}

/** Whether new connections have to look for the host that takes writes. */
export const choosesHost = (url: string): boolean => addressesOf(url).length > 1 || /[?&]target_session_attrs=/.test(url)

const known = new Map<string, { address: Promise<string>; until: number }>()

/** The address of the host that takes writes now. */
export function writableAddress(url: string): Promise<string> {
  if (!choosesHost(url)) return Promise.resolve(url)
  const latest = known.get(url)
  if (latest && latest.until > performance.now()) return latest.address
  const address = findWritable(addressesOf(url))
  known.set(url, { address, until: performance.now() + KNOWN_FOR_MS })
  address.catch(() => known.delete(url))
  return address
}

async function findWritable(addresses: readonly string[]): Promise<string> {
  const asked = await Promise.allSettled(addresses.map(asksForWrites))
  const nth = asked.findIndex((answer) => answer.status === 'fulfilled' && answer.value)
  const found = addresses[nth]
  if (found !== undefined) return found
  const fault = asked.find((answer) => answer.status === 'rejected')
  throw Object.assign(new Error('no host of DATABASE_URL takes writes', { cause: fault?.reason }), { code: '25006' })
}

export const IS_READ_ONLY = `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`

async function asksForWrites(address: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: ASK_WITHIN_MS, query_timeout: ASK_WITHIN_MS })
  client.on('error', () => {}) // a connection that breaks fails its query
  try {
    await client.connect()
    const { rows } = await client.query<{ isReadOnly: boolean }>(IS_READ_ONLY)
    return rows[0]?.isReadOnly === false
  } finally {
    client.connection.stream.destroy()
  }
}

type Config = pg.ClientConfig & { connectionString: string }

/** A client that connects to the host that takes writes when it connects. */
export function newClient(config: Config): pg.Client {
  const url = config.connectionString
  if (!choosesHost(url)) return new pg.Client(config)
  const client = new pg.Client({ ...config, connectionString: addressesOf(url)[0] ?? url })
  const connect = client.connect.bind(client)
  const connectToWritable = async () => {
    const { host, port } = new pg.Client(await writableAddress(url))
    Object.assign(client, { host, port })
    await connect()
    return client
  }
  const byCallback = callbackify(connectToWritable)
  // with a callback, as a pool does, or without
  client.connect = ((done?: Parameters<typeof byCallback>[0]) => (done ? byCallback(done) : connectToWritable())) as typeof client.connect
  return client
}

/** For a pool: how it makes its clients. */
export const clientsOf = (url: string): pg.PoolConfig => {
  if (!choosesHost(url)) return { connectionString: url }
  const Client = function (options: pg.ClientConfig) {
    return newClient({ ...options, connectionString: url })
  }
  return { Client: Client as unknown as new () => pg.ClientBase }
}
