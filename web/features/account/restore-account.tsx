import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '#web/api/api.ts'
import { sayError, saySuccess } from '#web/api/notices.ts'
import { setUser, tellOtherTabs } from '#web/api/session.ts'
import { pathAfterLogin } from '#web/navigation/guard.ts'
import { Button } from '#web/ui/button.tsx'

export function RestoreAccount() {
  const router = useRouter()
  const [isRestoring, setIsRestoring] = useState(false)
  const restore = async () => {
    setIsRestoring(true)
    try {
      const { data } = await call('POST /api/v1/auth/me/restore')
      setUser(data)
      tellOtherTabs('logged_in')
      saySuccess('Account restored', 'Everything is as you left it.')
      router.history.push(pathAfterLogin(data, undefined))
    } catch (error) {
      sayError(error, restore)
    } finally {
      setIsRestoring(false)
    }
  }
  return (
    <Button isLoading={isRestoring} onClick={restore}>
      Restore my account
    </Button>
  )
}
