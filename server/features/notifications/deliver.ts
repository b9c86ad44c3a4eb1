import { sql } from 'kysely'
import { rowsOf, type Db, type Tx } from '#server/db/db.ts'
import { tellOfNotifications } from '#server/live/outbox.ts'

const AT_ONCE = 500

/** After the commit of what was told: places in the list, channels, and word to open pages. Running again does nothing more. */
export async function deliverNotifications(db: Db, userId: string | undefined): Promise<void> {
  while (await deliverBatch(db)) continue
  if (userId) await db.transaction().execute((tx) => tellOfNotifications(rowsOf(tx), [{ user_id: userId, since: null }]))
}

/** Answers whether there may be more. */
async function deliverBatch(db: Db): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // one process at a time: another one's batch is finished then, and is not delivered twice
    await sql`select pg_advisory_xact_lock(7261028)`.execute(tx)
    const readers = await findReaders(tx)
    if (readers.length === 0) return false
    // places first: a reader who gives them holds the same lock, and then wants the rows
    await sql`select place_notifications(reader) from unnest(${readers}::uuid[]) as reader`.execute(tx)
    const { rows } = await sql<{ user_id: string; since: Date | null }>`
      with delivered as (
        update notifications
        set delivered_at = app_now()
        where delivered_at is null and user_id = any(${readers}::uuid[])
        returning user_id, created_at
      )
      select user_id, min(created_at) as since
      from delivered
      group by user_id`.execute(tx)
    await tellOfNotifications(
      rowsOf(tx),
      rows.filter(({ since }) => since !== null),
    )
    return true
  })
}

/** Sorted, so that nobody who locks several readers waits for another who does. */
async function findReaders(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct user_id
    from (select user_id from notifications where delivered_at is null order by happened_at limit ${AT_ONCE}) as waiting
    order by user_id`.execute(tx)
  return rows.map(({ user_id }) => user_id)
}
