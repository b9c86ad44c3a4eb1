import { MessageSquareOff, SearchX } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import type { OpenThread } from '#contract/people/chat.ts'
import type { Message } from '#contract/people/messages.ts'
import { ApiError, messageOf } from '#web/api/api-error.ts'
import { call } from '#web/api/api.ts'
import { useViewerId } from '#web/api/session.ts'
import { Composer } from '#web/conversation/composer.tsx'
import { MessageList } from '#web/conversation/message-list.tsx'
import { useOutgoing } from '#web/conversation/outgoing.ts'
import { Safety } from '#web/features/chat/safety.tsx'
import { keepSent, readListsAgain, useMessages, type ChatPlace } from '#web/features/chat/queries.ts'
import { useIsVisible } from '#web/features/chat/use-is-visible.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { Heading } from '#web/page/page.tsx'
import { StillWaiting } from '#web/sending/still-waiting.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { FailedState } from '#web/ui/state.tsx'

const UNTIL = 'the sale is paid'
// as many of one's own last messages as a phone number is looked for in
const EARLIER = 10

/** One conversation; `back` leads to the inbox. */
export function Chat({ place, back }: { place: ChatPlace; back: ReactNode }) {
  const messages = useMessages(place)
  const { data, error, refetch, isFetching } = messages
  const newest = data?.pages[0]
  if (newest) return <Open place={place} thread={newest.thread} messages={messages} back={back} />
  if (error instanceof ApiError && error.status === 404) return <NoSuchChat back={back} />
  if (!error) return <ChatSkeleton />
  return (
    <div className="grid content-start gap-4">
      {back}
      <Heading className="text-28">This conversation did not load</Heading>
      <FailedState message={messageOf(error)} onRetry={() => refetch()} isRetrying={isFetching} />
    </div>
  )
}

type OpenProps = { place: ChatPlace; thread: OpenThread; messages: ReturnType<typeof useMessages>; back: ReactNode }

function Open({ place, thread, messages, back }: OpenProps) {
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = messages
  const viewer = useViewerId()
  const name = `chat ${viewer} ${place.listingId} ${place.userId}`
  const shown = data?.pages.toReversed().flatMap((page) => page.data) ?? []
  const params = { id: place.listingId, user_id: place.userId }
  const { outgoing, add, retry, drop } = useOutgoing({
    name,
    send: async (body, idempotencyKey) =>
      (await call('POST /api/v1/listings/{id}/chats/{user_id}/messages', { params, body, idempotencyKey })).data,
    onSent: (message) => keepSent(place, message),
  })
  useReadMark(place, thread)
  return (
    <div className="grid h-full min-h-0 grid-rows-[auto_minmax(0,1fr)_auto]">
      <Head thread={thread} place={place} back={back} />
      <MessageList
        messages={shown}
        outgoing={outgoing}
        onRetry={retry}
        onDrop={drop}
        onOlder={hasNextPage ? () => void fetchNextPage() : undefined}
        isLoadingOlder={isFetchingNextPage}
        until={UNTIL}
        empty={<Nothing thread={thread} />}
      />
      <div className="grid gap-2">
        <StillWaiting className="text-muted" />
        {thread.why_not ? (
          <WhyNot {...thread.why_not} />
        ) : (
          <Composer key={name} name={name} onSend={add} hiddenUntil={thread.is_masked ? UNTIL : null} earlier={ownWords(shown)} />
        )}
      </div>
    </div>
  )
}

const ownWords = (messages: readonly Message[]) => messages.flatMap(({ mine, body }) => (mine ? [body] : [])).slice(-EARLIER)

/** What is on a screen that somebody looks at has been read. */
function useReadMark({ listingId, userId }: ChatPlace, { unread }: OpenThread) {
  const isVisible = useIsVisible()
  useEffect(() => {
    if (unread === 0 || !isVisible) return
    // one that fails is made up for by the next message, or by the next visit
    call('PUT /api/v1/listings/{id}/chats/{user_id}/read', { params: { id: listingId, user_id: userId } }).then(readListsAgain, () => {})
  }, [listingId, userId, unread, isVisible])
}

function Head({ thread, place, back }: { thread: OpenThread; place: ChatPlace; back: ReactNode }) {
  const { listing, with: other } = thread
  return (
    <div className="flex items-center gap-3 border-b border-line pb-3">
      {back}
      <div className="min-w-0 flex-1">
        <Heading className="truncate text-20">{other.company_name}</Heading>
        <PlaceLink to={listing.is_owner ? 'my-listing' : 'listing'} params={{ id: listing.id }} className="link block truncate">
          {listing.title}
        </PlaceLink>
      </div>
      {!other.is_former && <Safety thread={thread} place={place} />}
    </div>
  )
}

function Nothing({ thread: { with: other, why_not } }: { thread: OpenThread }) {
  if (why_not) return null
  return (
    <p className="max-w-prose text-16 text-muted">
      Write to {other.company_name}. Phone numbers, email addresses and links are hidden until the sale is paid.
    </p>
  )
}

function WhyNot({ code, message }: { code: string; message: string }) {
  return (
    <div role="status" className="flex items-start gap-3 border-t border-line py-4">
      <MessageSquareOff className="size-5 shrink-0 text-muted" strokeWidth={1.75} aria-hidden="true" />
      <div className="grid gap-1">
        <p>{message}</p>
        {code === 'permission_missing' && (
          <PlaceLink to="account-subscriptions" className="link">
            See the plans
          </PlaceLink>
        )}
      </div>
    </div>
  )
}

function NoSuchChat({ back }: { back: ReactNode }) {
  return (
    <div className="grid justify-items-start gap-3">
      {back}
      <SearchX className="size-8 text-copper" strokeWidth={1.5} aria-hidden="true" />
      <Heading className="text-28">There is no such conversation</Heading>
      <p className="text-16 text-muted">The address may be mistyped, or the listing was taken down.</p>
    </div>
  )
}

function ChatSkeleton() {
  return (
    <div role="status" className="grid content-start gap-4">
      <span className="sr-only">Loading the conversation…</span>
      <Skeleton className="h-12 w-full" />
      <Skeleton className="h-16 w-3/5" />
      <Skeleton className="h-16 w-3/5 justify-self-end" />
    </div>
  )
}
