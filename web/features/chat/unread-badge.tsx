import { useUnread } from '#web/features/chat/queries.ts'

/** How many messages are unread, on the link that leads to them. */
export default function UnreadBadge() {
  const count = useUnread()?.unread
  if (!count) return null
  return (
    <span className="tabular absolute top-1 left-1/2 ml-2 min-w-4 rounded-full bg-primary-fill px-1 text-center text-12 font-strong text-on-primary">
      {count > 99 ? '99+' : count}
      <span className="sr-only"> unread messages</span>
    </span>
  )
}
