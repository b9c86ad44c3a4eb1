import { LoginForm } from '#web/features/account/login-form.tsx'
import { useNextPage } from '#web/navigation/next-page.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { useSearchText } from '#web/navigation/search-text.ts'
import { TaskPage } from '#web/page/task-page.tsx'

export default function LoginPage() {
  const next = useSearchText('next')
  const onward = useNextPage()
  return (
    <TaskPage title="Log in" lead={next && 'Log in to go on.'}>
      <LoginForm next={next} />
      <p className="border-t border-line pt-4">
        New here?{' '}
        <PlaceLink to="register" search={onward} className="link inline-flex min-h-11 items-center font-strong">
          Sign up
        </PlaceLink>
      </p>
    </TaskPage>
  )
}
