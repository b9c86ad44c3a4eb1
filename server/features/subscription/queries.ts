import { sql, type Selectable } from 'kysely'
import type { Coupons, Subscriptions } from '#database/schema.gen.ts'
import type { DbOrTx, Tx } from '#server/db/db.ts'
import { lockUser, type UserRow } from '#server/db/user.ts'

export type SubscriptionRow = Selectable<Subscriptions>
export type CouponRow = Selectable<Coupons>

/** First in its transaction: everything that changes a user's subscription waits here. */
export async function lockSubscriber(tx: Tx, userId: string): Promise<UserRow> {
  const user = await lockUser(tx, userId)
  if (!user) throw new Error(`there is no user ${userId}`)
  return user
}

export const liveOf = (db: DbOrTx, userId: string): Promise<SubscriptionRow | undefined> =>
  db.selectFrom('subscriptions').selectAll().where('user_id', '=', userId).where('ended_at', 'is', null).executeTakeFirst()

export const findSubscription = (db: DbOrTx, id: string): Promise<SubscriptionRow | undefined> =>
  db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirst()

export const findCoupon = (db: DbOrTx, code: string): Promise<CouponRow | undefined> =>
  db
    .selectFrom('coupons')
    .selectAll()
    .where(sql<boolean>`lower(code) = lower(${code})`)
    .executeTakeFirst()

/** As it is now: what was just paid may have used it up. */
export const creditOf = async (db: DbOrTx, userId: string): Promise<number> =>
  (await db.selectFrom('users').select('subscription_credit').where('id', '=', userId).executeTakeFirstOrThrow()).subscription_credit

export const couponOf = async (db: DbOrTx, couponId: string | null): Promise<CouponRow | undefined> =>
  couponId === null ? undefined : db.selectFrom('coupons').selectAll().where('id', '=', couponId).executeTakeFirst()

export const redemptionsOf = async (db: DbOrTx, couponId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('coupon_redemptions')
    .select((read) => read.fn.countAll<string>().as('count'))
    .where('coupon_id', '=', couponId)
    .executeTakeFirstOrThrow()
  return Number(count)
}
