import type { Tier } from '#contract/values/permissions.ts'
import { sentences } from '#contract/values/sentences.ts'
import { messageOf } from '#web/api/api-error.ts'
import { call } from '#web/api/api.ts'
import { sayError, saySuccess } from '#web/api/notices.ts'
import { renew } from '#web/bank-card/confirmation.ts'
import { useOneAtATime } from '#web/sending/one-at-a-time.ts'

/** SPEC §8: each change with its message, of success and of failure, to the letter. */
export function useSubscriptionChanges() {
  const { isBusy, run } = useOneAtATime()

  const change = (send: () => Promise<string>, unable: string): Promise<void> =>
    run(async () => {
      try {
        saySuccess(await send())
      } catch (error) {
        return sayError(error, () => void change(send, unable), unable)
      }
      await renew().catch(() => null) // what is shown is asked for again at the next visit
    })

  return {
    isBusy,
    cancel: () => change(cancel, sentences.subscriptionNotCancelled),
    reactivate: () =>
      change(async () => {
        await call('POST /api/v1/stripe/subscription/reactivate')
        return sentences.subscriptionReactivated
      }, sentences.subscriptionNotReactivated),
    changePlan: (plan_id: Tier) =>
      change(async () => {
        await call('PATCH /api/v1/stripe/subscription', { body: { plan_id } })
        return sentences.subscriptionUpdated
      }, sentences.planNotChanged),
  }
}

async function cancel(): Promise<string> {
  try {
    await call('POST /api/v1/stripe/subscription/delete')
    return sentences.subscriptionCancelled
  } catch (error) {
    // SPEC §4: that it is cancelled already counts as success
    if (messageOf(error).includes('already cancelled')) return sentences.subscriptionAlreadyCancelled
    throw error
  }
}
