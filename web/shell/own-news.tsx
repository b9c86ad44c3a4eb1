import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useUser } from '#web/api/session.ts'

/** Who is logged in hears of their own news on every page. Loaded after the page: nothing of it is needed to draw one. */
export function OwnNews() {
  const user = useUser()
  const userId = user && !user.is_using_temporary_password && !user.deletion ? user.id : undefined
  const router = useRouter()
  useEffect(() => {
    if (!userId) return
    let isOver = false
    let stop = () => {}
    const begin = async () => {
      const { followNotifications } = await import('#web/features/notifications/follow.ts')
      if (isOver) return
      stop = followNotifications({
        userId,
        isOnScreen: ({ link, listing_id }) => {
          const { pathname } = router.state.location
          return link === pathname || (listing_id !== null && pathname.endsWith(listing_id))
        },
        onOpen: (link) => router.history.push(link),
      })
    }
    void begin()
    return () => {
      isOver = true
      stop()
    }
  }, [userId, router])
  return null
}
