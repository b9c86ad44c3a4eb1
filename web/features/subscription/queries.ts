import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Subscription } from '#contract/payments.ts'
import { call } from '#web/api/api.ts'
import { hearServerTime } from '#web/api/server-clock.ts'
import { refreshUser, useUser } from '#web/api/session.ts'

export const subscriptionQuery = queryOptions({
  queryKey: ['subscription'],
  queryFn: async ({ signal }) => heard((await call('GET /api/v1/stripe/subscription', { signal })).data),
  staleTime: 0,
})

export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: ({ signal }) => call('GET /api/v1/stripe/subscription/plans', { query: {}, signal }),
  // what subscribing would come with changes with the clock, the card and the last subscription
  staleTime: 0,
})

export const invoicesQuery = (page: number) =>
  queryOptions({
    queryKey: ['subscription-invoices', page],
    queryFn: ({ signal }) => call('GET /api/v1/stripe/subscription/invoices', { query: { page }, signal }),
    placeholderData: keepPreviousData,
  })

export function heard<S extends Subscription | null>(subscription: S): S {
  if (subscription) hearServerTime(subscription.server_time)
  return subscription
}

/** The clock and the provider change a tier too: where the subscription says another than the user has, the user is asked for anew. */
export function useTierOf(subscription: Subscription | null | undefined): void {
  const known = useUser()?.subscription.tier
  const isNews = subscription ? subscription.tier !== known : subscription === null && known === 'full'
  useEffect(() => {
    if (isNews) refreshUser().catch(() => null) // the next visit is the next occasion
  }, [isNews])
}
