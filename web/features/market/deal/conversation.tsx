import { MessageSquareOff, SearchX } from 'lucide-react'
import { Suspense, useEffect, useState, type ComponentType, type ReactNode } from 'react'
import type { Conversation, MarketMessage } from '#contract/market/conversations.ts'
import { formatPence } from '#domain/format.ts'
import { ApiError, messageOf } from '#web/api/api-error.ts'
import { call } from '#web/api/api.ts'
import { useViewerId } from '#web/api/session.ts'
import { Composer } from '#web/conversation/composer.tsx'
import { MessageList } from '#web/conversation/message-list.tsx'
import { useOutgoing } from '#web/conversation/outgoing.ts'
import { DealRecord } from '#web/features/market/deal/deal-record.tsx'
import { OfferCard } from '#web/features/market/deal/offer-card.tsx'
import { Safety, type ReportFormProps } from '#web/features/market/deal/safety.tsx'
import { keepSent, readConversationAgain, readMarketAgain, useConversation, useMessages } from '#web/features/market/data/queries.ts'
import { statusWords } from '#web/features/market/data/words.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { Heading } from '#web/page/page.tsx'
import { StillWaiting } from '#web/sending/still-waiting.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { EmptyState, FailedState } from '#web/ui/state.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'

const OfferForm = lazyPart(() => import('#web/features/market/deal/offer-form.tsx'))

const UNTIL = 'the deal is agreed'
// as many of one's own last messages as a phone number is looked for in
const EARLIER = 10

type Props = { id: string; back: ReactNode; ReportForm: ComponentType<ReportFormProps> }

export function ConversationView({ id, back, ReportForm }: Props) {
  const { data, error, refetch, isFetching } = useConversation(id)
  if (data) return <Open key={id} conversation={data} back={back} safety={<Safety conversation={data} ReportForm={ReportForm} />} />
  if (error instanceof ApiError && error.status === 404)
    return (
      <div className="grid content-start gap-4">
        {back}
        <Heading className="text-28">Conversation</Heading>
        <EmptyState icon={SearchX} title="There is no such conversation">
          <p>The address may be mistyped, or you take no part in it.</p>
        </EmptyState>
      </div>
    )
  if (error)
    return (
      <div className="grid content-start gap-4">
        {back}
        <Heading className="text-28">This conversation did not load</Heading>
        <FailedState message={messageOf(error)} onRetry={() => void refetch()} isRetrying={isFetching} />
      </div>
    )
  return (
    <div role="status" className="grid content-start gap-4">
      <span className="sr-only">Loading the conversation…</span>
      <Skeleton className="h-12 w-full" />
      <Skeleton className="h-16 w-3/5" />
      <Skeleton className="h-16 w-3/5 justify-self-end" />
    </div>
  )
}

function Open({ conversation, back, safety }: { conversation: Conversation; back: ReactNode; safety: ReactNode }) {
  const { id, with: other, deal, why_not_send, can_offer, unread_count } = conversation
  const viewer = useViewerId()
  const messages = useMessages(id)
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = messages
  const [isOffering, setIsOffering] = useState(false)
  const name = `market ${viewer} ${id}`
  const shown = data?.pages.toReversed().flatMap((page) => page.data) ?? []
  const { outgoing, add, retry, drop } = useOutgoing({
    name,
    send: async (body, idempotencyKey) =>
      (await call('POST /api/v1/market/conversations/{id}/messages', { params: { id }, body, idempotencyKey })).data,
    onSent: (message) => keepSent(id, message as MarketMessage),
  })
  useReadMark(id, unread_count, shown.length)
  const offers = new Map(
    shown.flatMap(({ seq, offer }) =>
      offer ? [[seq, <OfferCard key={offer.id} offer={offer} from={other.company_name} />] as const] : [],
    ),
  )
  const theirs = conversation.offers.find((offer) => offer.can_counter)
  return (
    <div className="grid h-full min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]">
      <Head conversation={conversation} back={back} safety={safety} />
      <MessageList
        messages={shown.map(withWords)}
        outgoing={outgoing}
        onRetry={retry}
        onDrop={drop}
        onOlder={hasNextPage ? () => void fetchNextPage() : undefined}
        isLoadingOlder={isFetchingNextPage}
        until={UNTIL}
        between={offers}
        empty={<p className="text-muted">Nobody has written yet.</p>}
      />
      <div className="grid gap-2">
        {deal && <DealRecord deal={deal} />}
        <StillWaiting className="text-muted" />
        {can_offer && (
          <Button kind="plain" onClick={() => setIsOffering(true)} className="justify-self-start">
            {theirs ? 'Make a counter-offer' : 'Make an offer'}
          </Button>
        )}
        {why_not_send ? (
          <p role="status" className="flex items-start gap-3 border-t border-line py-4">
            <MessageSquareOff className="size-5 shrink-0 text-muted" strokeWidth={1.75} aria-hidden="true" />
            {why_not_send}
          </p>
        ) : (
          <Composer key={name} name={name} onSend={add} hiddenUntil={deal ? null : UNTIL} earlier={ownWords(shown)} />
        )}
      </div>
      {isOffering && (
        <Suspense>
          <OfferForm
            title={theirs ? 'Counter-offer' : 'Make an offer'}
            to={theirs ? { offerId: theirs.id } : { enquiryId: conversation.enquiry.id }}
            onMade={() => {
              setIsOffering(false)
              void readConversationAgain(id)
            }}
            onCancel={() => setIsOffering(false)}
          />
        </Suspense>
      )}
    </div>
  )
}

/** An offer without a word says its price. */
const withWords = (message: MarketMessage): MarketMessage =>
  message.offer && message.body === '' ? { ...message, body: `Offer: ${formatPence(message.offer.price.value)}` } : message

const ownWords = (messages: readonly MarketMessage[]) => messages.flatMap(({ mine, body }) => (mine ? [body] : [])).slice(-EARLIER)

/** What is on a screen that somebody looks at has been read. */
function useReadMark(id: string, unread: number, shown: number) {
  useEffect(() => {
    if (unread === 0 || shown === 0 || document.visibilityState !== 'visible') return
    // one that fails is made up for by the next message, or by the next visit
    call('PUT /api/v1/market/conversations/{id}/read', { params: { id } }).then(readMarketAgain, () => {})
  }, [id, unread, shown])
}

function Head({ conversation, back, safety }: { conversation: Conversation; back: ReactNode; safety: ReactNode }) {
  const { with: other, enquiry } = conversation
  return (
    <div className="flex items-center gap-3 border-b border-line pb-3">
      {back}
      <div className="min-w-0 flex-1">
        <Heading className="truncate text-20">{other.company_name}</Heading>
        <p className="flex min-w-0 gap-2">
          <PlaceLink to="market-listing" params={{ id: enquiry.id }} className="link block min-w-0 truncate">
            {enquiry.title}
          </PlaceLink>
          <span className="text-muted">{statusWords[enquiry.status]}</span>
        </p>
        {other.has_licence && <p className="text-12 text-muted">Scrap dealer licence approved</p>}
      </div>
      {safety}
    </div>
  )
}
