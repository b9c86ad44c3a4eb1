import path from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#server/db/db.ts'
import { incomingKey, keysOf, ownerOfKey, paperOfKey } from '#server/features/storage/keys.ts'
import { findAll, findPaperHashes, forgetAbandoned, forgetUnused, type StorageObject } from '#server/features/storage/queries.ts'
import { enqueue, planHourly } from '#server/jobs/queue.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'
import type { FileStore } from '#server/providers/files.ts'

// INVARIANTS 52: nothing stays in the store for longer without a row
const UNFINISHED_FOR = '24 hours'
// one step of a sweep: the other jobs have their turn after it
const STEP = 500
// each has up to five files to remove
const UNUSED_STEP = 100
const WORK_FOR_MS = 12_000

export function storageJobs({ db, files }: { db: Db; files: FileStore }): Pick<JobHandlers, 'sweep_storage' | 'forget_uploads'> {
  return {
    async sweep_storage({ after }) {
      const last = await sweepStep(db, files, after ?? '')
      if (last) await enqueue(db, 'sweep_storage', { after: last })
      else await planHourly(db, 'sweep_storage', 1)
    },
    async forget_uploads() {
      const end = performance.now() + WORK_FOR_MS
      for (;;) {
        const abandoned = await forgetAbandoned(db, UNFINISHED_FOR, STEP)
        for (const id of abandoned) await files.remove(incomingKey(id))
        const unused = await forgetUnused(db, UNFINISHED_FOR, UNUSED_STEP)
        for (const object of unused) for (const key of keysOf(object)) await files.remove(key)
        if (abandoned.length < STEP && unused.length < UNUSED_STEP) return planHourly(db, 'forget_uploads', 1)
        if (performance.now() > end) return enqueue(db, 'forget_uploads', {})
      }
    },
  }
}

/** Removes the strays among the next files; answers where to go on, nothing at the end. */
async function sweepStep(db: Db, files: FileStore, after: string): Promise<string | undefined> {
  const { rows } = await sql<{ cutoff: Date }>`select app_now() - ${UNFINISHED_FOR}::interval as cutoff`.execute(db)
  const cutoff = rows[0]?.cutoff ?? new Date(0)
  const stored = await files.list(after, STEP)
  const old = stored.filter(({ modifiedAt }) => modifiedAt < cutoff).map(({ key }) => key)
  const owners = await findAll(db, [...new Set(old.flatMap((key) => ownerOfKey(key) ?? []))])
  const byId = new Map(owners.map((object) => [object.id, object]))
  const papers = await findPaperHashes(db, [...new Set(old.flatMap((key) => paperOfKey(key)?.id ?? []))])
  for (const key of old) {
    const object = byId.get(ownerOfKey(key) ?? '')
    const paper = paperOfKey(key)
    const isHeld = paper ? papers.get(paper.id) === paper.sha256 : object !== undefined && belongs(key, object)
    if (!isHeld) await files.remove(key)
  }
  return stored.length < STEP ? undefined : stored.at(-1)?.key
}

function belongs(key: string, object: StorageObject): boolean {
  if (key === incomingKey(object.id)) return object.state === 'reserved' || object.state === 'uploaded'
  return object.state === 'ready' && path.posix.dirname(key) === path.posix.dirname(object.object_key ?? '')
}
