import type { Tier } from '#contract/values/permissions.ts'
import { sentences } from '#contract/values/sentences.ts'
import { messageOf } from '#web/api/api-error.ts'
import { call } from '#web/api/api.ts'
import { sayError, saySuccess } from '#web/api/notices.ts'
import { renew } from '#web/bank-card/confirmation.ts'
import { askUntilAnswered } from '#web/sending/ask-until-answered.ts'
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
    reactivate: () => change(reactivate, sentences.subscriptionNotReactivated),
    changePlan: (plan_id: Tier) => change(() => changePlan(plan_id), sentences.planNotChanged),
  }
}

// None of these has a key, and none needs one: a second call is refused because the first was done, and the refusal says so.

/** SPEC §4: that it is cancelled already counts as success, at the first call too. */
async function cancel(): Promise<string> {
  const alreadyCancelled = (error: unknown) =>
    messageOf(error).includes('already cancelled') ? sentences.subscriptionAlreadyCancelled : undefined
  try {
    return await askUntilAnswered<string>({
      ask: async () => {
        await call('POST /api/v1/stripe/subscription/delete')
        return sentences.subscriptionCancelled
      },
      whenDoneBefore: (error) => alreadyCancelled(error) && sentences.subscriptionCancelled,
    })
  } catch (error) {
    const success = alreadyCancelled(error)
    if (success) return success
    throw error
  }
}

const reactivate = (): Promise<string> =>
  askUntilAnswered<string>({
    ask: async () => {
      await call('POST /api/v1/stripe/subscription/reactivate')
      return sentences.subscriptionReactivated
    },
    whenDoneBefore: ({ code }) => (code === 'not_cancelled' ? sentences.subscriptionReactivated : undefined),
  })

const changePlan = (plan_id: Tier): Promise<string> =>
  askUntilAnswered<string>({
    ask: async () => {
      await call('PATCH /api/v1/stripe/subscription', { body: { plan_id } })
      return sentences.subscriptionUpdated
    },
    whenDoneBefore: ({ code }) => (code === 'plan_unchanged' ? sentences.subscriptionUpdated : undefined),
  })
