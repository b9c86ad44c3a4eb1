import { lazy, Suspense } from 'react'
import type { Place } from '#contract/values/places.ts'
import { useUser } from '#web/api/session.ts'

// members alone load it
const WaitingBadge = lazy(() => import('#web/features/activity/waiting-badge.tsx'))

/** On the links to My listings and Activity: how much waits there. */
export function Waiting({ at }: { at: Place }) {
  const user = useUser()
  if (!user || user.is_using_temporary_password || user.deletion || (at !== 'my-listings' && at !== 'activity')) return null
  return (
    <Suspense>
      <WaitingBadge side={at} />
    </Suspense>
  )
}
