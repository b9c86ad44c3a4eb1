import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#web/api/api-error.ts'
import { useUser } from '#web/api/session.ts'
import { PreferencesForm } from '#web/features/preferences/preferences-form.tsx'
import { preferencesQuery } from '#web/features/preferences/queries.ts'
import { Page } from '#web/page/page.tsx'
import { FormSkeleton } from '#web/ui/skeleton.tsx'
import { FailedState } from '#web/ui/state.tsx'

export default function MaterialPreferencesPage() {
  const user = useUser()
  const { data, error, refetch, isFetching } = useQuery(preferencesQuery)
  return (
    <Page title="Materials">
      {data ? (
        <PreferencesForm saved={data} isToldOfEnquiries={user?.permissions.market_get_notifications.enabled === true} />
      ) : error ? (
        <FailedState message={messageOf(error)} onRetry={() => void refetch()} isRetrying={isFetching} />
      ) : (
        <FormSkeleton fields={6} />
      )}
    </Page>
  )
}
