import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#web/api.ts'

export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: async ({ signal }) => (await call('GET /api/v1/config', { signal })).data,
  staleTime: 10 * 60_000,
})

export const useConfig = () => useQuery(configQuery).data
