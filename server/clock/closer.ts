import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { byDefault, LARGEST_BATCH, msToNext, queues, takeBatch, type Failure, type QueueName } from '#server/clock/due-listings.ts'
import { logFault } from '#server/db/outage.ts'
import type { SettingReader } from '#server/features/settings/public.ts'
import { withoutRow } from '#server/http/errors.ts'

// Takes the steps of time: starts listings that are ready, ends those whose time has come, lets offers and waiting times run out.
// On any number of processes at once, each listing exactly once. The queues do not wait for one another.

/** A listing may be started on another process, with an end before the one we sleep towards. */
const LONGEST_SLEEP_MS = 500
/** Whoever learns that an account is verified says so at once; this finds what was missed. */
const LOOK_AGAIN_MS = 2_000
// what is due but locked by somebody else is theirs to close
const SHORTEST_SLEEP_MS = 5

const longestSleepMs: Record<QueueName, number> = {
  ready: LONGEST_SLEEP_MS,
  ended: LONGEST_SLEEP_MS,
  ranOut: LONGEST_SLEEP_MS,
  noLongerWaiting: LOOK_AGAIN_MS,
}

export type Closer = {
  /** Looks for due listings now instead of at the next interval. Tests call it after they move the clock or a listing's end. */
  wake(): void
  stop(): Promise<void>
}

type Options = { pool: pg.Pool; log: FastifyBaseLogger; read?: SettingReader }

export function startCloser({ pool, log, read = byDefault }: Options): Closer {
  let isStopping = false
  let woken = Promise.withResolvers<void>()

  async function loop(queue: QueueName) {
    while (!isStopping) {
      // taken before the look: a wake-up in the middle of it is not lost
      const { promise } = woken
      const restMs = await round(queue)
      if (restMs > 0 && !isStopping) await rest(restMs, promise)
    }
  }

  function wake() {
    woken.resolve()
    woken = Promise.withResolvers()
  }

  /** Answers how long to rest: until the next thing is due, or not at all while there is more to do. */
  async function round(queue: QueueName): Promise<number> {
    const longest = longestSleepMs[queue]
    try {
      const client = await pool.connect()
      try {
        const count = await takeBatch(client, queue, read, (failure) => tell(queue, failure))
        const ms = count === LARGEST_BATCH ? 0 : Math.max(SHORTEST_SLEEP_MS, Math.min((await msToNext(client, queue)) ?? longest, longest))
        client.release()
        return ms
      } catch (error) {
        client.release(true)
        throw error
      }
    } catch (error) {
      logFault(log, { err: error, event: 'closer_fault' }, 'listings could not be closed, trying again')
      return LONGEST_SLEEP_MS
    }
  }

  function tell(queue: QueueName, { listingId, attempts, error }: Failure) {
    const about = { err: withoutRow(error), event: 'listing_set_aside', listing: listingId, attempts, queue }
    log.error(about, 'a listing could not be moved on and is set aside')
  }

  const running = Promise.all((Object.keys(queues) as QueueName[]).map(loop))
  return {
    wake,
    async stop() {
      isStopping = true
      wake()
      await running
    },
  }
}

async function rest(ms: number, woken: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([woken, new Promise((resolve) => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
}
