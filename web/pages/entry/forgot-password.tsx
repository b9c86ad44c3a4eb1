import { ForgotPasswordForm } from '#web/features/account/password/forgot-password-form.tsx'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { TaskPage } from '#web/page/task-page.tsx'

export default function ForgotPasswordPage() {
  return (
    <TaskPage title="Forgot password" lead="We send you a link with which you choose a new one.">
      <ForgotPasswordForm />
      <PlaceLink to="login" className="link inline-flex min-h-11 items-center justify-self-start">
        Back to log in
      </PlaceLink>
    </TaskPage>
  )
}
