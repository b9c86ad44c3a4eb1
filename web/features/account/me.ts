import { queryOptions } from '@tanstack/react-query'
import type { User } from '#contract/account.ts'
import { call } from '#web/api/api.ts'
import { queryClient } from '#web/api/query-client.ts'
import { updateUser } from '#web/api/session.ts'

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => (await call('GET /api/v1/auth/me', { signal })).data,
})

/** What the server answered is what every page shows from now on. */
export function keepMe(user: User): void {
  if (updateUser(user)) queryClient.setQueryData(meQuery.queryKey, user)
}
