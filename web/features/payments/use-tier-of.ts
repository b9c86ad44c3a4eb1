import { useEffect } from 'react'
import type { Subscription } from '#contract/payments.ts'
import { refreshUser, useUser } from '#web/session.ts'

/** The clock and the provider change a tier too: where the subscription says another than the user has, the user is asked for anew. */
export function useTierOf(subscription: Subscription | null | undefined): void {
  const known = useUser()?.subscription.tier
  const isNews = subscription ? subscription.tier !== known : subscription === null && known === 'full'
  useEffect(() => {
    if (isNews) refreshUser().catch(() => null) // the next visit is the next occasion
  }, [isNews])
}
