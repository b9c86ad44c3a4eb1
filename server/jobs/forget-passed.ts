import { sql } from 'kysely'
import type { Db } from '#server/db/db.ts'
import { LONGEST_LIMIT } from '#server/http/attempts.ts'
import { AGE_LIMIT, IDLE_LIMIT } from '#server/http/session.ts'
import { enqueue, planHourly } from '#server/jobs/queue.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'

// API.md: an answer is kept for a day
const ANSWERS_FOR = '24 hours'
// what a mail's link says after its time is over it says for another day
const TOKENS_FOR = '24 hours'
// what somebody was told half a year ago is of no use, and holds names
const NOTIFICATIONS_FOR = '180 days'
// a statement well within its deadline, and a job that lets others have their turn
const AT_ONCE = 2_000
const WORK_FOR_MS = 12_000

/** Rows whose time is over and that nothing reads any more. A used link stays until it expires: it may be followed twice. */
const passed = {
  idempotent_answers: sql`created_at < app_now() - ${ANSWERS_FOR}::interval`,
  attempts: sql`made_at < app_now() - ${LONGEST_LIMIT}::interval`,
  sessions: sql`last_seen_at <= app_now() - ${IDLE_LIMIT}::interval or created_at <= app_now() - ${AGE_LIMIT}::interval`,
  notifications: sql`happened_at < app_now() - ${NOTIFICATIONS_FOR}::interval`,
  email_tokens: sql`expires_at < app_now() - ${TOKENS_FOR}::interval`,
}

export const passedJobs = ({ db }: { db: Db }): Pick<JobHandlers, 'forget_passed'> => ({
  async forget_passed() {
    // what is left over is done at once by the next: however much has passed in an hour, it is gone before the next one
    if (await forgetPassed(db)) await planHourly(db, 'forget_passed', 1)
    else await enqueue(db, 'forget_passed', {})
  },
})

/** Answers whether nothing is left. */
export async function forgetPassed(db: Db, workForMs = WORK_FOR_MS): Promise<boolean> {
  const end = performance.now() + workForMs
  for (const [table, isOver] of Object.entries(passed)) {
    const named = sql.table(table)
    for (let count = AT_ONCE; count === AT_ONCE;) {
      if (performance.now() > end) return false
      const { numAffectedRows = 0n } =
        await sql`delete from ${named} where ctid = any(array(select ctid from ${named} where ${isOver} limit ${AT_ONCE}))`.execute(db)
      count = Number(numAffectedRows)
    }
  }
  return true
}
