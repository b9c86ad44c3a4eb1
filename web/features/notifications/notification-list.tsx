import { useInfiniteQuery } from '@tanstack/react-query'
import { Bell, CheckCheck } from 'lucide-react'
import { useEffect } from 'react'
import { messageOf } from '#web/api/api-error.ts'
import { sayError } from '#web/api/notices.ts'
import { replaceCardsByList } from '#web/features/notifications/cards.ts'
import { NotificationRow } from '#web/features/notifications/notification-row.tsx'
import { keepFirstPage, markAllRead, notificationsQuery, useUnread } from '#web/features/notifications/queries.ts'
import { MorePages } from '#web/listing/more-pages.tsx'
import { useOneAtATime } from '#web/sending/one-at-a-time.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { EmptyState, FailedState } from '#web/ui/state.tsx'

/** Newest first, page after page. */
export function NotificationList({ onOpened }: { onOpened?: () => void }) {
  const pages = useInfiniteQuery(notificationsQuery)
  const { data, error, isPending, isFetching, refetch } = pages
  useEffect(() => {
    const bringCardsBack = replaceCardsByList()
    return () => {
      bringCardsBack()
      keepFirstPage()
    }
  }, [])

  if (isPending) return <RowsSkeleton />
  if (!data)
    return (
      <div className="px-3 pb-4">
        <FailedState message={messageOf(error)} onRetry={() => void refetch()} isRetrying={isFetching} />
      </div>
    )

  // one that moved to the next page meanwhile is shown once
  const notifications = [...new Map(data.pages.flatMap((page) => page.data).map((one) => [one.id, one])).values()]
  if (notifications.length === 0)
    return (
      <div className="border-t border-line px-3 py-6">
        <EmptyState icon={Bell} title="Nothing yet">
          <p>News of your bids, sales, messages and account comes here.</p>
        </EmptyState>
      </div>
    )
  return (
    <div className="grid gap-4">
      <ul className="border-b border-line">
        {notifications.map((one) => (
          <li key={one.id} className="border-t border-line">
            <NotificationRow notification={one} {...(onOpened && { onOpened })} />
          </li>
        ))}
      </ul>
      <MorePages pages={pages} />
    </div>
  )
}

export function MarkAllRead() {
  const unread = useUnread()
  const { isBusy, run } = useOneAtATime()
  const markAll = () =>
    run(async () => {
      try {
        await markAllRead()
      } catch (error) {
        sayError(error, () => void markAll())
      }
    })
  return (
    <Button kind="quiet" onClick={() => void markAll()} isLoading={isBusy} disabled={!unread}>
      <CheckCheck className="size-4" aria-hidden="true" />
      Mark all as read
    </Button>
  )
}

function RowsSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading notifications…</span>
      {[1, 2, 3, 4].map((row) => (
        <div key={row} className="flex gap-3 border-t border-line px-3 py-3">
          <Skeleton className="size-12 shrink-0" />
          <div className="grid flex-1 content-start gap-2">
            <Skeleton className="h-5 w-3/5" />
            <Skeleton className="h-4 w-4/5" />
          </div>
        </div>
      ))}
    </div>
  )
}
