import { queryClient } from '#web/api/query-client.ts'

export const refetchOwnListings = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['my-listings'] })
