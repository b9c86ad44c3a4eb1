import { queryOptions, useQuery } from '@tanstack/react-query'
import { MailCheck, MailX } from 'lucide-react'
import { ApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/api.ts'
import { refreshUser, tellOtherTabs } from '#web/api/session.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { useSearchText } from '#web/navigation/search-text.ts'
import { TaskPage } from '#web/page/task-page.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { FailedState } from '#web/ui/state.tsx'

const confirmation = (token: string) =>
  queryOptions({
    queryKey: ['verify-email', token],
    queryFn: async () => {
      const { message } = await call('GET /api/v1/auth/verify-email', { query: { token }, skipAuthRedirect: true })
      await refreshUser()
      tellOtherTabs('logged_in')
      return message
    },
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnMount: false,
  })

export default function VerifyEmailPage() {
  const token = useSearchText('token') ?? ''
  const { data, error, isPending, isFetching, refetch } = useQuery({ ...confirmation(token), enabled: token !== '' })
  const canRetry = error instanceof ApiError && error.canRetry

  return (
    <TaskPage title="Confirm your email">
      {token !== '' && isPending ? (
        <div role="status">
          <span className="sr-only">Confirming…</span>
          <Skeleton className="h-11 w-full" />
        </div>
      ) : canRetry ? (
        <FailedState message={error.message} onRetry={() => void refetch()} isRetrying={isFetching} />
      ) : (
        <Outcome
          isConfirmed={data !== undefined}
          message={data ?? error?.message ?? 'This link is not complete. Open it from the email again.'}
        />
      )}
    </TaskPage>
  )
}

function Outcome({ isConfirmed, message }: { isConfirmed: boolean; message: string }) {
  const Icon = isConfirmed ? MailCheck : MailX
  return (
    <div role="status" className="grid justify-items-start gap-4">
      <Icon className={`size-10 ${isConfirmed ? 'text-success' : 'text-danger'}`} strokeWidth={1.5} aria-hidden="true" />
      <p className="text-16">{message}</p>
      <PlaceLink to="dashboard" className={buttonLook()}>
        To the dashboard
      </PlaceLink>
    </div>
  )
}
