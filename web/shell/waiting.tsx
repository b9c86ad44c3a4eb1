import type { Place } from '#contract/values/places.ts'
import WaitingBadge from '#web/features/activity/waiting-badge.tsx'
import UnreadBadge from '#web/features/chat/unread-badge.tsx'

/** How much waits behind a link: for members alone, who load it after the page. */
export default function WaitingAt({ at }: { at: Place }) {
  if (at === 'messages') return <UnreadBadge />
  return at === 'my-listings' || at === 'activity' ? <WaitingBadge side={at} /> : null
}
