import { LogOut } from 'lucide-react'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { places } from '#contract/values/places.ts'
import { call } from '#web/api/api.ts'
import { sayError } from '#web/api/notices.ts'
import { endSession, tellOtherTabs } from '#web/api/session.ts'
import { Button, type ButtonKind } from '#web/ui/button.tsx'

export function LogOutButton({ kind = 'quiet' }: { kind?: ButtonKind }) {
  const router = useRouter()
  const [isLeaving, setIsLeaving] = useState(false)

  const logOut = async () => {
    setIsLeaving(true)
    try {
      // whoever uses this browser next gets nobody's messages
      if (globalThis.Notification?.permission === 'granted') await (await import('#web/features/notifications/push.ts')).turnPushOff()
      await call('POST /auth/logout', { skipAuthRedirect: true })
      endSession()
      tellOtherTabs('logged_out')
      await router.navigate({ to: places.dashboard.path })
    } catch (error) {
      sayError(error, logOut)
    } finally {
      setIsLeaving(false)
    }
  }

  return (
    <Button kind={kind} isLoading={isLeaving} onClick={logOut}>
      <LogOut className="size-4" aria-hidden="true" />
      Log out
    </Button>
  )
}
