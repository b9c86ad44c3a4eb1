import { useState } from 'react'
import type { Listing } from '#contract/listings.ts'
import { formatPence } from '#domain/format.ts'
import { useConfig } from '#web/api/config.ts'
import { useReturnedCard } from '#web/bank-card/bank-page.ts'
import { CardForm } from '#web/bank-card/card-form.tsx'
import { BankTransfer } from '#web/features/paying/bank-transfer.tsx'
import { BeingConfirmed, OnItsWay, Waiting } from '#web/features/paying/pay-states.tsx'
import { canPay, usePaying, type Method, type PayingProps } from '#web/features/paying/use-paying.ts'
import { RadioGroup } from '#web/ui/fields/radio-group.tsx'

/** Tells this form apart when the bank's page comes back to the listing. */
const FORM = 'pay'

/** What the buyer owes, and the two ways to pay it: by bank transfer first, by card up to the limit. */
export function PayBox({ listing, onListing }: PayingProps) {
  const { stage, begin, wait, reread } = usePaying({ listing, onListing })
  const returned = useReturnedCard(FORM, wait)
  const [chosen, setChosen] = useState<Method>()
  const limit = useConfig()?.card_payment_limit.value
  const { payment, amounts } = listing

  if (stage === 'waiting' || returned.isChecking) return <Waiting />
  if (stage === 'unknown') return <BeingConfirmed onCheck={() => void wait()} />
  if (!canPay(listing) || !amounts) return null
  if (payment?.status === 'processing') return <OnItsWay payment={payment} />

  const due = amounts.due.value
  const hasCard = methodsOf(listing).includes('card') && (limit === undefined || due <= limit)
  const wanted = chosen ?? (returned.refusal === undefined ? payment?.method : 'card') ?? 'bank_transfer'
  const method: Method = hasCard ? wanted : 'bank_transfer'
  const open = payment?.method === method ? payment : null

  /** A card that was refused is tried again on the payment that refused it. */
  const secretForCard = async () => open?.client_secret ?? begin('card')
  return (
    <section aria-labelledby="pay" className="grid gap-4 rounded-base border border-copper p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 id="pay" className="text-16">
          {payment && payment.received.value > 0 ? 'Pay the rest' : 'Pay'}
        </h3>
        <p className="tabular text-40">{formatPence(due)}</p>
      </div>
      {hasCard ? (
        <RadioGroup
          label="How you pay"
          name="method"
          options={{ bank_transfer: 'Bank transfer', card: 'Card' }}
          chosen={method}
          onChange={({ target }) => setChosen(target.value === 'card' ? 'card' : 'bank_transfer')}
        />
      ) : (
        <p className="text-muted">{whyNoCard(listing, due, limit)}</p>
      )}
      {method === 'card' ? (
        <div className="grid gap-4">
          <p className="text-muted">Taken at once. Your bank may ask you to confirm it.</p>
          {payment?.method === 'bank_transfer' && <p className="text-muted">The bank transfer that you began is cancelled then.</p>}
          <CardForm
            name={FORM}
            clientSecret={secretForCard}
            label={`Pay ${formatPence(due)}`}
            onConfirmed={wait}
            refusal={returned.refusal ?? open?.last_error ?? undefined}
          />
        </div>
      ) : (
        <BankTransfer payment={open} isInsteadOfCard={payment?.method === 'card'} begin={() => begin('bank_transfer')} reread={reread} />
      )}
    </section>
  )
}

/** RULES §4, Paying: once a part has arrived only the bank transfer remains. */
function methodsOf({ available_actions, payment }: Listing): string[] {
  const method = available_actions.find(({ action }) => action === 'pay')?.fields.find(({ name }) => name === 'method')
  return payment && payment.received.value > 0 ? ['bank_transfer'] : (method?.options ?? ['card', 'bank_transfer'])
}

function whyNoCard({ payment }: Listing, due: number, limit: number | undefined): string {
  if (payment && payment.received.value > 0) return 'A part has arrived by bank transfer, so the rest is paid by bank transfer too.'
  if (limit !== undefined && due > limit) return `Cards are taken up to ${formatPence(limit)}. You pay this by bank transfer.`
  return 'You pay this by bank transfer.'
}
