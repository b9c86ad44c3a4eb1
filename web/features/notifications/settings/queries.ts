import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/api.ts'

export const settingsQuery = queryOptions({
  queryKey: ['notification-settings'],
  queryFn: async ({ signal }) => (await call('GET /api/v1/auth/notification-settings', { signal })).data,
})
