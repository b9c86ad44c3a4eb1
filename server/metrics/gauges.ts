import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { gauge, type Family } from '#server/metrics/exposition.ts'

// What is looked up when somebody asks: the process, its pools, and the queues in the database. The queues are the same whichever process
// is asked: dashboards take the maximum.

// less than a scraper waits
const LOOK_WITHIN_MS = 3_000

type Watched = { about: Record<string, string>; pools: Record<string, pg.Pool>; liveConnections: () => number }

export function watchGauges({ about, pools, liveConnections }: Watched) {
  const loopDelay = monitorEventLoopDelay({ resolution: 20 })
  loopDelay.enable()

  return {
    async read(): Promise<Family[]> {
      const queues = await Promise.race([lookAtQueues(pools['settings']), pause(LOOK_WITHIN_MS, undefined, { ref: false })])
      const delaySeconds = loopDelay.percentile(99) / 1e9
      loopDelay.reset()
      return [
        gauge('yardbid_build_info', 'Version and role of this process.', [{ labels: about, value: 1 }]),
        gauge('yardbid_live_connections', 'Open streams of live prices.', [{ value: liveConnections() }]),
        ...poolGauges(pools),
        ...queueGauges(queues),
        gauge('yardbid_event_loop_delay_seconds', '99th percentile of the delay of the event loop since the last scrape.', [
          { value: Number.isFinite(delaySeconds) ? delaySeconds : 0 },
        ]),
        ...processGauges(),
      ]
    },
    stop: () => void loopDelay.disable(),
  }
}

function poolGauges(pools: Record<string, pg.Pool>): Family[] {
  const each = (of: (pool: pg.Pool) => number) => Object.entries(pools).map(([pool, it]) => ({ labels: { pool }, value: of(it) }))
  return [
    gauge(
      'yardbid_pool_connections',
      'Open connections to the database.',
      each((pool) => pool.totalCount),
    ),
    gauge(
      'yardbid_pool_idle_connections',
      'Open connections that nobody uses.',
      each((pool) => pool.idleCount),
    ),
    gauge(
      'yardbid_pool_size',
      'Connections that the pool may open.',
      each((pool) => pool.options.max),
    ),
    gauge(
      'yardbid_pool_waiting',
      'Callers that wait for a connection.',
      each((pool) => pool.waitingCount),
    ),
  ]
}

type Queues = {
  jobs_due: number
  oldest_job: number
  jobs_failed: number
  events_open: number
  oldest_event: number
  set_aside: number
  oldest_end: number
}

const since = (moment: string) => `coalesce(greatest(extract(epoch from app_now() - (${moment})), 0), 0)::float8`

// a job whose lease runs is being done; the index on failed jobs is small, they are looked at by people
const queueQuery = `
  select (select count(*)::int from jobs where failed_at is null and greatest(run_at, leased_until) <= (select app_now())) as jobs_due,
         ${since('select min(greatest(run_at, leased_until)) from jobs where failed_at is null')} as oldest_job,
         (select count(*)::int from jobs where failed_at is not null) as jobs_failed,
         (select count(*)::int from provider_events where applied_at is null) as events_open,
         ${since('select min(received_at) from provider_events where applied_at is null')} as oldest_event,
         (select count(*)::int from set_aside_listings) as set_aside,
         ${since(`select min(expires_at) from listings where status = 'Active'`)} as oldest_end`

async function lookAtQueues(pool: pg.Pool | undefined): Promise<Queues | undefined> {
  try {
    return (await pool?.query<Queues>(queueQuery))?.rows[0]
  } catch {
    // a database that is away shows as one that is not up
    return undefined
  }
}

function queueGauges(queues: Queues | undefined): Family[] {
  const one = (name: string, help: string, of: keyof Queues) => gauge(name, help, queues ? [{ value: queues[of] }] : [])
  return [
    gauge('yardbid_database_up', 'Whether the database answered this scrape.', [{ value: queues ? 1 : 0 }]),
    one('yardbid_jobs_due', 'Jobs that are due and that nobody does yet.', 'jobs_due'),
    one('yardbid_jobs_oldest_due_age_seconds', 'How long the oldest of them has been due.', 'oldest_job'),
    one('yardbid_jobs_failed', 'Jobs that were given up and wait for somebody to look.', 'jobs_failed'),
    one('yardbid_provider_events_waiting', "The payment provider's events that are not applied yet.", 'events_open'),
    one('yardbid_provider_events_oldest_age_seconds', 'How long the oldest of them has waited.', 'oldest_event'),
    one('yardbid_listings_set_aside', 'Listings that the clock could not move on.', 'set_aside'),
    one('yardbid_listings_overdue_seconds', 'How long ago the end was of the active listing that ended first.', 'oldest_end'),
  ]
}

function processGauges(): Family[] {
  const { user, system } = process.cpuUsage()
  return [
    gauge('process_resident_memory_bytes', 'Memory of this process.', [{ value: process.memoryUsage.rss() }]),
    gauge('process_cpu_seconds_total', 'Processor time of this process.', [{ value: (user + system) / 1e6 }], 'counter'),
    gauge('process_start_time_seconds', 'When this process began, since the epoch.', [{ value: performance.timeOrigin / 1_000 }]),
  ]
}
