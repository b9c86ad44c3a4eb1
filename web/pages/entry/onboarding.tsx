import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { onboardingStages } from '#contract/values/onboarding-stages.ts'
import { refreshUser, useUser } from '#web/api/session.ts'
import { VerifyEmailPrompt } from '#web/page/verify-email-prompt.tsx'
import { StageBar, StagePlate } from '#web/features/onboarding/stage-list.tsx'
import { stageStates } from '#web/features/onboarding/stage-states.ts'
import { useStages } from '#web/features/onboarding/use-stages.ts'
import { AsideTitle, TaskPage } from '#web/page/task-page.tsx'
import { accountMissing, stageViews } from '#web/pages/entry/onboarding-stages.tsx'

const BENEFITS = 2
const LICENCE = 4

/** SPEC §2: five stages by index. The server's stage decides which one is shown. */
export default function OnboardingPage() {
  const user = useUser()
  const stages = useStages()
  const stage = user?.onboarding.step?.stage
  useArrival(stage)
  useFreshUser()
  if (!user) return null

  const { title, lead, Content } = stage === undefined ? accountMissing : (stageViews[stage] ?? stageViews[0])
  const states = stageStates(user)
  const { isMoving } = stages
  const onGo = (next: number) => void stages.goTo(next)
  return (
    <TaskPage
      isWide
      title={title}
      lead={lead?.(user)}
      above={<StageBar says={whereIs(stage)} back={backFrom(stage, onGo)} {...{ states, isMoving }} />}
      aside={
        <div className="grid gap-6">
          <AsideTitle>Five stages to the first trade</AsideTitle>
          <StagePlate {...{ states, isMoving, onGo }} />
        </div>
      }
    >
      {stage === 0 && !user.email_verified && <VerifyEmailPrompt email={user.email} />}
      <Content user={user} stages={stages} />
    </TaskPage>
  )
}

const whereIs = (stage: number | undefined) => (stage === undefined ? 'Almost there' : `Stage ${stage + 1} of ${onboardingStages.length}`)

/** SPEC §2: the licence leads back to the benefits, past the payment; every other stage to the one before. */
function backFrom(stage: number | undefined, onGo: (stage: number) => void) {
  if (!stage) return undefined
  const before = stage === LICENCE ? BENEFITS : stage - 1
  return { to: onboardingStages[before] ?? '', go: () => onGo(before) }
}

/** A stage is a page of its own to whoever reads it: the focus stands at its heading. */
function useArrival(stage: number | undefined) {
  const last = useRef(stage)
  useEffect(() => {
    if (last.current === stage) return
    last.current = stage
    scrollTo(0, 0)
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }, [stage])
}

/** Stages move in other tabs too, and the payment account at the provider. */
function useFreshUser() {
  const router = useRouter()
  useEffect(() => {
    const look = async () => {
      // who it is now is known again at the next click, at the latest
      const user = document.visibilityState === 'visible' ? await refreshUser().catch(() => null) : null
      if (user?.onboarded) await router.invalidate()
    }
    const whenShown = () => void look()
    document.addEventListener('visibilitychange', whenShown)
    return () => document.removeEventListener('visibilitychange', whenShown)
  }, [router])
}
