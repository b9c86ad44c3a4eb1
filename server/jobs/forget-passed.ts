import { sql } from 'kysely'
import type { Db } from '#server/db/db.ts'
import { LONGEST_LIMIT } from '#server/http/attempts.ts'
import { AGE_LIMIT, IDLE_LIMIT } from '#server/http/session.ts'

// API.md: an answer is kept for a day
const ANSWERS_FOR = '24 hours'
// what a mail's link says after its time is over it says for another day
const TOKENS_FOR = '24 hours'
// a table at a time and so many rows, well within a job's lease; the rest is there in an hour
const MOST = 20_000

/** Rows whose time is over and that nothing reads any more. A used link stays until it expires: it may be followed twice. */
const passed = {
  idempotent_answers: sql`created_at < app_now() - ${ANSWERS_FOR}::interval`,
  attempts: sql`made_at < app_now() - ${LONGEST_LIMIT}::interval`,
  sessions: sql`last_seen_at <= app_now() - ${IDLE_LIMIT}::interval or created_at <= app_now() - ${AGE_LIMIT}::interval`,
  email_tokens: sql`expires_at < app_now() - ${TOKENS_FOR}::interval`,
}

export async function forgetPassed(db: Db): Promise<void> {
  for (const [table, isOver] of Object.entries(passed)) {
    const named = sql.table(table)
    await sql`delete from ${named} where ctid = any(array(select ctid from ${named} where ${isOver} limit ${MOST}))`.execute(db)
  }
}
