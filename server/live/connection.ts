import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { APP_ROLE } from '#database/migrate.ts'
import { LIVE_CHANNEL } from '#server/live/outbox.ts'

const AGAIN_AFTER_MS = 1_000
// a connection that does not answer is as good as lost
const ANSWER_WITHIN_MS = 5_000

export type LiveConnection = {
  /** Rejects while there is no connection; a query that fails ends it, and it is made again. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

type Options = { url: string; log: FastifyBaseLogger; onUp: () => void; onNotice: (payload: string) => void }

/** A connection of the live prices' own, which hears of other processes' commits: page views cannot use it up. */
export function keepConnection({ url, log, onUp, onNotice }: Options): LiveConnection {
  let client: pg.Client | undefined
  let isStopped = false
  let retry: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      options: `-c role=${APP_ROLE}`,
      application_name: 'live',
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
    })
    next.on('error', (error) => log.warn({ err: error, event: 'live_lost' }, 'the connection for live prices was lost'))
    next.on('end', () => {
      client = undefined
      if (!isStopped) retry = setTimeout(() => (connecting = connect()), AGAIN_AFTER_MS)
    })
    next.on('notification', ({ payload }) => onNotice(payload ?? ''))
    try {
      await next.connect()
      await next.query(`listen ${LIVE_CHANNEL}`)
      client = next
      onUp()
    } catch (error) {
      log.warn({ err: error, event: 'live_lost' }, 'the connection for live prices could not be made')
      hangUp(next)
    }
  }

  async function ask<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    const asked = client
    if (!asked) throw new Error('no connection for live prices')
    try {
      return (await asked.query<Row>(text, values)).rows
    } catch (error) {
      hangUp(asked)
      throw error
    }
  }

  /** One question after another, in the order in which they came. */
  let lastAsked: Promise<unknown> = Promise.resolve()
  let connecting = connect()
  return {
    query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      const answer = lastAsked.then(() => ask<Row>(text, values))
      lastAsked = answer.catch(() => undefined)
      return answer
    },
    async stop() {
      isStopped = true
      clearTimeout(retry)
      await connecting
      await client?.end()
    },
  }
}

// at once: a connection that hangs would not be ended by a farewell either
const hangUp = (client: pg.Client) => client.connection.stream.destroy()
