import { CircleUserRound, Gavel, House, MessagesSquare, Package, PackagePlus, Search, Store, type LucideIcon } from 'lucide-react'
import { Suspense } from 'react'
import type { Place } from '#contract/values/places.ts'
import { useUser } from '#web/api/session.ts'
import { lazyPart } from '#web/ui/lazy-part.ts'

// members alone load it
const WaitingAt = lazyPart(() => import('#web/shell/waiting.tsx'))

type NavigationLink = { to: Place; label: string; icon: LucideIcon }

export const railLinks: readonly NavigationLink[] = [
  { to: 'dashboard', label: 'Dashboard', icon: House },
  { to: 'listings', label: 'Listings', icon: Search },
  { to: 'my-listings', label: 'My listings', icon: Package },
  { to: 'activity', label: 'Activity', icon: Gavel },
  { to: 'messages', label: 'Messages', icon: MessagesSquare },
  { to: 'market', label: 'Market', icon: Store },
  { to: 'account', label: 'Account', icon: CircleUserRound },
]

/** Thumbs reach five. */
export const bottomLinks: readonly NavigationLink[] = [
  { to: 'listings', label: 'Browse', icon: Search },
  { to: 'activity', label: 'Activity', icon: Gavel },
  { to: 'sell', label: 'Sell', icon: PackagePlus },
  { to: 'market', label: 'Market', icon: Store },
  { to: 'account', label: 'Account', icon: CircleUserRound },
]

/** On the links to My listings, Activity and Messages: how much waits there. */
export function Waiting({ at }: { at: Place }) {
  const user = useUser()
  if (!user || user.is_using_temporary_password || user.deletion) return null
  return (
    <Suspense>
      <WaitingAt at={at} />
    </Suspense>
  )
}
