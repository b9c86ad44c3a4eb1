import type { Db } from '#server/db/db.ts'
import type { Audit } from '#server/http/audit.ts'
import { notFound } from '#server/http/errors.ts'
import { isUuid } from '#server/http/uuid.ts'

export type DeferredTerms = { days: number | null; limit: number | null }

/** RULES §5: an admin grants a user days and a limit. What was bought on earlier terms keeps the days that it was bought with. */
export async function grantTerms(db: Db, audit: Audit, userId: string, { days, limit }: DeferredTerms): Promise<DeferredTerms> {
  if (!isUuid(userId)) throw notFound()
  await db.transaction().execute(async (tx) => {
    const user = await tx
      .updateTable('users')
      .set({ deferred_days: days, deferred_limit: limit })
      .where('id', '=', userId)
      .where('deleted_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!user) throw notFound()
    const act = days === null ? 'end-deferred-terms' : 'grant-deferred-terms'
    await audit.write(tx, { act, about: userId, details: { days, limit } })
  })
  return { days, limit }
}
