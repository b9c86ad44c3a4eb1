import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { settings } from '#contract/settings.ts'
import { noLongerWaiting, takeDue } from '#server/features/sales/public.ts'
import type { SettingReader } from '#server/features/settings/public.ts'

// Takes the steps of time: starts listings that are ready, ends those whose time has come, lets offers and waiting times run out.
// On any number of processes at once, each listing exactly once.

const LARGEST_BATCH = 250
/** A listing may be started on another process, with an end before the one we sleep towards. */
const LONGEST_SLEEP_MS = 500
/** Whoever learns that an account is verified says so at once; this finds what was missed. */
const LOOK_AGAIN_MS = 2_000

const byDefault: SettingReader = async (key) => settings[key].default as never

// the clock as a subquery: a volatile function in the condition itself would keep the index from being used
const clock = '(select app_now())'

// Processing has its own look: its photos may be checked before any clock runs out. PendingPayment waits for the payments.
const timed = `('ReservationPrice', 'NextBidder', 'AwaitingKYC', 'AwaitingVatNumberVerification', 'InvoiceRequired', 'MissedPayment')`

const ready = `
  select id
  from listings l
  where status = 'Processing'
    and (
      due_at is null
      or due_at <= ${clock}
      or not exists (
        select from listing_media m
        join storage_objects o on o.id = m.storage_object_id
        where m.listing_id = l.id and o.state in ('reserved', 'uploaded')
      )
    )
  order by created_at
  limit $1
  for update skip locked`

const ended = `
  select id
  from listings
  where status = 'Active' and expires_at <= ${clock}
  order by expires_at, id
  limit $1
  for update skip locked`

const ranOut = `
  select id
  from listings
  where status in ${timed} and coalesce(due_at, 'epoch') <= ${clock}
  order by coalesce(due_at, 'epoch'), id
  limit $1
  for update skip locked`

/** Makes listings Active that were submitted and are ready, up to a batch; stops those that cannot be. */
export const activateReady = (client: pg.ClientBase, read: SettingReader = byDefault): Promise<number> => batch(client, ready, read)

/** Closes what is due, up to a batch. Answers how many; whatever another process holds is left to it. */
export const closeDue = (client: pg.ClientBase, read: SettingReader = byDefault): Promise<number> => batch(client, ended, read)

/** Lets offers and waiting times run out, up to a batch. */
const stepDue = (client: pg.ClientBase, read: SettingReader = byDefault): Promise<number> => batch(client, ranOut, read)

async function batch(client: pg.ClientBase, text: string, read: SettingReader): Promise<number> {
  try {
    return await take(client, { text, values: [LARGEST_BATCH] }, read)
  } catch (fault) {
    await client.query('rollback')
    return oneByOne(client, text, read, fault)
  }
}

async function take(client: pg.ClientBase, lock: { text: string; values: unknown[] }, read: SettingReader): Promise<number> {
  await client.query('begin')
  const count = await takeDue(client, lock, read)
  await client.query('commit')
  return count
}

/** A listing that cannot be closed must not keep the others open: each in a transaction of its own, and then the fault is told. */
async function oneByOne(client: pg.ClientBase, text: string, read: SettingReader, fault: unknown): Promise<never> {
  const { rows } = await client.query<{ id: string }>(text, [LARGEST_BATCH])
  for (const { id } of rows) {
    try {
      await take(client, { text: 'select id from listings where id = $1 for update skip locked', values: [id] }, read)
    } catch {
      // the same fault, or one like it: the whole batch has told of it
      await client.query('rollback')
    }
  }
  throw fault
}

export type Closer = { stop(): Promise<void> }

export function startCloser({ pool, log, read = byDefault }: { pool: pg.Pool; log: FastifyBaseLogger; read?: SettingReader }): Closer {
  let isStopping = false
  let wake = () => {}
  let lookedAt = 0

  async function loop() {
    while (!isStopping) {
      const woken = new Promise<void>((resolve) => (wake = resolve))
      const restMs = await round()
      if (restMs > 0 && !isStopping) await rest(restMs, woken)
    }
  }

  /** Answers how long to rest: until the next thing is due, or not at all while there is more to do. */
  async function round(): Promise<number> {
    try {
      const client = await pool.connect()
      try {
        const counts = [await activateReady(client, read), await closeDue(client, read), await stepDue(client, read)]
        if (performance.now() - lookedAt >= LOOK_AGAIN_MS) {
          counts.push(await batch(client, noLongerWaiting, read))
          lookedAt = performance.now()
        }
        const restMs = counts.includes(LARGEST_BATCH) ? 0 : await msToNext(client)
        client.release()
        return restMs
      } catch (error) {
        client.release(true)
        throw error
      }
    } catch (error) {
      log.error({ err: error, event: 'closer_fault' }, 'listings could not be closed, trying again')
      return LONGEST_SLEEP_MS
    }
  }

  const running = loop()
  return {
    async stop() {
      isStopping = true
      wake()
      await running
    },
  }
}

async function msToNext(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ ms: number | null }>(
    `select extract(epoch from least(
         (select min(expires_at) from listings where status = 'Active'),
         (select min(coalesce(due_at, 'epoch')) from listings where status in ${timed})
       ) - app_now())::float8 * 1000 as ms`,
  )
  // at least a moment: what is due but locked by somebody else is theirs to close
  return Math.max(5, Math.min(rows[0]?.ms ?? LONGEST_SLEEP_MS, LONGEST_SLEEP_MS))
}

async function rest(ms: number, woken: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([woken, new Promise((resolve) => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
}
