import { queryOptions, useQuery } from '@tanstack/react-query'
import { settle } from '#domain/navigation.ts'
import { call } from '#web/api.ts'
import { TaskPage } from '#web/pages/task-page.tsx'
import { PlaceLink } from '#web/place-link.tsx'
import { useUser } from '#web/session.ts'
import { buttonLook } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { FailedState } from '#web/ui/state.tsx'

const newLink = queryOptions({
  queryKey: ['provider-reauth'],
  queryFn: async () => {
    const { data } = await call('POST /api/v1/stripe/create-account-link')
    location.replace(data.url)
    return data.url
  },
  staleTime: 0,
  gcTime: 0,
  refetchOnWindowFocus: false,
})

/** A link to the provider had expired, or was used: a new one is made, and followed. */
export default function ProviderReauthPage() {
  const user = useUser()
  const { error, isFetching, refetch } = useQuery(newLink)
  return (
    <TaskPage title="Back from Stripe">
      {error ? (
        <div className="grid gap-3">
          <FailedState message={error.message} onRetry={() => void refetch()} isRetrying={isFetching} />
          <PlaceLink to={settle('provider-reauth', user)} className={buttonLook('quiet', '-mx-4 justify-self-start')}>
            Set it up later
          </PlaceLink>
        </div>
      ) : (
        <p role="status" className="flex items-center gap-3 text-16 text-muted">
          <Spinner className="size-5" /> Your link to Stripe had expired. A new one opens in a moment…
        </p>
      )}
    </TaskPage>
  )
}
