import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { limitConcurrency } from '#domain/limit-concurrency.ts'
import type { Db } from '#server/db/db.ts'
import { keepListening, type Listening } from '#server/db/listening.ts'
import { logFault } from '#server/db/outage.ts'
import { findEndedSessions } from '#server/http/session.ts'
import { drained, endStream, keepFollowers, write, type Follower, type StreamTopics } from '#server/live/followers.ts'
import { readKept, readVersions, sweepKept } from '#server/live/kept.ts'
import { LIVE_CHANNEL } from '#server/live/outbox.ts'
import { frame, frameOf, type BidSteps, type LiveRow } from '#server/live/present.ts'

// One per process: reads what was committed, by this process or another, in the order of the commits, and writes it to the streams.

const READ_AT_ONCE = 200
// woken after commits; this is for the wake-up that got lost
const LOOK_EVERY_MS = 2_000
// invariant 53: streams of a session that ended close within 5 s
const SESSIONS_EVERY_MS = 2_500
const LOOK_AGAIN_AFTER_MS = 100
const SWEEP_EVERY_MS = 60_000
const STEPS_FOR_MS = 2_000
const LONGEST_STINT_MS = 15
/** How many catch up at the same time: thousands come back at once after a restart, and pages need connections too. */
const MOST_CATCHING_UP = 4

export type LiveHub = {
  start(log: FastifyBaseLogger): void
  /** After a commit of this process, for its own streams and for the other processes. */
  wake(): void
  /** Everything after `lastEventId`, or from now on; `versions` says first how new the listings are. */
  follow(socket: Socket, wanted: StreamTopics, since: { lastEventId: string | undefined; versions: boolean }): Promise<void>
  /** Streams that are open in this process. */
  count(): number
  /** At once: whoever follows comes back, to another process or to this one's next life. */
  endStreams(): void
  stop(): Promise<void>
}

type Options = { db: Db; url: string; readSteps: () => Promise<BidSteps> }

export function liveHub({ db, url, readSteps }: Options): LiveHub {
  const self = randomUUID()
  const followers = keepFollowers()
  const inTurn = limitConcurrency({ atOnce: MOST_CATCHING_UP })
  let connection: Listening
  let log: FastifyBaseLogger | undefined
  let timers: NodeJS.Timeout[] = []
  let position = 0
  /** While nobody follows nothing is read: the position is looked up anew for the next one who does. */
  let isStale = true
  let joining = 0
  let isNews = false
  let othersAreToKnow = false
  let isStopped = false
  let looking: Promise<void> | undefined

  function look(): void {
    isNews = true
    looking ??= lookAll().finally(() => {
      looking = undefined
      if (isNews && !isStopped) look()
    })
  }

  async function lookNow(): Promise<void> {
    look()
    await looking
  }

  async function lookAll(): Promise<void> {
    try {
      while ((isNews || othersAreToKnow) && !isStopped) {
        isNews = false
        // its own streams first; the others are told while those are written to
        await Promise.all([readOn(), tellOthers()])
      }
    } catch (error) {
      // a lost connection is made again, and looks then
      isNews = false
      if (!isStopped && log) logFault(log, { err: error, event: 'live_fault' }, 'live prices wait for the database')
    }
  }

  async function tellOthers(): Promise<void> {
    if (!othersAreToKnow) return
    othersAreToKnow = false
    await connection.query('select pg_notify($1, $2)', [LIVE_CHANNEL, self])
  }

  async function readOn(): Promise<void> {
    if (followers.everybody.size + joining === 0) {
      isStale = true
      return
    }
    if (isStale) {
      const [newest] = await connection.query<{ id: string }>('select coalesce(max(id), 0) as id from live_events')
      position = Number(newest?.id)
      isStale = false
      return
    }
    const rows = await connection.query<LiveRow>(
      'select id, listing_id, user_id, kind, payload, at from live_events where id > $1 order by id limit $2',
      [position, READ_AT_ONCE],
    )
    if (rows.length === READ_AT_ONCE) isNews = true
    await deliver(rows)
  }

  async function deliver(rows: readonly LiveRow[]): Promise<void> {
    if (rows.length === 0) return
    const steps = await stepsNow()
    let began = performance.now()
    for (const row of rows) {
      // together, without a pause between: who joins before is sent this row, who joins after it begins behind it
      position = Number(row.id)
      if (followers.isWanted(row)) followers.deliver(row, frameOf(row, steps))
      if (performance.now() - began < LONGEST_STINT_MS) continue
      await nextTurn()
      began = performance.now()
    }
  }

  let known: { steps: BidSteps; until: number } | undefined
  async function stepsNow(): Promise<BidSteps> {
    if (!known || known.until < performance.now()) known = { steps: await readSteps(), until: performance.now() + STEPS_FOR_MS }
    return known.steps
  }

  /** Joined at one moment: what was committed up to it is read from what is kept, what comes after it waits until that is sent. */
  async function follow(socket: Socket, wanted: StreamTopics, { lastEventId, versions }: Parameters<LiveHub['follow']>[2]): Promise<void> {
    joining++
    try {
      while (isStale && !isStopped && !socket.destroyed) {
        await lookNow()
        if (isStale) await pause(LOOK_AGAIN_AFTER_MS)
      }
      // who comes from another process may know more than this one has read
      if (Number(lastEventId) > position) await lookNow()
      const follower: Follower = { socket, wanted, waiting: [] }
      const from = position
      followers.add(follower)
      if (lastEventId === undefined) write(follower, Buffer.from(`id: ${from}\n\n`))
      if (lastEventId !== undefined || versions) await inTurn(() => catchUp(follower, { lastEventId, versions, from }))
      for (const bytes of follower.waiting ?? []) write(follower, bytes)
      follower.waiting = null
    } finally {
      joining--
    }
  }

  type Gap = { lastEventId: string | undefined; versions: boolean; from: number }

  async function catchUp(follower: Follower, { lastEventId, versions, from }: Gap): Promise<void> {
    let last = lastEventId === undefined ? from : /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : Infinity
    while (last !== from && !follower.socket.destroyed) {
      const page = await readKept(db, follower.wanted, last, from)
      if (page === 'lost') {
        write(follower, frame(from, 'reset', { server_time: await serverTime() }))
        break
      }
      const steps = await stepsNow()
      for (const row of page.rows) write(follower, frameOf(row, steps))
      await drained(follower)
      last = page.isMore ? Number(page.rows.at(-1)?.id) : from
    }
    if (!versions) return
    const known = await readVersions(db, follower.wanted.listingIds)
    write(follower, frame(from, 'versions', { versions: known, server_time: await serverTime() }))
  }

  async function serverTime(): Promise<string> {
    const [clock] = await connection.query<{ now: Date }>('select app_now() as now')
    return (clock?.now ?? new Date(NaN)).toISOString()
  }

  async function endStreamsOfEndedSessions(): Promise<void> {
    const bySession = Map.groupBy(followers.everybody, ({ wanted }) => wanted.me?.tokenHash ?? '')
    bySession.delete('')
    if (bySession.size === 0) return
    for (const ended of await findEndedSessions(db, [...bySession.keys()]))
      for (const { socket } of bySession.get(ended) ?? []) endStream(socket)
  }

  return {
    start(given) {
      log = given
      connection = keepListening({ url, channel: LIVE_CHANNEL, log: given, onUp: look, onNotice: (from) => void (from !== self && look()) })
      const every = (ms: number, work: () => Promise<void>) =>
        setInterval(() => {
          work().catch((error: unknown) => logFault(given, { err: error, event: 'live_fault' }, 'live prices wait for the database'))
        }, ms)
      timers = [
        setInterval(look, LOOK_EVERY_MS),
        every(SESSIONS_EVERY_MS, endStreamsOfEndedSessions),
        every(SWEEP_EVERY_MS, () => sweepKept(db)),
      ]
    },
    wake() {
      othersAreToKnow = true
      look()
    },
    follow,
    count: () => followers.everybody.size,
    endStreams: () => followers.stop(),
    async stop() {
      isStopped = true
      for (const timer of timers) clearInterval(timer)
      followers.stop()
      await looking
      await connection.stop()
    },
  }
}
