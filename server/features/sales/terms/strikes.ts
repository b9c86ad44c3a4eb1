import { sql } from 'kysely'
import type { Strike } from '#contract/sales/terms.ts'
import { toInterval } from '#domain/duration.ts'
import { blocked } from '#domain/sales/blocked.ts'
import type { Db, DbOrTx, Tx } from '#server/db/db.ts'
import { lockUserBesideBids } from '#server/db/user.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import type { Audit } from '#server/http/audit.ts'
import { notFound, refuse } from '#server/http/errors.ts'
import { isUuid } from '#server/http/uuid.ts'

/** Newest first; 404 where there is no such user. */
export async function strikesOf(db: Db, userId: string): Promise<Strike[]> {
  const user = isUuid(userId) ? await db.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst() : undefined
  if (!user) throw notFound()
  return (await readStrikes(db).where('strikes.user_id', '=', userId).execute()).map(present)
}

/** RULES §5: who has too few strikes left may bid or list again, unless something else stops them. */
export async function liftStrike({ db, readSetting }: { db: Db; readSetting: ReadSetting }, audit: Audit, id: string): Promise<Strike> {
  const found = isUuid(id) ? await readStrikes(db).where('strikes.id', '=', id).executeTakeFirst() : undefined
  if (!found) throw notFound()
  const rule = { least: await readSetting(db, 'strikes_to_block'), memory: toInterval(await readSetting(db, 'strike_memory')) }
  return db.transaction().execute(async (tx) => {
    await lockUserBesideBids(tx, found.user_id)
    const lifted = await tx
      .updateTable('strikes')
      .set({ lifted_at: sql`app_now()` })
      .where('id', '=', id)
      .where('lifted_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!lifted) throw refuse('conflict', 'This strike was lifted already.', { code: 'strike_lifted' })
    await allowAgain[found.role as Strike['role']](tx, found.user_id, rule)
    const strike = present(await readStrikes(tx).where('strikes.id', '=', id).executeTakeFirstOrThrow())
    await audit.write(tx, { about: found.user_id, details: { strike_id: id, role: found.role, struck_for: found.reason } })
    return strike
  })
}

const readStrikes = (db: DbOrTx) =>
  db
    .selectFrom('strikes')
    .leftJoin('awards', 'awards.id', 'strikes.award_id')
    .leftJoin('listings', 'listings.id', 'awards.listing_id')
    .select(['strikes.id', 'strikes.user_id', 'strikes.role', 'strikes.reason', 'strikes.at', 'strikes.lifted_at'])
    .select(['listings.id as listing_id', 'listings.title'])
    .orderBy('strikes.at', 'desc')
    .orderBy('strikes.id')

type StrikeRow = Awaited<ReturnType<ReturnType<typeof readStrikes>['executeTakeFirstOrThrow']>>

const present = ({ id, role, reason, at, lifted_at, listing_id, title }: StrikeRow): Strike => ({
  id,
  role: role as Strike['role'],
  reason,
  listing: listing_id === null ? null : { id: listing_id, title: title ?? '' },
  at: at.toISOString(),
  lifted_at: lifted_at?.toISOString() ?? null,
})

type StrikeRule = { least: number; memory: string }

const countLeft = (role: Strike['role'], { memory }: StrikeRule) =>
  sql`(select count(*) from strikes s where s.user_id = u.id and s.role = ${role} and s.lifted_at is null and s.at > app_now() - ${memory}::interval)`

/** The column holds one reason at a time: another that the strikes had hidden takes their place. */
const allowAgain: Record<Strike['role'], (tx: Tx, userId: string, rule: StrikeRule) => Promise<unknown>> = {
  buyer: (tx, userId, rule) =>
    sql`
      update users u
      set bidding_blocked_reason = case when exists (
        select from awards a
        join listings l on l.id = a.listing_id
        where a.bidder_id = u.id and a.overdue_at is not null and l.status in ('DeferredPayment', 'HasAdminIssue')
      ) then ${blocked.overdue}::text end
      where id = ${userId} and bidding_blocked_reason = ${blocked.missedPayments} and ${countLeft('buyer', rule)} < ${rule.least}`.execute(
      tx,
    ),
  seller: (tx, userId, rule) =>
    sql`
      update users u
      set listing_blocked_reason = case when exists (
        select from seller_payouts p
        where p.seller_id = u.id and p.receivable > 0
      ) then ${blocked.owesUs}::text end
      where id = ${userId} and listing_blocked_reason = ${blocked.cancelledSales} and ${countLeft('seller', rule)} < ${rule.least}`.execute(
      tx,
    ),
}
