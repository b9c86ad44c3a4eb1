import { queryOptions, useQuery } from '@tanstack/react-query'
import type { SavedSearch } from '#contract/saved-searches.ts'
import { call } from '#web/api/api.ts'
import { queryClient } from '#web/api/query-client.ts'

const savedSearchesQuery = queryOptions({
  queryKey: ['saved-searches'],
  queryFn: async ({ signal }) => (await call('GET /api/v1/saved-searches', { signal })).data,
})

export const useSavedSearches = () => useQuery(savedSearchesQuery)

/** What the server has answered, without asking it again. */
export const keepSaved = (change: (saved: SavedSearch[]) => SavedSearch[]): void =>
  void queryClient.setQueryData(savedSearchesQuery.queryKey, (saved) => saved && change(saved))
