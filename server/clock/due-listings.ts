import type pg from 'pg'
import { settings } from '#contract/settings.ts'
import { closingLagSeconds } from '#server/metrics/metrics.ts'
import { noLongerSetAside, noLongerWaiting, notSetAside, setAside, takeDue } from '#server/features/sales/public.ts'
import type { SettingReader } from '#server/features/settings/public.ts'

// The queues of listings that time moves on, each by a query that locks a batch. What is set aside is in none of them.

export const LARGEST_BATCH = 250

export const byDefault: SettingReader = async (key) => settings[key].default as never

// the clock as a subquery: a volatile function in the condition itself would keep the index from being used
const clock = '(select app_now())'

// Processing and Active have their own looks; in the others no clock runs. As the index on the next step says it.
const timed = `status not in ('Processing', 'Active', 'Expired', 'HasAdminIssue', 'RemovedByAdmin', 'ExchangeComplete', 'ReturnComplete')`
const next = `coalesce(look_again_at, due_at, 'epoch')`

type Queue = {
  lock: string
  /** When the first of it is due; without it nobody knows. */
  next?: string
}

export const queues = {
  /** Submitted and ready, or never to be. */
  ready: {
    lock: `
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
        and ${notSetAside('l')}
      order by created_at
      limit $1
      for update skip locked`,
  },
  ended: {
    lock: `
      select id
      from listings l
      where status = 'Active' and expires_at <= ${clock} and ${notSetAside('l')}
      order by expires_at, id
      limit $1
      for update skip locked`,
    next: `
      select expires_at
      from listings l
      where status = 'Active' and ${notSetAside('l')}
      order by expires_at
      limit 1`,
  },
  /** Offers and waiting times that have run out. */
  ranOut: {
    lock: `
      select id
      from listings l
      where ${timed} and ${next} <= ${clock} and ${notSetAside('l')}
      order by ${next}, id
      limit $1
      for update skip locked`,
    next: `
      select ${next}
      from listings l
      where ${timed} and ${notSetAside('l')}
      order by ${next}
      limit 1`,
  },
  noLongerWaiting: { lock: noLongerWaiting },
} as const satisfies Record<string, Queue>

export type QueueName = keyof typeof queues

/** A listing that could not be moved on, and how often by now. */
export type Failure = { listingId: string; attempts: number; error: unknown }
type Report = (failure: Failure) => void
const untold: Report = () => undefined

/** Makes listings Active that were submitted and are ready, up to a batch; stops those that cannot be. */
export const activateReady = (client: pg.ClientBase, read?: SettingReader): Promise<number> => takeBatch(client, 'ready', read)

/** Closes what is due, up to a batch. Answers how many; whatever another process holds is left to it. */
export const closeDue = (client: pg.ClientBase, read?: SettingReader): Promise<number> => takeBatch(client, 'ended', read)

/** Answers how many it looked at. One listing that fails does not keep the others: each is then taken by itself, and it is set aside. */
export async function takeBatch(client: pg.ClientBase, queue: QueueName, read = byDefault, report = untold): Promise<number> {
  const { lock } = queues[queue]
  try {
    const ids = await take(client, { text: lock, values: [LARGEST_BATCH] }, read)
    if (queue === 'ended') await countLag(client, ids)
    return ids.length
  } catch (fault) {
    await rollBack(client, fault)
  }
  const { rows } = await client.query<{ id: string }>(lock, [LARGEST_BATCH])
  const taken: string[] = []
  for (const { id } of rows) {
    try {
      taken.push(...(await take(client, { text: 'select id from listings where id = $1 for update skip locked', values: [id] }, read)))
    } catch (error) {
      await rollBack(client, error)
      report({ listingId: id, attempts: await setAside(client, id, error), error })
    }
  }
  if (queue === 'ended') await countLag(client, taken)
  return rows.length
}

async function take(client: pg.ClientBase, lock: { text: string; values: unknown[] }, read: SettingReader): Promise<string[]> {
  await client.query('begin')
  const ids = await takeDue(client, lock, read)
  await noLongerSetAside(client, ids)
  await client.query('commit')
  return ids
}

/** After the commit: from now on everybody sees that they are closed. One that a late bid had moved on is still open. */
async function countLag(client: pg.ClientBase, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await client.query<{ late: number }>(
    `select extract(epoch from ${clock} - expires_at)::float8 as late from listings where id = any($1::uuid[]) and status <> 'Active'`,
    [ids],
  )
  for (const { late } of rows) closingLagSeconds.observe({}, late)
}

/** A connection that cannot roll back is lost: that is no listing's fault, and the fault is the loss. */
async function rollBack(client: pg.ClientBase, fault: unknown): Promise<void> {
  await client.query('rollback').catch(() => {
    throw fault
  })
}

/** Nothing is known of a queue without a time, or while it is empty. */
export async function msToNext(client: pg.ClientBase, queue: QueueName): Promise<number | null> {
  const { next }: Queue = queues[queue]
  if (!next) return null
  const { rows } = await client.query<{ ms: number | null }>(`select extract(epoch from (${next}) - app_now())::float8 * 1000 as ms`)
  return rows[0]?.ms ?? null
}
