import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/api.ts'

export const defaultAddressQuery = queryOptions({
  queryKey: ['default-address'],
  queryFn: async ({ signal }) => (await call('GET /api/v1/auth/me/default-address', { signal })).data,
  // it may have been changed in the account a moment ago
  staleTime: 0,
})
