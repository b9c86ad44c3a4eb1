import path from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#server/db/db.ts'
import { incomingKey, keysOf, ownerOfKey } from '#server/features/storage/keys.ts'
import { findAll, forgetAbandoned, forgetUnused, type StorageObject } from '#server/features/storage/queries.ts'
import { forgetPassed } from '#server/jobs/forget-passed.ts'
import { enqueue, JOBS_CHANNEL } from '#server/jobs/queue.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'
import type { FileStore } from '#server/providers/files.ts'

// INVARIANTS 52: nothing stays in the store for longer without a row
const UNFINISHED_FOR = '24 hours'
// one step of a sweep, well within a job's lease
const STEP = 500
// each has up to five files to remove; more of them wait for the next hour
const UNUSED_STEP = 100

export function storageJobs({ db, files }: { db: Db; files: FileStore }): Pick<JobHandlers, 'sweep_storage'> {
  async function begin() {
    await forgetPassed(db)
    for (const id of await forgetAbandoned(db, UNFINISHED_FOR, STEP)) await files.remove(incomingKey(id))
    for (const object of await forgetUnused(db, UNFINISHED_FOR, UNUSED_STEP)) for (const key of keysOf(object)) await files.remove(key)
  }

  return {
    async sweep_storage({ after }) {
      if (!after) await begin()
      const last = await sweepStep(db, files, after ?? '')
      if (last) await enqueue(db, 'sweep_storage', { after: last })
      else await planSweep(db, 1)
    },
  }
}

/** Plans a sweep for the beginning of an hour: this one or the next. However many processes do, there is one. */
export async function planSweep(db: Db, hoursAhead: 0 | 1): Promise<void> {
  await db
    .insertInto('jobs')
    .values({
      kind: 'sweep_storage',
      payload: JSON.stringify({}),
      run_at: sql`date_trunc('hour', app_now()) + make_interval(hours => ${hoursAhead})`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await sql`select pg_notify(${JOBS_CHANNEL}, '')`.execute(db)
}

/** Removes the strays among the next files; answers where to go on, nothing at the end. */
async function sweepStep(db: Db, files: FileStore, after: string): Promise<string | undefined> {
  const { rows } = await sql<{ cutoff: Date }>`select app_now() - ${UNFINISHED_FOR}::interval as cutoff`.execute(db)
  const cutoff = rows[0]?.cutoff ?? new Date(0)
  const stored = await files.list(after, STEP)
  const old = stored.filter(({ modifiedAt }) => modifiedAt < cutoff).map(({ key }) => key)
  const owners = await findAll(db, [...new Set(old.flatMap((key) => ownerOfKey(key) ?? []))])
  const byId = new Map(owners.map((object) => [object.id, object]))
  for (const key of old) {
    const object = byId.get(ownerOfKey(key) ?? '')
    if (!object || !belongs(key, object)) await files.remove(key)
  }
  return stored.length < STEP ? undefined : stored.at(-1)?.key
}

function belongs(key: string, object: StorageObject): boolean {
  if (key === incomingKey(object.id)) return object.state === 'reserved' || object.state === 'uploaded'
  return object.state === 'ready' && path.posix.dirname(key) === path.posix.dirname(object.object_key ?? '')
}
