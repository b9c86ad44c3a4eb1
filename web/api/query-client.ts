import { QueryClient } from '@tanstack/react-query'

// Each call has its own time limit and each failed state its own Retry, so nothing is tried again behind the user's back.
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, networkMode: 'always', staleTime: 60_000 } },
})
