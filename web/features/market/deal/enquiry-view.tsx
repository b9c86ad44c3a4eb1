import { useNavigate } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { Suspense, useState, type ComponentType, type ReactNode } from 'react'
import { businessActivities } from '#contract/values/business.ts'
import { places } from '#contract/values/places.ts'
import type { Enquiry } from '#contract/market/enquiries.ts'
import { formatWeight } from '#domain/format.ts'
import { formatDay, formatMoment } from '#domain/format-time.ts'
import { ageInWords } from '#domain/market/age.ts'
import { ApiError, messageOf } from '#web/api/api-error.ts'
import { serverNow } from '#web/api/server-clock.ts'
import { useUser } from '#web/api/session.ts'
import { Cover } from '#web/cards/cover.tsx'
import { materialInWords } from '#web/cards/words.ts'
import { OwnEnquiryParts } from '#web/features/market/deal/own-enquiry.tsx'
import { Report, type ReportFormProps } from '#web/features/market/deal/safety.tsx'
import { isOwn, readMarketAgain, useEnquiry } from '#web/features/market/data/queries.ts'
import { availableInWords, statusWords } from '#web/features/market/data/words.ts'
import { PlaceLink, routePath } from '#web/navigation/place-link.tsx'
import { Heading } from '#web/page/page.tsx'
import { Button, buttonLook } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { EmptyState, FailedState } from '#web/ui/state.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'

const OfferForm = lazyPart(() => import('#web/features/market/deal/offer-form.tsx'))
const AskForm = lazyPart(() => import('#web/features/market/deal/ask-form.tsx'))

type Props = { id: string; back: ReactNode; ReportForm: ComponentType<ReportFormProps> }

/** One enquiry; `back` leads to the list. */
export function EnquiryView({ id, back, ReportForm }: Props) {
  const { data, error, refetch, isFetching } = useEnquiry(id)
  if (data)
    return (
      <article className="relative grid content-start gap-5">
        {back}
        <Head enquiry={data} />
        {isOwn(data) ? <OwnEnquiryParts enquiry={data} /> : <Reach enquiry={data} />}
        <About enquiry={data} />
        {!data.is_mine && (
          <div>
            <Report about={{ type: 'enquiry', id: data.id }} name={data.poster.company_name} ReportForm={ReportForm} />
          </div>
        )}
      </article>
    )
  if (error instanceof ApiError && error.status === 404)
    return (
      <div className="relative grid gap-4">
        {back}
        <Heading className="text-28">Enquiry</Heading>
        <EmptyState icon={SearchX} title="There is no such enquiry">
          <p>The address may be mistyped, or your plan does not include viewing enquiries.</p>
        </EmptyState>
      </div>
    )
  if (error)
    return (
      <div className="relative grid gap-4">
        {back}
        <Heading className="text-28">This enquiry did not load</Heading>
        <FailedState message={messageOf(error)} onRetry={() => void refetch()} isRetrying={isFetching} />
      </div>
    )
  return (
    <div role="status" className="grid gap-4">
      <span className="sr-only">Loading the enquiry…</span>
      <Skeleton className="aspect-4/3 w-full" />
      <Skeleton className="h-10 w-3/4" />
      <Skeleton className="h-24 w-full" />
    </div>
  )
}

function Head({ enquiry }: { enquiry: Enquiry }) {
  const { title, status, location, created_at, material } = enquiry
  return (
    <div className="grid gap-2">
      <p className="flex flex-wrap items-center gap-x-3 pr-20 text-muted">
        <span className={`font-strong ${status === 'open' ? 'text-success' : 'text-ink'}`}>{statusWords[status]}</span>
        <span>{materialInWords(material)}</span>
        <span>{ageInWords(new Date(created_at), serverNow())}</span>
      </p>
      <Heading className="text-28 wrap-anywhere">
        <bdi>{title}</bdi>
      </Heading>
      <p className="text-muted">
        {location.town}, {location.post_code_district}
      </p>
    </div>
  )
}

/** Grab the deal, ask, or why not. */
function Reach({ enquiry }: { enquiry: Enquiry }) {
  const navigate = useNavigate()
  const canSend = useUser()?.permissions.market_send_message_to_enquiry.enabled
  const [open, setOpen] = useState<'offer' | 'ask' | null>(null)
  const { id, conversation_id, can_message, why_not_message, status } = enquiry
  const toConversation = (conversationId: string) => {
    void readMarketAgain()
    void navigate({ to: routePath(places['market-conversation'].path), params: { id: conversationId } })
  }
  return (
    <div className="grid gap-3">
      {why_not_message && (
        <Callout look={status === 'open' ? 'primary' : 'warning'}>
          <p>{why_not_message}</p>
          {!canSend && (
            <PlaceLink to="account-subscriptions" className="link justify-self-start">
              See the plans
            </PlaceLink>
          )}
        </Callout>
      )}
      <div className="flex flex-wrap gap-3 max-md:sticky max-md:bottom-[calc(3.75rem+env(safe-area-inset-bottom))] max-md:z-20 max-md:-mx-4 max-md:border-t max-md:border-line max-md:bg-surface max-md:px-4 max-md:py-2">
        {can_message && status === 'open' && (
          <Button onClick={() => setOpen('offer')} className="flex-1">
            Grab the deal
          </Button>
        )}
        {conversation_id ? (
          <PlaceLink to="market-conversation" params={{ id: conversation_id }} className={buttonLook('plain', 'flex-1')}>
            Open the conversation
          </PlaceLink>
        ) : (
          can_message && (
            <Button kind="plain" onClick={() => setOpen('ask')} className="flex-1">
              Ask first
            </Button>
          )
        )}
      </div>
      <Suspense>
        {open === 'offer' && (
          <OfferForm
            title="Grab the deal"
            to={{ enquiryId: id }}
            onMade={(offer) => toConversation(offer.conversation_id)}
            onCancel={() => setOpen(null)}
          />
        )}
        {open === 'ask' && (
          <AskForm enquiryId={id} onAsked={(conversation) => toConversation(conversation.id)} onCancel={() => setOpen(null)} />
        )}
      </Suspense>
    </div>
  )
}

function About({ enquiry }: { enquiry: Enquiry }) {
  const { description, weight_kg, available_from, poster, offer_count, ends_at, media, status, is_mine } = enquiry
  const activity = poster.business_activity && businessActivities[poster.business_activity].label
  return (
    <>
      {media.length > 0 && (
        <ul aria-label="Photos" className="grid grid-cols-2 gap-2">
          {media.map((item, nth) => (
            <li key={item.id} className={nth === 0 ? 'col-span-2' : ''}>
              <a
                href={item.media.url}
                target="_blank"
                rel="noopener"
                aria-label={`Photo ${nth + 1} of ${media.length}, opens in a new tab`}
              >
                <Cover listing={{ media: [item], material: enquiry.material }} sizes="30rem" className="rounded-base" />
              </a>
            </li>
          ))}
        </ul>
      )}
      {description && (
        <p dir="auto" className="max-w-prose text-16 leading-6 wrap-anywhere whitespace-pre-wrap [unicode-bidi:isolate]">
          {description}
        </p>
      )}
      <Facts
        rows={[
          ['Rough weight', weight_kg === null ? 'Not given' : formatWeight(weight_kg)],
          ['Available', availableInWords(available_from)],
          ['Offers', String(offer_count)],
          [status === 'open' ? 'Open until' : 'Was open until', formatMoment(new Date(ends_at))],
          ['Posted by', is_mine ? 'You' : [poster.company_name, activity].filter(Boolean).join(', ')],
          ['Member since', is_mine ? null : formatDay(new Date(poster.member_since))],
        ]}
      />
      {!is_mine && <p className="text-muted">The address and contact details are shown when a deal is agreed.</p>}
    </>
  )
}
