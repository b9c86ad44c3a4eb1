import { useState } from 'react'
import type { Subscription } from '#contract/payments.ts'
import { call } from '#web/api/api.ts'
import { queryClient } from '#web/api/query-client.ts'
import { renew, untilKnown } from '#web/bank-card/confirmation.ts'
import { heard, subscriptionQuery } from '#web/features/subscription/queries.ts'
import { useIdempotentSend } from '#web/sending/idempotent-send.ts'

const isLive = (subscription: Subscription | null) => subscription !== null && ['trialing', 'active'].includes(subscription.status)

/** From the first click to the moment when our own server knows of it. */
export function useSubscribing(onDone: () => void) {
  const [stage, setStage] = useState<'open' | 'waiting' | 'unknown'>('open')
  const sendOnce = useIdempotentSend()

  /** What is begun and not confirmed is gone on with: the server answers with the same secret. */
  const begin = async (coupon_code: string | undefined, shown_payment: number): Promise<string | null> => {
    const body = { plan_id: 'full' as const, shown_payment, ...(coupon_code && { coupon_code }) }
    const { client_secret, data } = await sendOnce(body, (idempotencyKey) =>
      call('POST /api/v1/stripe/subscription', { body, idempotencyKey }),
    )
    if (client_secret) queryClient.setQueryData(subscriptionQuery.queryKey, heard(data.subscription))
    return client_secret
  }

  /** Answers whether our server knows of it. */
  const wait = async (): Promise<boolean> => {
    setStage('waiting')
    const isKnown = await untilKnown(async () => isLive((await call('GET /api/v1/stripe/subscription')).data))
    await renew().catch(() => null) // the page that follows asks again
    setStage(isKnown ? 'open' : 'unknown')
    if (isKnown) onDone()
    return isKnown
  }

  return { stage, begin, wait }
}
