import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/api.ts'

export const preferencesQuery = queryOptions({
  queryKey: ['material-preferences'],
  queryFn: async ({ signal }) => (await call('GET /api/v1/auth/marketplace/preferences', { signal })).data,
})

export const forYouQuery = queryOptions({
  queryKey: ['listings-for-you'],
  queryFn: async ({ signal }) => (await call('GET /api/v1/listings/for-you', { signal })).data,
})
