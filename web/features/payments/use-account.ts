import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '#web/api/api.ts'
import { refreshUser, useUser } from '#web/api/session.ts'

/** The provider may change its mind at any time: what is shown is asked for anew at every visit. */
export const accountQuery = queryOptions({
  queryKey: ['payment-account'],
  queryFn: async ({ signal }) => (await call('GET /api/v1/stripe/account', { signal })).data,
  staleTime: 0,
})

const LOOK_AGAIN_MS = 8_000

/** The payment account as the provider has it, looked at again while it is being verified. The user is what the account says. */
export function useAccount() {
  const query = useQuery({
    ...accountQuery,
    refetchInterval: ({ state: { data } }) => (data?.account_completed && !data.account_verified ? LOOK_AGAIN_MS : false),
  })
  const known = useUser()?.subscription.stripe
  const { data } = query
  const isNews =
    data !== undefined &&
    known !== undefined &&
    (data.account_completed !== known.account_completed || data.account_verified !== known.account_verified)
  useEffect(() => {
    if (isNews) refreshUser().catch(() => null) // the next answer of the provider is the next occasion
  }, [isNews])
  return query
}
