import { useRouter } from '@tanstack/react-router'
import { places } from '#contract/values/places.ts'
import { endSession } from '#web/api/session.ts'
import { SetPasswordForm } from '#web/features/account/password/set-password-form.tsx'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { useSearchText } from '#web/navigation/search-text.ts'
import { TaskPage } from '#web/page/task-page.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'

export default function ResetPasswordPage() {
  const router = useRouter()
  const token = useSearchText('token')
  if (!token) {
    return (
      <TaskPage title="Choose a new password">
        <Callout look="warning" title="This link is not complete">
          <p>Open the link from the email again, or ask for a new one.</p>
        </Callout>
        <PlaceLink to="forgot-password" className={buttonLook()}>
          Ask for a new link
        </PlaceLink>
      </TaskPage>
    )
  }
  // every session ended with the old password
  const goToLogin = async () => {
    endSession()
    await router.navigate({ to: places.login.path })
  }
  return (
    <TaskPage title="Choose a new password" lead="It replaces the old one, and every device is logged out.">
      <SetPasswordForm token={token} onDone={goToLogin} />
      <PlaceLink to="forgot-password" className="link inline-flex min-h-11 items-center justify-self-start">
        Ask for a new link
      </PlaceLink>
    </TaskPage>
  )
}
