import { useState } from 'react'
import { call } from '#web/api/api.ts'
import { endSession, tellOtherTabs } from '#web/api/session.ts'
import { useForm } from '#web/forms/form.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { useSearchText } from '#web/navigation/search-text.ts'
import { TaskPage } from '#web/page/task-page.tsx'
import { Button, buttonLook } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'

/** From the email to the old address. A button, because mail programs open links before their reader does. */
export default function UndoEmailChangePage() {
  const token = useSearchText('token') ?? ''
  const [outcome, setOutcome] = useState<{ look: 'success' | 'danger'; message: string }>()
  const { submit, isSending } = useForm<Record<string, never>>({
    defaultValues: {},
    whenRefused: (error) => {
      if (error.canRetry) return false
      setOutcome({ look: 'danger', message: error.message })
      return true
    },
    send: async () => {
      const { message } = await call('POST /api/v1/auth/undo-email-change', { body: { token }, skipAuthRedirect: true })
      endSession()
      tellOtherTabs('logged_out')
      setOutcome({ look: 'success', message })
    },
  })
  return (
    <TaskPage
      title="Keep your email address"
      lead="Somebody asked to use another email for your Yardbid account. If it was not you, keep the old address."
    >
      {outcome ? (
        <div role="status" className="grid gap-4">
          <Callout look={outcome.look}>
            <p className="wrap-anywhere">{outcome.message}</p>
          </Callout>
          <PlaceLink to="forgot-password" className={buttonLook('plain', 'justify-self-start')}>
            Choose a new password
          </PlaceLink>
        </div>
      ) : (
        <form noValidate onSubmit={submit} className="grid gap-3" aria-label="Keep your email address">
          <Button type="submit" isLoading={isSending}>
            Keep the old address
          </Button>
          <p className="text-muted">Whoever is logged in to your account is logged out.</p>
        </form>
      )}
    </TaskPage>
  )
}
