import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Subscription } from '#contract/payments.ts'
import { call } from '#web/api.ts'
import { queryClient } from '#web/query-client.ts'
import { hearServerTime } from '#web/server-clock.ts'
import { refreshUser, tellOtherTabs } from '#web/session.ts'

/** The provider may change its mind at any time: what is shown is asked for anew at every visit. */
export const accountQuery = queryOptions({
  queryKey: ['payment-account'],
  queryFn: async ({ signal }) => (await call('GET /api/v1/stripe/account', { signal })).data,
  staleTime: 0,
})

export const subscriptionQuery = queryOptions({
  queryKey: ['subscription'],
  queryFn: async ({ signal }) => heard((await call('GET /api/v1/stripe/subscription', { signal })).data),
  staleTime: 0,
})

export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: async ({ signal }) => (await call('GET /api/v1/stripe/subscription/plans', { query: {}, signal })).data,
})

export const invoicesQuery = (page: number) =>
  queryOptions({
    queryKey: ['subscription-invoices', page],
    queryFn: ({ signal }) => call('GET /api/v1/stripe/subscription/invoices', { query: { page }, signal }),
    placeholderData: keepPreviousData,
  })

export const holdingFeeCardQuery = queryOptions({
  queryKey: ['holding-fee-card'],
  queryFn: async ({ signal }) => (await call('GET /api/v1/stripe/holding-fee-payment-method', { signal })).data,
})

export function heard<S extends Subscription | null>(subscription: S): S {
  if (subscription) hearServerTime(subscription.server_time)
  return subscription
}

/** Permissions follow the tier at the next request: the user, and everything that was shown for the old one, is asked for anew. */
export async function renew(): Promise<void> {
  await refreshUser()
  tellOtherTabs('logged_in')
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'config' && queryKey[0] !== 'user' })
}
