import { sql } from 'kysely'
import type { Db, DbOrTx, Tx } from '#server/db/db.ts'
import { notFound, refuse } from '#server/http/errors.ts'
import { isUuid } from '#server/http/uuid.ts'

// One table of blocks for chat and market: no new message passes between the two, in either direction.

export type Blocks = { byOne: boolean; byOther: boolean }

export async function findBlocks(db: DbOrTx, one: string, other: string): Promise<Blocks> {
  const { rows } = await sql<Blocks>`
    select exists (select from user_blocks where blocker_id = ${one} and blocked_id = ${other}) as "byOne",
           exists (select from user_blocks where blocker_id = ${other} and blocked_id = ${one}) as "byOther"`.execute(db)
  return rows[0] ?? { byOne: false, byOther: false }
}

/** Whether either of two users has blocked the other. In a transaction that sends, after `lockBlocks`. */
export async function isBlocked(db: DbOrTx, one: string, other: string): Promise<boolean> {
  const { byOne, byOther } = await findBlocks(db, one, other)
  return byOne || byOther
}

/** Whoever sends holds this until the commit: a block waits for it, and no message comes after a block that was answered. */
export async function lockBlocks(tx: Tx, one: string, other: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${pairKey(one, other)})`.execute(tx)
}

/** Names a pair of users, whichever comes first, for an advisory lock. */
export const pairKey = (one: string, other: string) => sql`hashtextextended(${[one, other].toSorted().join(' ')}, 7261028)`

/** A second time changes nothing. */
export async function block(db: Db, blockerId: string, blockedId: string): Promise<void> {
  if (blockerId === blockedId) throw refuse('conflict', 'You cannot block yourself.', { code: 'own_account' })
  if (!isUuid(blockedId)) throw notFound()
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${pairKey(blockerId, blockedId.toLowerCase())})`.execute(tx)
    if (!(await tx.selectFrom('users').select('id').where('id', '=', blockedId).executeTakeFirst())) throw notFound()
    await tx
      .insertInto('user_blocks')
      .values({ blocker_id: blockerId, blocked_id: blockedId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}

export async function unblock(db: Db, blockerId: string, blockedId: string): Promise<void> {
  if (!isUuid(blockedId)) throw notFound()
  await db.deleteFrom('user_blocks').where('blocker_id', '=', blockerId).where('blocked_id', '=', blockedId).execute()
}
