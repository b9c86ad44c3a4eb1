import { useRouter } from '@tanstack/react-router'
import { Suspense } from 'react'
import { refreshUser, useUser } from '#web/api/session.ts'
import { ChangePasswordForm } from '#web/features/account/password/change-password-form.tsx'
import { SetPasswordForm } from '#web/features/account/password/set-password-form.tsx'
import { pathAfterLogin } from '#web/navigation/guard.ts'
import { Page } from '#web/page/page.tsx'
import { Section } from '#web/page/sections.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'

const SecondFactor = lazyPart(() => import('#web/features/account/second-factor.tsx'))

export default function ChangePasswordPage() {
  const router = useRouter()
  const user = useUser()
  const goOn = async () => {
    const updated = await refreshUser()
    if (updated) router.history.push(pathAfterLogin(updated, undefined))
  }
  return (
    <Page title="Change password">
      <Section title="Your password" about="Saving it logs out every other device.">
        {user?.is_using_temporary_password ? (
          <div className="grid gap-6">
            <Callout look="warning" title="You logged in with a temporary password">
              <p>Choose one of your own. Until then the rest of Yardbid stays closed.</p>
            </Callout>
            <SetPasswordForm onDone={goOn} />
          </div>
        ) : (
          <ChangePasswordForm />
        )}
      </Section>
      {!user?.is_using_temporary_password && (
        <Section title="Second factor" about="With it, logging in takes a code of an authenticator app besides the password.">
          <Suspense>
            <SecondFactor />
          </Suspense>
        </Section>
      )}
    </Page>
  )
}
