import type { SubscriptionNews } from '#domain/notifications/subscription-words.ts'
import type { Db } from '#server/db/db.ts'
import { notify } from '#server/features/notifications/public.ts'
import { nextAmount } from '#server/features/subscription/present.ts'
import { couponOf, findSubscription, type SubscriptionRow } from '#server/features/subscription/queries.ts'
import { runningJobId } from '#server/jobs/message-ids.ts'

/** Whether it is still so by the time it is told. */
const holds: Record<SubscriptionNews, (row: SubscriptionRow) => boolean> = {
  started: () => true,
  cancelled: (row) => row.cancel_at_period_end && row.ended_at === null,
  resumed: (row) => !row.cancel_at_period_end && row.ended_at === null,
  ended: () => true,
  renewal_failed: isUnpaid,
  renewal_reminder: isUnpaid,
  trial_ending: (row) => row.status === 'trialing' && row.ended_at === null && !row.cancel_at_period_end,
}

function isUnpaid(row: SubscriptionRow): boolean {
  return row.past_due_since !== null && row.ended_at === null
}

export async function tellSubscriber(db: Db, subscriptionId: string, news: SubscriptionNews): Promise<void> {
  const row = await findSubscription(db, subscriptionId)
  if (!row || !holds[news](row)) return
  const user = await db.selectFrom('users').select(['subscription_credit', 'deleted_at']).where('id', '=', row.user_id).executeTakeFirst()
  await notify(db, {
    kind: 'subscription',
    to: row.user_id,
    source: `subscription:${runningJobId()}`,
    facts: {
      news,
      isAccountClosed: Boolean(user?.deleted_at),
      isTrial: row.status === 'trialing',
      trial_ends_at: row.trial_ends_at?.toISOString() ?? null,
      period_ends_at: row.current_period_end?.toISOString() ?? null,
      grace_ends_at: row.grace_ends_at?.toISOString() ?? null,
      next: nextAmount(row, await couponOf(db, row.coupon_id), user?.subscription_credit ?? 0),
      price: row.price,
    },
    link: '/account/subscriptions',
  })
}
