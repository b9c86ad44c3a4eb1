import { sql } from 'kysely'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#server/db/db.ts'
import { LEASE_SECONDS, whileRenewing } from '#server/db/lease.ts'
import { keepListening } from '#server/db/listening.ts'
import { isDatabaseAway, logFault } from '#server/db/outage.ts'
import { withoutRow } from '#server/http/errors.ts'
import { jobsRun } from '#server/metrics/metrics.ts'
import { runAs } from '#server/jobs/message-ids.ts'
import { JOBS_CHANNEL, type JobKind, type Jobs } from '#server/jobs/queue.ts'

export type JobHandlers = { [K in JobKind]: (payload: Jobs[K]) => Promise<void> }

const LONGEST_SLEEP_MS = 10_000
// of the pages' connections, so that requests have theirs; a mail server that is slow to answer holds up one, not all
const AT_ONCE = 5
// and one more for what somebody waits for at the screen: a payment provider that is slow to answer holds up five for half a minute
const AT_ONCE_WITH_URGENT = AT_ONCE + 1
const LAST_ATTEMPT = 12 // with the back-off below: given up after about six hours

// longer than any deploy takes: until then a newer process may be the one that knows it
const UNKNOWN_AFTER = '2 days'
const LOOK_FOR_UNKNOWN_EVERY_MS = 3_600_000

export type Worker = { stop(): Promise<void> }

/** Runs due jobs, several at once and urgent ones first, until stopped. Any number of workers on one database share the work; each job is leased by one. */
export function startWorker({ db, url, handlers, log }: { db: Db; url: string; handlers: JobHandlers; log: FastifyBaseLogger }): Worker {
  let stopping = false
  let wake = () => {}
  // while it is lost the worker looks every ten seconds
  const listener = keepListening({ url, channel: JOBS_CHANNEL, log, onUp: () => wake(), onNotice: () => wake() })

  const running = new Map<string, Promise<void>>()
  // a newer process may have queued what this one does not know: that is left to it
  const kinds = Object.keys(handlers)

  let lookForUnknownAt = 0
  async function loop() {
    while (!stopping) {
      const slept = new Promise<void>((resolve) => (wake = resolve))
      try {
        if (performance.now() >= lookForUnknownAt) {
          await giveUpUnknown()
          lookForUnknownAt = performance.now() + LOOK_FOR_UNKNOWN_EVERY_MS
        }
        const isFull = running.size >= AT_ONCE
        if (running.size >= AT_ONCE_WITH_URGENT) await Promise.race(running.values())
        else if (await startNext(isFull)) continue
        else if (isFull) await sleep(LONGEST_SLEEP_MS, Promise.race([slept, ...running.values()]))
        else await sleep(await msToNextJob(db, { kinds, running: [...running.keys()] }), slept)
      } catch (error) {
        logFault(log, { err: error, event: 'worker_fault' }, 'the worker could not reach the database')
        await sleep(1_000, slept)
      }
    }
    await Promise.all(running.values())
  }

  /** A kind that an earlier release had and none has any more: nobody would ever run the job, or see that it was not run. */
  async function giveUpUnknown(): Promise<void> {
    for (const { id, kind } of await endUnknown(db, kinds))
      log.error({ event: 'job_unknown', job: id, kind }, 'a job was given up: no process knows its kind')
  }

  async function startNext(urgentOnly: boolean): Promise<boolean> {
    const job = await lease(db, { kinds, urgentOnly, running: [...running.keys()] })
    if (!job) return false
    const done = whileRenewing(
      () => renew(db, job),
      () => run(job),
    )
      // its lease runs out, and then it is run again
      .catch((error: unknown) => logFault(log, { err: error, event: 'worker_fault' }, 'the worker could not reach the database'))
      .finally(() => running.delete(job.id))
    running.set(job.id, done)
    return true
  }

  async function run(job: Job): Promise<void> {
    try {
      const handle = handlers[job.kind] as (payload: unknown) => Promise<void>
      await runAs(job, () => handle(job.payload))
      await db.deleteFrom('jobs').where('id', '=', job.id).execute()
      jobsRun.add({ kind: job.kind, outcome: 'done' })
    } catch (error) {
      jobsRun.add({ kind: job.kind, outcome: job.attempts >= LAST_ATTEMPT ? 'given_up' : 'failed' })
      log.warn({ err: withoutRow(error), event: 'job_failed', job: job.id, kind: job.kind, attempts: job.attempts }, 'a job failed')
      await retryLater(db, job, error)
      wake()
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

type Due = { kinds: readonly string[]; urgentOnly: boolean; running: readonly string[] }

/** What runs here is not taken a second time, even if its lease could not be renewed in time. */
async function lease(db: Db, { kinds, urgentOnly, running }: Due): Promise<Job | undefined> {
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
        and id <> all(${running}::bigint[])
        ${urgentOnly ? sql`and urgent` : sql``}
      order by urgent desc, greatest(run_at, leased_until)
      limit 1
      for update skip locked
    )
    returning id, kind, payload, attempts`.execute(db)
  return rows[0]
}

const renew = (db: Db, { id, attempts }: Job) =>
  sql`
    update jobs
    set leased_until = app_now() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${id} and attempts = ${attempts} and leased_until is not null`.execute(db)

async function endUnknown(db: Db, kinds: readonly string[]): Promise<{ id: string; kind: string }[]> {
  const { rows } = await sql<{ id: string; kind: string }>`
    update jobs
    set failed_at = app_now(),
        last_error = 'no process knows this kind of job'
    where failed_at is null
      and kind <> all(${kinds})
      and run_at < app_now() - ${UNKNOWN_AFTER}::interval
    returning id, kind`.execute(db)
  return rows
}

async function retryLater(db: Db, job: Job, error: unknown) {
  // a database that was away says nothing about the job
  const firstSeconds = isDatabaseAway(error) ? 1 : 10
  const backOffSeconds = Math.min(6 * 3600, 2 ** (job.attempts - 1) * firstSeconds)
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

async function msToNextJob(db: Db, { kinds, running }: Omit<Due, 'urgentOnly'>): Promise<number> {
  const { rows } = await sql<{ ms: number | null }>`
    select ceil(extract(epoch from min(greatest(run_at, leased_until)) - app_now()) * 1000)::float8 as ms
    from jobs
    where failed_at is null and kind = any(${kinds}) and id <> all(${running}::bigint[])`.execute(db)
  return Math.max(0, Math.min(rows[0]?.ms ?? LONGEST_SLEEP_MS, LONGEST_SLEEP_MS))
}

const sleep = async (ms: number, orWoken: Promise<void>) => {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([orWoken, new Promise((resolve) => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
}
