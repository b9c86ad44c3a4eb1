import { Suspense, useState } from 'react'
import type { Offer } from '#contract/market/conversations.ts'
import { formatPence } from '#domain/format.ts'
import { call } from '#web/api/api.ts'
import { sayError, saySuccess } from '#web/api/notices.ts'
import { readMarketAgain } from '#web/features/market/data/queries.ts'
import { collectInWords, offerWords } from '#web/features/market/data/words.ts'
import { useOneAtATime } from '#web/sending/one-at-a-time.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'

const OfferForm = lazyPart(() => import('#web/features/market/deal/offer-form.tsx'))

const looks: Partial<Record<Offer['status'], string>> = {
  open: 'border-copper',
  accepted: 'border-success bg-success-soft',
}

type Props = { offer: Offer; from: string }

/** An offer with what may be done about it now. */
export function OfferCard({ offer, from }: Props) {
  const [open, setOpen] = useState<'accept' | 'counter' | null>(null)
  const { isBusy, run } = useOneAtATime()
  const { id, price, collect_at, status, mine } = offer
  const amount = formatPence(price.value)

  const act = (action: 'accept' | 'decline' | 'withdraw', done: string) =>
    run(async () => {
      try {
        await call(`POST /api/v1/market/offers/{id}/${action}`, { params: { id } })
        saySuccess(done)
      } catch (error) {
        sayError(error)
      }
      await readMarketAgain()
      setOpen(null)
    })

  return (
    <section
      aria-label={`${mine ? 'Your offer' : `Offer of ${from}`}, ${amount}`}
      className={`grid max-w-md gap-3 rounded-base border-2 bg-surface p-3 ${mine ? 'justify-self-end' : 'justify-self-start'} ${looks[status] ?? 'border-line'}`}
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <p className="tabular text-28 font-strong">{amount}</p>
        <p className={status === 'open' ? 'text-warning' : 'text-muted'}>{offerWords[status]}</p>
      </div>
      <p className="text-muted">
        {mine ? 'Your offer' : `From ${from}`} · Collection: {collectInWords(collect_at)}
      </p>
      {(offer.can_accept || offer.can_withdraw) && (
        <div className="flex flex-wrap gap-2">
          {offer.can_accept && <Button onClick={() => setOpen('accept')}>Accept {amount}</Button>}
          {offer.can_counter && (
            <Button kind="plain" onClick={() => setOpen('counter')}>
              Counter
            </Button>
          )}
          {offer.can_decline && (
            <Button kind="quiet" isLoading={isBusy && open === null} onClick={() => void act('decline', 'Offer declined')}>
              Decline
            </Button>
          )}
          {offer.can_withdraw && (
            <Button kind="quiet" isLoading={isBusy && open === null} onClick={() => void act('withdraw', 'Offer withdrawn')}>
              Withdraw
            </Button>
          )}
        </div>
      )}
      {open === 'accept' && (
        <ConfirmDialog
          title={`Agree on ${amount}?`}
          confirm="Accept the offer"
          cancel="Cancel"
          look="primary"
          isLoading={isBusy}
          onConfirm={() => void act('accept', 'The deal is agreed')}
          onCancel={() => setOpen(null)}
        >
          <p>The enquiry is then agreed and closed for everybody else. You and {from} see each other’s contact details.</p>
        </ConfirmDialog>
      )}
      {open === 'counter' && (
        <Suspense>
          <OfferForm
            title="Counter-offer"
            to={{ offerId: id }}
            onMade={() => {
              setOpen(null)
              void readMarketAgain()
            }}
            onCancel={() => setOpen(null)}
          />
        </Suspense>
      )}
    </section>
  )
}
