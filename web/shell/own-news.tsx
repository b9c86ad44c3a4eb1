import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { followNotifications } from '#web/features/notifications/follow.ts'

/** Whoever is logged in hears of their own news on every page. */
export default function OwnNews({ userId }: { userId: string }) {
  const router = useRouter()
  useEffect(
    () =>
      followNotifications({
        userId,
        isOnScreen: ({ link, listing_id }) => {
          const { pathname } = router.state.location
          return link === pathname || (listing_id !== null && pathname.endsWith(listing_id))
        },
        onOpen: (link) => router.history.push(link),
      }),
    [userId, router],
  )
  return null
}
