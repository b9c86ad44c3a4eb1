import { useState } from 'react'
import type { Listing } from '#contract/listings.ts'
import { formatPence } from '#domain/format.ts'
import { ApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/api.ts'
import { useConfig } from '#web/api/config.ts'
import { sayError, saySuccess } from '#web/api/notices.ts'
import { leaveFor, useReturnedCard } from '#web/bank-card/bank-page.ts'
import { CardForm } from '#web/bank-card/card-form.tsx'
import { untilKnown } from '#web/bank-card/confirmation.ts'
import { confirmSavedCard } from '#web/bank-card/saved-card.ts'
import type { PayingProps } from '#web/features/paying/use-paying.ts'
import { useIdempotentSend } from '#web/sending/idempotent-send.ts'
import { useOneAtATime } from '#web/sending/one-at-a-time.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'

type Fee = NonNullable<Listing['holding_fee']>

/** Tells this form apart when the bank's page comes back to the listing. */
const FORM = 'deal-holding-fee'

/** The holding fee of a sale that is not paid yet: asked about at once where the card's bank wants it, else a line. */
export function HoldingFee({ listing, onListing }: PayingProps) {
  const finish = async () => {
    const isKnown = await untilKnown(async () => {
      const { data } = await call('GET /api/v1/listings/{id}', { params: { id: listing.id } })
      onListing(data)
      return data.holding_fee?.status !== 'asks_buyer'
    })
    saySuccess(isKnown ? 'Holding fee confirmed' : 'Your holding fee is being confirmed', listing.title)
  }
  // here, where it is mounted whatever the fee says: our server may know before the buyer is back from the bank
  const returned = useReturnedCard(FORM, finish)
  const { holding_fee: fee } = listing
  if (!fee) return null
  if (fee.status === 'asks_buyer') return <AskBuyer {...{ listing, fee, returned, finish }} />
  const words = lines[fee.status]
  return words ? <p className="text-muted">{words(formatPence(fee.amount.value))}</p> : null
}

const lines: Partial<Record<Fee['status'], (amount: string) => string>> = {
  authorised: (amount) => `A holding fee of ${amount} is held on your card. It is released when you pay.`,
  captured: (amount) => `The holding fee of ${amount} was taken from your card, because the payment was missed.`,
}

type AskProps = Pick<PayingProps, 'listing'> & { fee: Fee; returned: ReturnType<typeof useReturnedCard>; finish: () => Promise<void> }

function AskBuyer({ listing, fee, returned, finish }: AskProps) {
  const stripe = useConfig()?.stripe
  const sendOnce = useIdempotentSend()
  const { isBusy, run, rest } = useOneAtATime()
  const [isOpen, setIsOpen] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const params = { id: listing.id }

  /** Null: it was confirmed meanwhile, in another tab or by another card. */
  const newSecret = async (): Promise<string | null> => {
    try {
      const { data } = await sendOnce(params, (idempotencyKey) =>
        call('POST /api/v1/listings/{id}/holding-fee', { params, idempotencyKey }),
      )
      return data.client_secret
    } catch (error) {
      if (error instanceof ApiError && error.code === 'holding_fee_settled') return null
      throw error
    }
  }
  /** The card that is saved: the bank confirms it, or another card is asked for. */
  const confirm = () =>
    run(async () => {
      if (!stripe) return
      try {
        const secret = await newSecret()
        if (secret === null) return await finish()
        const outcome = await confirmSavedCard(stripe, secret, FORM)
        if (outcome.end === 'authenticate') {
          leaveFor(outcome.url, rest)
          return 'left'
        }
        if (outcome.end === 'confirmed') return await finish()
        setRefusal(outcome.message)
        setIsOpen(true)
      } catch (error) {
        sayError(error, () => void confirm())
      }
    })
  const said = refusal ?? returned.refusal
  const amount = formatPence(fee.amount.value)
  return (
    <Callout look="warning" title={`Confirm the holding fee of ${amount}`}>
      <div className="grid gap-4">
        <p>
          {fee.last_error ?? 'Your card’s bank wants you to confirm it.'} The fee is only held: it is released when you pay, and taken if
          you do not pay in time.
        </p>
        {isOpen || said ? (
          <CardForm
            name={FORM}
            clientSecret={newSecret}
            label={`Hold ${amount} on this card`}
            onConfirmed={finish}
            onCancel={() => {
              setIsOpen(false)
              setRefusal(undefined)
            }}
            refusal={said}
          />
        ) : (
          <div className="flex flex-wrap gap-3">
            <Button isLoading={isBusy || returned.isChecking} onClick={() => void confirm()}>
              Confirm with your bank
            </Button>
            <Button kind="plain" disabled={isBusy} onClick={() => setIsOpen(true)}>
              Use another card
            </Button>
          </div>
        )}
      </div>
    </Callout>
  )
}
