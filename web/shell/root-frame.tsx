import { Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { PROGRESS_BAR_DELAY_MS } from '#contract/values/limits.ts'
import { useUser } from '#web/api/session.ts'
import { NoticeStack } from '#web/shell/notice-stack.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'

// members alone load it, and after the page: nothing of it is needed to draw one
const OwnNews = lazyPart(() => import('#web/shell/own-news.tsx'))

export function RootFrame() {
  const user = useUser()
  return (
    <>
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-base bg-primary-fill px-4 py-3 font-strong text-on-primary focus:translate-y-0"
      >
        Skip to the content
      </a>
      <ProgressBar />
      <Outlet />
      <NoticeStack />
      {user && !user.is_using_temporary_password && !user.deletion && (
        <Suspense>
          <OwnNews userId={user.id} />
        </Suspense>
      )}
    </>
  )
}

/** SPEC §2: appears if navigation takes longer than 300 ms. */
function ProgressBar() {
  const isNavigating = useRouterState({ select: (state) => state.status === 'pending' })
  return isNavigating ? <DelayedBar /> : null
}

function DelayedBar() {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), PROGRESS_BAR_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!isLate) return null
  return (
    <div role="progressbar" aria-label="Loading the page" className="fixed inset-x-0 top-0 z-50 h-1 overflow-hidden bg-primary-soft">
      <div className="progress-run h-full w-1/3 bg-copper" />
    </div>
  )
}
