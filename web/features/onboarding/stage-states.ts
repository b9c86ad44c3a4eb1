import type { UserLite } from '#contract/account.ts'
import { onboardingStages } from '#contract/values/onboarding-stages.ts'

/** `passed`: gone by without being done; what was skipped can be taken up again. */
export type StageState = 'done' | 'passed' | 'now' | 'ahead'

export const GET_PAID = 1

/** Whoever ended onboarding and is still in it lacks the payment account alone. */
const currentStage = ({ onboarding: { step } }: UserLite): number => step?.stage ?? GET_PAID

export function stageStates(user: UserLite): StageState[] {
  const current = currentStage(user)
  const hasEnded = user.onboarding.step === null
  return onboardingStages.map((_name, stage) => {
    if (stage === current) return 'now'
    if (!hasEnded && stage > current) return 'ahead'
    return isDone[stage]?.(user) ? 'done' : 'passed'
  })
}

const isDone: Record<number, (user: UserLite) => boolean> = {
  0: ({ business_activity }) => business_activity !== null,
  [GET_PAID]: ({ subscription }) => subscription.stripe.account_completed,
  2: () => true,
  3: ({ subscription }) => subscription.tier === 'full',
}
