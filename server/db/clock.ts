import { sql } from 'kysely'
import type { DbOrTx } from '#server/db/db.ts'

// The database's clock decides: every process sees the same one, and tests set it.

/** For what a statement writes or compares. */
export const now = sql<Date>`app_now()`

export async function readNow(db: DbOrTx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select app_now() as now`.execute(db)
  return rows[0]?.now ?? new Date(NaN)
}

/** When a paper ends: a day counts to its last moment, in London. To the millisecond, which is as fine as the server's clock goes. */
export async function readExpiry(db: DbOrTx, given: string): Promise<{ at: Date; isOver: boolean }> {
  const isDay = given.length === 'yyyy-mm-dd'.length
  const end = isDay
    ? sql`((${given}::date + 1)::timestamp at time zone 'Europe/London')`
    : sql`date_trunc('milliseconds', ${given}::timestamptz)`
  const { rows } = await sql<{
    at: Date
    isOver: boolean
  }>`select ends as at, ends <= app_now() as "isOver" from (select ${end} as ends) as paper`.execute(db)
  return rows[0] ?? { at: new Date(NaN), isOver: true }
}
