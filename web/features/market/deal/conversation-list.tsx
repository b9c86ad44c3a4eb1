import { MessagesSquare } from 'lucide-react'
import type { ConversationSummary } from '#contract/market/conversations.ts'
import { formatPence } from '#domain/format.ts'
import { ageInWords } from '#domain/market/age.ts'
import { messageOf } from '#web/api/api-error.ts'
import { serverNow } from '#web/api/server-clock.ts'
import { useConversations } from '#web/features/market/data/queries.ts'
import { MorePages } from '#web/listing/more-pages.tsx'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { useIsWide } from '#web/ui/use-is-wide.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { EmptyState, FailedState } from '#web/ui/state.tsx'

export function ConversationList() {
  const pages = useConversations()
  const { data, error, isPending, isFetching, refetch } = pages
  if (isPending)
    return (
      <div role="status" className="grid gap-3">
        <span className="sr-only">Loading conversations…</span>
        {Array.from({ length: 4 }, (_, row) => (
          <Skeleton key={row} className="h-16 w-full" />
        ))}
      </div>
    )
  if (!data) return <FailedState message={messageOf(error)} onRetry={() => void refetch()} isRetrying={isFetching} />
  const conversations = data.pages.flatMap((page) => page.data)
  if (conversations.length === 0)
    return (
      <EmptyState icon={MessagesSquare} title="No conversations yet">
        <p>An offer or a question about an enquiry begins one. Answers to your own enquiries stand here too.</p>
      </EmptyState>
    )
  return (
    <div className="grid gap-4">
      <ul aria-label="Conversations" className="border-y border-line">
        {conversations.map((conversation) => (
          <li key={conversation.id} className="border-t border-line first:border-t-0">
            <ConversationRow conversation={conversation} />
          </li>
        ))}
      </ul>
      <MorePages pages={pages} />
    </div>
  )
}

type RowProps = {
  conversation: ConversationSummary
  /** Under its own enquiry, whose title stands above. */
  isAboutOwn?: boolean
}

export function ConversationRow({ conversation, isAboutOwn = false }: RowProps) {
  const isWide = useIsWide()
  const { id, enquiry, with: other, last_message, open_price, unread_count, last_at, is_holder } = conversation
  const state = is_holder ? 'Deal' : open_price ? formatPence(open_price.value) : null
  return (
    <PlaceLink
      to="market-conversation"
      params={{ id }}
      resetScroll={!isWide}
      className="grid min-h-16 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-2 py-2 -outline-offset-2 hover:bg-sunken/60 aria-[current=page]:bg-primary-soft"
    >
      <span className="flex min-w-0 items-center gap-2">
        {unread_count > 0 && (
          <span className="grid min-w-5 shrink-0 place-items-center rounded-full bg-primary-fill px-1 text-12 font-strong text-on-primary">
            <span className="sr-only">Unread: </span>
            {unread_count}
          </span>
        )}
        <span className="truncate font-strong">{other.company_name}</span>
      </span>
      <span className={`tabular text-right text-16 font-strong ${is_holder ? 'text-success' : ''}`}>{state}</span>
      <span className="min-w-0 truncate text-muted">
        {!isAboutOwn && `${enquiry.title} · `}
        {last_message && `${last_message.mine ? 'You: ' : ''}${last_message.body}`}
      </span>
      <span className="text-right text-muted whitespace-nowrap">{ageInWords(new Date(last_at), serverNow())}</span>
    </PlaceLink>
  )
}
