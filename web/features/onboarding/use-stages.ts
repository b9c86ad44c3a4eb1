import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import type { UserLite } from '#contract/account.ts'
import { places } from '#contract/values/places.ts'
import { call } from '#web/api/api.ts'
import { sayError } from '#web/api/notices.ts'
import { updateUser } from '#web/api/session.ts'

/** RULES §2: every move is told to the server first; what it answers is where the page stands. */
export function useStages() {
  const router = useRouter()
  const [isMoving, setIsMoving] = useState(false)

  async function move(ask: () => Promise<{ data: UserLite }>): Promise<void> {
    setIsMoving(true)
    try {
      const { data } = await ask()
      if (updateUser(data) && data.onboarded) await router.navigate({ to: places.dashboard.path })
    } catch (error) {
      sayError(error, () => void move(ask))
    } finally {
      setIsMoving(false)
    }
  }

  const goTo = (stage: number | null) => move(() => call('POST /api/v1/auth/onboard-user', { body: { stage } }))
  return {
    isMoving,
    goTo,
    /** SPEC §2: Skip and Upload lead to the dashboard, for whom nothing is missing. */
    finish: () => goTo(null),
    dismissBenefits: () => move(() => call('POST /api/v1/auth/me/dismiss-benefits')),
    /** Something changed elsewhere, such as at the payment provider. */
    lookAgain: () => move(() => call('GET /api/v1/auth/me/lite', { isWebRequest: true })),
  }
}

export type Stages = ReturnType<typeof useStages>
