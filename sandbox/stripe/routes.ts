import { eventRoutes } from '#sandbox/stripe/events.ts'
import { faultRoutes } from '#sandbox/stripe/faults.ts'
import type { Expanders, IntentFollower, Route } from '#sandbox/stripe/route.ts'

/** Every call that the sandbox answers. The first row that fits is taken. */
export const routes: Route[] = [
  ...eventRoutes,
  ...faultRoutes,
  // billing adds ...billingRoutes here
]

/** Fields that are only there when they are asked for. */
export const expanders: Expanders = {
  // billing adds ...billingExpanders here
}

/** Who must know when an intent changes. */
export const followers: IntentFollower[] = [
  // billing adds followIntent here
]
