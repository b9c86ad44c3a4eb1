import { queryOptions, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { places } from '#contract/values/places.ts'
import { settle } from '#domain/navigation.ts'
import { notify, sayError } from '#web/api/notices.ts'
import { useUser } from '#web/api/session.ts'
import { goToProvider } from '#web/features/payments/provider-link.ts'
import { TaskPage } from '#web/page/task-page.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

const follow = () => void goToProvider('account').catch((error: unknown) => sayError(error, follow))

const explaining = (goOn: () => Promise<void>) =>
  queryOptions({
    queryKey: ['provider-reauth'],
    queryFn: async () => {
      await goOn()
      notify({
        type: 'danger',
        title: 'Your link to Stripe has expired',
        body: 'It works once and for a few minutes. A new one goes on where you stopped.',
        action: { label: 'Continue to Stripe', handler: follow },
      })
      return true
    },
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })

/**
 * SPEC §2: a link that had expired leads where the guard's rules send; what happened is said there, with the way to a new link. Sent
 * on by itself, nobody could leave the provider's pages with the browser's back button.
 */
export function ProviderReauth() {
  const router = useRouter()
  const user = useUser()
  useQuery(explaining(() => router.navigate({ to: places[settle('provider-reauth', user)].path, replace: true })))
  return (
    <TaskPage title="Back from Stripe">
      <Spinner className="size-5 text-muted" />
    </TaskPage>
  )
}
