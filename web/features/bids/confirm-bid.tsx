import { useEffect, useEffectEvent, useState } from 'react'
import type { Listing } from '#contract/listings.ts'
import { formatPrice } from '#domain/format.ts'
import type { Pence } from '#domain/money.ts'
import { isStartling, leastBid } from '#web/features/bids/bid-amounts.ts'
import { Cost } from '#web/features/bids/cost.tsx'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

type Props = {
  listing: Listing
  amount: Pence
  isMost: boolean
  isSending: boolean
  /** What was said when no answer came: the bid may have been placed, and asking again tells. */
  unanswered: string | undefined
  onConfirm: () => void
  onCancel: () => void
}

export function ConfirmBid({ listing, amount, isMost, isSending, unanswered, onConfirm, onCancel }: Props) {
  const { title, price_basis, current_price } = listing
  const price = formatPrice(amount, price_basis)
  const [firstPrice] = useState(current_price.value)
  const least = leastBid(listing)
  const isTooLow = amount < least && !unanswered && !isSending
  useRetryOnline(unanswered !== undefined && !isSending, onConfirm)
  return (
    <Dialog title={isMost ? `Bid up to ${price}?` : `Bid ${price}?`} onDismiss={onCancel}>
      <p className="text-muted">{title}. A bid is binding: it cannot be taken back.</p>
      {isStartling(listing, amount) && (
        <Callout look="warning" title="Check the amount">
          <p>This is more than three times the current price of {formatPrice(current_price.value, price_basis)}.</p>
        </Callout>
      )}
      <Cost listing={listing} amount={amount} isMost={isMost} />
      <div aria-live="assertive" className="grid gap-3 empty:hidden">
        {current_price.value !== firstPrice && !unanswered && !isSending && (
          <Callout look="warning" title="The price has moved">
            <p>
              It is now {formatPrice(current_price.value, price_basis)}.
              {isTooLow && ` Your bid is no longer enough: go back and bid ${formatPrice(least, price_basis)} or more.`}
            </p>
          </Callout>
        )}
        {unanswered && (
          <Callout look="danger" title="We do not know yet">
            <p>{unanswered} Your bid may have arrived: trying again never bids twice. We try again when you are back online.</p>
          </Callout>
        )}
      </div>
      <div className="flex flex-wrap justify-end gap-3">
        <Button kind="plain" onClick={onCancel} disabled={isSending} className="max-md:flex-auto">
          Go back
        </Button>
        <Button onClick={onConfirm} isLoading={isSending} disabled={isTooLow} className="max-md:flex-auto">
          {unanswered ? 'Try again' : 'Confirm bid'}
        </Button>
      </div>
    </Dialog>
  )
}

/** The same bid again, with its key, as soon as the browser has a network. */
function useRetryOnline(isUnanswered: boolean, retry: () => void) {
  const again = useEffectEvent(retry)
  useEffect(() => {
    if (!isUnanswered) return
    const online = () => again()
    window.addEventListener('online', online)
    return () => window.removeEventListener('online', online)
  }, [isUnanswered])
}
