import { useState } from 'react'
import type { OwnEnquiry } from '#contract/market/enquiries.ts'
import { sentences } from '#contract/values/sentences.ts'
import { formatPence } from '#domain/format.ts'
import { formatMoment } from '#domain/format-time.ts'
import { call } from '#web/api/api.ts'
import { sayError, saySuccess } from '#web/api/notices.ts'
import { ConversationRow } from '#web/features/market/deal/conversation-list.tsx'
import { DealRecord } from '#web/features/market/deal/deal-record.tsx'
import { readMarketAgain } from '#web/features/market/data/queries.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { useOneAtATime } from '#web/sending/one-at-a-time.ts'
import { Button, buttonLook } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** The poster's side: who offered what, and edit, extend and close. */
export function OwnEnquiryParts({ enquiry }: { enquiry: OwnEnquiry }) {
  const { deal, conversations, status, offers, ended_by } = enquiry
  const open = offers.filter((offer) => offer.status === 'open' && !offer.mine)
  const best = Math.max(...open.map(({ price }) => price.value))
  return (
    <div className="grid gap-5">
      {deal && <DealRecord deal={deal} />}
      {status === 'ended' && (
        <Callout look="warning">
          <p>{ended_by === 'poster' ? 'You closed this enquiry.' : 'The time of this enquiry is over, and no offer was accepted.'}</p>
          <PlaceLink to="market-new" className="link justify-self-start">
            Post a new one
          </PlaceLink>
        </Callout>
      )}
      {status === 'open' && <Change enquiry={enquiry} />}
      <section aria-labelledby="answers" className="grid gap-2">
        <div className="flex flex-wrap items-baseline justify-between gap-x-6">
          <h2 id="answers" className="text-20">
            {conversations.length === 0 ? 'No answers yet' : `${conversations.length} ${conversations.length === 1 ? 'answer' : 'answers'}`}
          </h2>
          {open.length > 0 && <p className="tabular text-16 font-strong">Best offer {formatPence(best)}</p>}
        </div>
        {conversations.length === 0 ? (
          <p className="text-muted">Members nearby who buy this material are told. You are told of every offer.</p>
        ) : (
          <ul className="border-y border-line">
            {conversations.map((conversation) => (
              <li key={conversation.id} className="border-t border-line first:border-t-0">
                <ConversationRow conversation={conversation} isAboutOwn />
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}

function Change({ enquiry: { id, can_edit, ends_at } }: { enquiry: OwnEnquiry }) {
  const [isClosing, setIsClosing] = useState(false)
  const { isBusy, run } = useOneAtATime()
  const act = (work: () => Promise<{ data: OwnEnquiry }>, done: (enquiry: OwnEnquiry) => string) =>
    run(async () => {
      try {
        saySuccess(done((await work()).data))
      } catch (error) {
        sayError(error)
      }
      await readMarketAgain()
      setIsClosing(false)
    })
  return (
    <div className="grid gap-2">
      <p className="text-muted">Open until {formatMoment(new Date(ends_at))}.</p>
      <div className="flex flex-wrap gap-2">
        <Button
          kind="plain"
          isLoading={isBusy && !isClosing}
          onClick={() =>
            void act(
              () => call('POST /api/v1/market/enquiries/{id}/extend', { params: { id } }),
              (changed) => `Open until ${formatMoment(new Date(changed.ends_at))}`,
            )
          }
        >
          Extend
        </Button>
        {can_edit && (
          <PlaceLink to="market-edit" params={{ id }} className={buttonLook('plain')}>
            Edit
          </PlaceLink>
        )}
        <Button kind="quiet" onClick={() => setIsClosing(true)}>
          Close it
        </Button>
      </div>
      {isClosing && (
        <ConfirmDialog
          title={sentences.confirmTitle}
          confirm="Close the enquiry"
          cancel="Cancel"
          isLoading={isBusy}
          onConfirm={() =>
            void act(
              () => call('DELETE /api/v1/market/enquiries/{id}', { params: { id } }),
              () => 'Enquiry closed',
            )
          }
          onCancel={() => setIsClosing(false)}
        >
          <p>The enquiry ends without a deal. Everybody with an open offer is told.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
