import { sql, type Selectable } from 'kysely'
import type { Coupons, Subscriptions } from '#database/schema.gen.ts'
import type { DbOrTx, Tx } from '#server/db/db.ts'
import { lockUser, type UserRow } from '#server/db/user.ts'
import type { KnownCard } from '#server/features/payments/public.ts'

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

/** The card that somebody who subscribes is charged with: the one that was chosen, or that of the last subscription. */
export async function cardOnFile(db: DbOrTx, user: Pick<UserRow, 'id' | 'subscription_card'>): Promise<KnownCard | null> {
  const last = user.subscription_card ? undefined : await lastConfirmed(db, user.id)
  return (user.subscription_card ?? last?.card ?? null) as KnownCard | null
}

/** One that was never confirmed leaves nothing behind. */
export const lastConfirmed = (db: DbOrTx, userId: string): Promise<SubscriptionRow | undefined> =>
  db
    .selectFrom('subscriptions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

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
