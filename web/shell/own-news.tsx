import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { places } from '#contract/values/places.ts'
import { useUser } from '#web/api/session.ts'
import { routePath } from '#web/navigation/place-link.tsx'

/** Who is logged in hears of their own bids on every page. Loaded after the page: nothing of it is needed to draw one. */
export function OwnNews() {
  const user = useUser()
  const userId = user && !user.is_using_temporary_password && !user.deletion ? user.id : undefined
  const router = useRouter()
  useEffect(() => {
    if (!userId) return
    let isOver = false
    let stop = () => {}
    const begin = async () => {
      const { followOwnNews } = await import('#web/live/notices.ts')
      if (isOver) return
      stop = followOwnNews({
        userId,
        isOnScreen: (id) => router.state.location.pathname.includes(id),
        onOpen: (id) => void router.navigate({ to: routePath(places.listing.path), params: { id } }),
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
