import { sql } from 'kysely'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#server/db/db.ts'
import { keepListening } from '#server/db/listening.ts'
import { logFault } from '#server/db/outage.ts'
import { withoutRow } from '#server/http/errors.ts'
import { runAs } from '#server/jobs/message-ids.ts'
import { JOBS_CHANNEL, type JobKind, type Jobs } from '#server/jobs/queue.ts'

export type JobHandlers = { [K in JobKind]: (payload: Jobs[K]) => Promise<void> }

// A job's process that died lets go of it after this long; a job must take less.
const LEASE_SECONDS = 25
const LONGEST_SLEEP_MS = 10_000
// of the pages' connections, so that requests have theirs; a mail server that is slow to answer holds up one, not all
const AT_ONCE = 5
// and one more for what somebody waits for at the screen: a payment provider that is slow to answer holds up five for half a minute
const AT_ONCE_WITH_URGENT = AT_ONCE + 1
const LAST_ATTEMPT = 12 // with the back-off below: given up after about two days

export type Worker = { stop(): Promise<void> }

/** Runs due jobs, several at once and urgent ones first, until stopped. Any number of workers on one database share the work; each job is leased by one. */
export function startWorker({ db, url, handlers, log }: { db: Db; url: string; handlers: JobHandlers; log: FastifyBaseLogger }): Worker {
  let stopping = false
  let wake = () => {}
  // while it is lost the worker looks every ten seconds
  const listener = keepListening({ url, channel: JOBS_CHANNEL, log, onUp: () => wake(), onNotice: () => wake() })

  const running = new Set<Promise<void>>()
  // a newer process may have queued what this one does not know: that is left to it
  const kinds = Object.keys(handlers)

  async function loop() {
    while (!stopping) {
      const slept = new Promise<void>((resolve) => (wake = resolve))
      try {
        const isFull = running.size >= AT_ONCE
        if (running.size >= AT_ONCE_WITH_URGENT) await Promise.race(running)
        else if (await startNext(isFull)) continue
        else if (isFull) await sleep(LONGEST_SLEEP_MS, Promise.race([slept, ...running]))
        else await sleep(await msToNextJob(db, kinds), slept)
      } catch (error) {
        logFault(log, { err: error, event: 'worker_fault' }, 'the worker could not reach the database')
        await sleep(1_000, slept)
      }
    }
    await Promise.all(running)
  }

  async function startNext(urgentOnly: boolean): Promise<boolean> {
    const job = await lease(db, kinds, urgentOnly)
    if (!job) return false
    const done = run(job)
      // its lease runs out, and then it is run again
      .catch((error: unknown) => logFault(log, { err: error, event: 'worker_fault' }, 'the worker could not reach the database'))
      .finally(() => running.delete(done))
    running.add(done)
    return true
  }

  async function run(job: Job): Promise<void> {
    try {
      const handle = handlers[job.kind] as (payload: unknown) => Promise<void>
      await runAs(job, () => handle(job.payload))
      await db.deleteFrom('jobs').where('id', '=', job.id).execute()
    } catch (error) {
      log.warn({ err: withoutRow(error), event: 'job_failed', job: job.id, kind: job.kind, attempts: job.attempts }, 'a job failed')
      await retryLater(db, job, error)
    }
  }

  const looping = loop()
  return {
    async stop() {
      stopping = true
      wake()
      await looping
      await listener.stop()
    },
  }
}

type Job = { id: string; kind: JobKind; payload: unknown; attempts: number }

async function lease(db: Db, kinds: readonly string[], urgentOnly: boolean): Promise<Job | undefined> {
  const { rows } = await sql<Job>`
    update jobs
    set leased_until = app_now() + make_interval(secs => ${LEASE_SECONDS}),
        attempts = attempts + 1
    where id = (
      select id
      from jobs
      where failed_at is null
        and greatest(run_at, leased_until) <= (select app_now())
        and kind = any(${kinds})
        ${urgentOnly ? sql`and urgent` : sql``}
      order by urgent desc, greatest(run_at, leased_until)
      limit 1
      for update skip locked
    )
    returning id, kind, payload, attempts`.execute(db)
  return rows[0]
}

async function retryLater(db: Db, job: Job, error: unknown) {
  const backOffSeconds = Math.min(6 * 3600, 2 ** job.attempts * 5)
  await db
    .updateTable('jobs')
    .set({
      leased_until: null,
      run_at: sql`app_now() + make_interval(secs => ${backOffSeconds})`,
      last_error: String(error).slice(0, 1_000),
      ...(job.attempts >= LAST_ATTEMPT && { failed_at: sql`app_now()` }),
    })
    .where('id', '=', job.id)
    // a lease that ran out is another's by now: it is not ours to end
    .where('attempts', '=', job.attempts)
    .execute()
}

async function msToNextJob(db: Db, kinds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ ms: number | null }>`
    select ceil(extract(epoch from min(greatest(run_at, leased_until)) - app_now()) * 1000)::float8 as ms
    from jobs
    where failed_at is null and kind = any(${kinds})`.execute(db)
  return Math.max(0, Math.min(rows[0]?.ms ?? LONGEST_SLEEP_MS, LONGEST_SLEEP_MS))
}

const sleep = async (ms: number, orWoken: Promise<void>) => {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([orWoken, new Promise((resolve) => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
}
