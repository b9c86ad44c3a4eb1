import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/api.ts'

export const profileQuery = queryOptions({
  queryKey: ['onboarding-profile'],
  queryFn: async ({ signal }) => (await call('GET /api/v1/onboarding/profile', { signal })).data,
})
