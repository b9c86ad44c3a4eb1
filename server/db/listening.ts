import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { APP_ROLE } from '#database/migrate.ts'
import { destroy, destroyIdle, withDeadlines } from '#database/deadlines.ts'
import { choosesHost, IS_READ_ONLY, newClient } from '#database/hosts.ts'
import { logFault } from '#server/db/outage.ts'

const AGAIN_AFTER_MS = 1_000
// a connection that does not answer is as good as lost
const ANSWER_WITHIN_MS = 5_000
const HEARTBEAT_EVERY_MS = 3_000

export type Listening = {
  /** Rejects while there is no connection; a query that fails ends it, and it is made again. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

type Options = {
  url: string
  channel: string
  log: FastifyBaseLogger
  /** A connection was made, the first one or another: notices may have been missed. */
  onUp: () => void
  onNotice: (payload: string) => void
}

/**
 * A connection of its own that hears of other processes' commits. Who only listens does not notice a silent loss: it asks at every
 * heartbeat, and what does not answer is made again, after the idle connections that were lost with it are destroyed.
 */
export function keepListening({ url, channel, log, onUp, onNotice }: Options): Listening {
  let client: pg.Client | undefined
  let isStopped = false
  let retry: NodeJS.Timeout | undefined
  const event = `${channel}_listener_lost`

  async function connect(): Promise<void> {
    const next = newClient({
      connectionString: url,
      options: `-c role=${APP_ROLE}`,
      application_name: channel,
      ...withDeadlines,
      query_timeout: ANSWER_WITHIN_MS,
    })
    next.on('error', (error) => !isStopped && logFault(log, { err: error, event }, `the connection that listens to ${channel} was lost`))
    next.on('end', () => {
      client = undefined
      if (!isStopped) retry = setTimeout(() => (connecting = connect()), AGAIN_AFTER_MS)
    })
    next.on('notification', ({ payload }) => onNotice(payload ?? ''))
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
      client = next
      onUp()
    } catch (error) {
      if (!isStopped) logFault(log, { err: error, event }, `the connection that listens to ${channel} could not be made`)
      destroy(next)
    }
  }

  async function ask<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    const asked = client
    if (!asked) throw Object.assign(new Error(`no connection that listens to ${channel}`), { code: 'ENOTCONN' })
    try {
      return (await asked.query<Row>(text, values)).rows
    } catch (error) {
      destroy(asked)
      throw error
    }
  }

  /** One question after another, in the order in which they came. */
  let lastAsked: Promise<unknown> = Promise.resolve()
  function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const answer = lastAsked.then(() => ask<Row>(text, values))
    lastAsked = answer.catch(() => undefined)
    return answer
  }

  let connecting = connect()
  const heartbeat = setInterval(() => void beat().catch(() => destroyIdle(url)), HEARTBEAT_EVERY_MS)

  async function beat(): Promise<void> {
    if (!client) return
    const [server] = await query<{ isReadOnly: boolean }>(IS_READ_ONLY)
    // of several hosts another takes the writes now
    if (!server?.isReadOnly || !choosesHost(url)) return
    if (client) destroy(client)
    destroyIdle(url)
  }

  return {
    query,
    async stop() {
      isStopped = true
      clearInterval(heartbeat)
      clearTimeout(retry)
      await connecting
      // without a farewell: a connection that was lost would never answer it
      if (client) destroy(client)
    },
  }
}
