import { useState } from 'react'
import { newId } from '#web/sending/new-id.ts'
import type { Subscription } from '#contract/payments.ts'
import { call } from '#web/api/api.ts'
import { queryClient } from '#web/api/query-client.ts'
import { renew, untilKnown } from '#web/bank-card/confirmation.ts'
import { heard, subscriptionQuery } from '#web/features/subscription/queries.ts'

const isLive = (subscription: Subscription | null) => subscription !== null && ['trialing', 'active'].includes(subscription.status)

/** From the first click to the moment when our own server knows of it. */
export function useSubscribing(onDone: () => void) {
  const [stage, setStage] = useState<'open' | 'waiting' | 'unknown'>('open')

  /** What is begun and not confirmed is gone on with: the server answers with the same secret. */
  const begin = async (coupon_code: string | undefined): Promise<string | null> => {
    const { client_secret, data } = await call('POST /api/v1/stripe/subscription', {
      body: { plan_id: 'full', ...(coupon_code && { coupon_code }) },
      idempotencyKey: newId(),
    })
    if (client_secret) queryClient.setQueryData(subscriptionQuery.queryKey, heard(data.subscription))
    return client_secret
  }

  const wait = async (): Promise<void> => {
    setStage('waiting')
    const isKnown = await untilKnown(async () => isLive((await call('GET /api/v1/stripe/subscription')).data))
    await renew().catch(() => null) // the page that follows asks again
    setStage(isKnown ? 'open' : 'unknown')
    if (isKnown) onDone()
  }

  return { stage, begin, wait }
}
