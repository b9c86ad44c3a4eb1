import { readNow } from '#server/db/clock.ts'
import type { Db } from '#server/db/db.ts'
import { syncSubscription } from '#server/features/subscription/calls.ts'
import { endAfterGrace, endUnconfirmed, leave, resume } from '#server/features/subscription/change.ts'
import { tellSubscriber } from '#server/features/subscription/letters.ts'
import { findSubscription, lockSubscriber } from '#server/features/subscription/queries.ts'
import type { SubscriptionDeps } from '#server/features/subscription/subscribe.ts'
import { writeTier } from '#server/features/subscription/write.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'

type SubscriptionJob =
  | 'end_grace'
  | 'end_unconfirmed'
  | 'look_at_subscription'
  | 'leave_subscription'
  | 'resume_subscription'
  | 'send_subscription_letter'

export function subscriptionJobs(deps: SubscriptionDeps): Pick<JobHandlers, SubscriptionJob> {
  return {
    async end_grace({ subscription_id }) {
      const row = await findSubscription(deps.db, subscription_id)
      if (!row || row.ended_at !== null) return
      await fallBack(deps.db, row.user_id)
      await endAfterGrace(deps, row)
    },
    async end_unconfirmed({ subscription_id }) {
      const row = await findSubscription(deps.db, subscription_id)
      if (row?.ended_at === null) await endUnconfirmed(deps, row)
    },
    async look_at_subscription({ provider_id }) {
      await syncSubscription(deps, provider_id)
    },
    leave_subscription: ({ user_id }) => leave(deps, user_id),
    resume_subscription: ({ user_id }) => resume(deps, user_id),
    send_subscription_letter: ({ subscription_id, letter }) => tellSubscriber(deps.db, subscription_id, letter),
  }
}

/** The tier falls on time, whether or not the provider can be reached. */
const fallBack = (db: Db, userId: string) =>
  db.transaction().execute(async (tx) => {
    const user = await lockSubscriber(tx, userId)
    await writeTier(tx, user, await readNow(tx))
  })
