import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import type { Notification } from '#contract/notifications.ts'
import { serverNow } from '#web/api/server-clock.ts'
import { formatAgo } from '#web/features/notifications/ago.ts'
import { kindIcons } from '#web/features/notifications/kind-icons.ts'
import { markRead } from '#web/features/notifications/queries.ts'

type Props = { notification: Notification; onOpened?: () => void }

/** The whole row is one link; opening it reads it. */
export function NotificationRow({ notification, onOpened }: Props) {
  const router = useRouter()
  const { id, kind, title, body, link, has_been_read, thumbnail, created_at } = notification
  const Icon = kindIcons[kind]

  const open = (event: MouseEvent) => {
    if (!has_been_read) void markRead(id)
    // a new tab or window is the browser's to open
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onOpened?.()
    router.history.push(link)
  }

  return (
    <a href={link} onClick={open} className="group flex gap-3 px-3 py-3 -outline-offset-2 hover:bg-sunken">
      {thumbnail ? (
        <img src={thumbnail} alt="" loading="lazy" decoding="async" className="size-12 shrink-0 rounded-base bg-sunken object-cover" />
      ) : (
        <span className="grid size-12 shrink-0 place-items-center rounded-base border border-line bg-surface text-muted">
          <Icon className="size-5" strokeWidth={1.75} aria-hidden="true" />
        </span>
      )}
      <span className="grid min-w-0 flex-1 gap-1 wrap-anywhere">
        <span className="flex items-start gap-2">
          <span className={`flex-1 group-hover:text-primary ${has_been_read ? 'text-muted' : 'font-strong'}`}>{title}</span>
          {!has_been_read && (
            <>
              <span className="mt-1.5 size-2 shrink-0 rounded-full bg-copper" aria-hidden="true" />
              <span className="sr-only">Unread.</span>
            </>
          )}
        </span>
        <span className="line-clamp-2 text-muted">{body}</span>
        <time dateTime={created_at} className="text-12 text-muted">
          {formatAgo(new Date(created_at), serverNow())}
        </time>
      </span>
    </a>
  )
}
