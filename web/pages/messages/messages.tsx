import { Outlet, useParams } from '@tanstack/react-router'
import { Inbox } from '#web/features/chat/inbox.tsx'
import { LiveState } from '#web/live/live-state.tsx'
import { Heading } from '#web/page/page.tsx'
import { useIsWide } from '#web/ui/use-is-wide.ts'

/** The inbox, and on a wide screen the open conversation beside it; on a phone the conversation alone. */
export default function MessagesPage() {
  const { user_id } = useParams({ strict: false }) as { user_id?: string }
  const isWide = useIsWide()
  if (user_id && !isWide) return <Outlet />
  return (
    <div className={user_id ? 'grid grid-cols-[22rem_minmax(0,1fr)] items-start gap-8' : 'grid max-w-3xl grid-cols-1 content-start'}>
      <div className={`grid grid-cols-1 content-start gap-4 ${user_id ? 'sticky top-0 -my-8 max-h-dvh overflow-y-auto py-8' : ''}`}>
        {user_id ? <p className="tabular text-28 font-strong">Messages</p> : <Heading>Messages</Heading>}
        <LiveState />
        <Inbox />
      </div>
      {user_id && (
        <div className="sticky top-0 -my-8 border-l border-line pl-8">
          <Outlet />
        </div>
      )}
    </div>
  )
}
