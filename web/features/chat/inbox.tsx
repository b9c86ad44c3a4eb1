import { MessagesSquare } from 'lucide-react'
import type { ChatThread } from '#contract/people/chat.ts'
import { inLondon } from '#domain/format-time.ts'
import { messageOf } from '#web/api/api-error.ts'
import { useInbox } from '#web/features/chat/queries.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { ShowMore } from '#web/ui/show-more.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { EmptyState, FailedState } from '#web/ui/state.tsx'

/** Every thread, the newest message first. */
export function Inbox() {
  const { data, error, refetch, isFetching, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } = useInbox()
  if (!data && error) return <FailedState message={messageOf(error)} onRetry={() => refetch()} isRetrying={isFetching} />
  if (!data) return <InboxSkeleton />
  const threads = data.pages.flatMap((page) => page.data)
  if (threads.length === 0) return <NoThreads />
  return (
    <>
      <ul className="border-y border-line">
        {threads.map((thread) => (
          <ThreadRow key={thread.id} thread={thread} />
        ))}
      </ul>
      {hasNextPage && <ShowMore onMore={() => void fetchNextPage()} isLoading={isFetchingNextPage} isByItself={!isFetchNextPageError} />}
    </>
  )
}

const day = inLondon({ day: 'numeric', month: 'short' })
const clock = inLondon({ hour: '2-digit', minute: '2-digit' })

/** The clock today, else the day. */
function shortTime(at: Date): string {
  return day.format(at) === day.format(new Date()) ? clock.format(at) : day.format(at)
}

export function ThreadRow({ thread: { listing, with: other, last_message, last_message_at, unread } }: { thread: ChatThread }) {
  const said = last_message && (last_message.body || (last_message.attachments.length > 1 ? 'Photos' : 'A photo'))
  return (
    <li className="relative flex items-center gap-3 border-t border-line px-2 py-3 first:border-t-0 hover:bg-sunken/60 has-[a[aria-current=page]]:bg-primary-soft">
      <div className="size-12 shrink-0 overflow-hidden rounded-base bg-sunken">
        {listing.thumbnail && <img src={listing.thumbnail} alt="" loading="lazy" decoding="async" className="size-full object-cover" />}
      </div>
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-0.5">
        <p className="flex items-baseline justify-between gap-2">
          <PlaceLink
            to="chat"
            params={{ id: listing.id, user_id: other.id }}
            resetScroll={false}
            className={`truncate after:absolute after:inset-0 ${unread > 0 ? 'font-strong' : ''}`}
          >
            {other.company_name}
          </PlaceLink>
          {last_message_at && (
            <time dateTime={last_message_at} className="shrink-0 text-12 text-muted">
              {shortTime(new Date(last_message_at))}
            </time>
          )}
        </p>
        <p className="truncate text-12 text-muted">{listing.title}</p>
        <p className="flex items-center justify-between gap-2">
          <span dir="auto" className={`truncate [unicode-bidi:isolate] ${unread > 0 ? 'font-strong' : 'text-muted'}`}>
            {last_message?.mine && 'You: '}
            {said}
          </span>
          <UnreadCount count={unread} />
        </p>
      </div>
    </li>
  )
}

export function UnreadCount({ count, className = '' }: { count: number; className?: string }) {
  if (count === 0) return null
  return (
    <span
      className={`tabular min-w-5 shrink-0 rounded-full bg-primary-fill px-1.5 text-center text-12 font-strong text-on-primary ${className}`}
    >
      {count > 99 ? '99+' : count}
      <span className="sr-only"> unread</span>
    </span>
  )
}

function NoThreads() {
  return (
    <EmptyState
      icon={MessagesSquare}
      title="No messages yet"
      action={
        <PlaceLink to="listings" className={buttonLook('plain')}>
          Browse listings
        </PlaceLink>
      }
    >
      <p>Ask a seller about a listing, and the conversation stays here. What other merchants ask about your listings comes here too.</p>
    </EmptyState>
  )
}

function InboxSkeleton() {
  return (
    <div role="status" className="grid gap-3">
      <span className="sr-only">Loading your messages…</span>
      {Array.from({ length: 5 }, (_, row) => (
        <div key={row} className="flex items-center gap-3 py-2">
          <Skeleton className="size-12" />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="h-4 w-4/5" />
          </div>
        </div>
      ))}
    </div>
  )
}
