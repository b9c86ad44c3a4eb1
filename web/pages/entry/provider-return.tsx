import { queryOptions, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { PaymentAccount } from '#contract/payments.ts'
import { places } from '#contract/values/places.ts'
import { settle } from '#domain/navigation.ts'
import { call } from '#web/api/api.ts'
import { notify, saySuccess } from '#web/api/notices.ts'
import { refreshUser, tellOtherTabs } from '#web/api/session.ts'
import { TaskPage } from '#web/page/task-page.tsx'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { FailedState } from '#web/ui/state.tsx'

const returning = (goOn: () => Promise<void>) =>
  queryOptions({
    queryKey: ['provider-return'],
    queryFn: async () => {
      const { data } = await call('GET /api/v1/stripe/account')
      tellOtherTabs('logged_in')
      await goOn()
      say(data)
      return data
    },
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })

/** SPEC §2 and RULES §2: the account is fetched anew from the provider, and then the guard's rules decide where to go. */
export function ProviderReturn() {
  const router = useRouter()
  const goOn = async () => {
    const user = await refreshUser()
    await router.navigate({ to: places[settle('provider-return', user)].path, replace: true })
  }
  const { error, isFetching, refetch } = useQuery(returning(goOn))
  return (
    <TaskPage title="Back from Stripe">
      {error ? (
        <div className="grid gap-3">
          <FailedState message={error.message} onRetry={() => void refetch()} isRetrying={isFetching} />
          <Button kind="quiet" className="-mx-4 justify-self-start" onClick={() => void goOn().catch(() => null)}>
            Go on without it
          </Button>
        </div>
      ) : (
        <p role="status" className="flex items-center gap-3 text-16 text-muted">
          <Spinner className="size-5" /> Asking Stripe how your account stands…
        </p>
      )}
    </TaskPage>
  )
}

function say({ account_completed, account_verified, missing }: PaymentAccount) {
  if (account_verified) saySuccess('Your payment account is verified', 'Buyers can pay you, and Stripe pays you out.')
  else if (account_completed && missing.length > 0)
    notify({ type: 'danger', title: 'Stripe needs something more', body: missing[0]?.says ?? '' })
  else if (account_completed) saySuccess('Your payment account is set up', 'Stripe is still checking it. You can go on meanwhile.')
  else
    notify({
      type: 'danger',
      title: 'Your payment account is not finished',
      body: 'Continue to Stripe again: it goes on where you stopped.',
    })
}
