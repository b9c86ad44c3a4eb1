import type { Listing } from '#contract/listings.ts'
import { formatPrice } from '#domain/format.ts'
import type { Pence } from '#domain/money.ts'
import { isStartling } from '#web/features/bids/bid-amounts.ts'
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
  return (
    <Dialog title={isMost ? `Bid up to ${price}?` : `Bid ${price}?`} onDismiss={onCancel}>
      <p className="text-muted">{title}. A bid is binding: it cannot be taken back.</p>
      {isStartling(listing, amount) && (
        <Callout look="warning" title="Check the amount">
          <p>This is more than three times the current price of {formatPrice(current_price.value, price_basis)}.</p>
        </Callout>
      )}
      <Cost listing={listing} amount={amount} isMost={isMost} />
      <div aria-live="assertive" className="empty:hidden">
        {unanswered && (
          <Callout look="danger" title="We do not know yet">
            <p>{unanswered} Your bid may have arrived: trying again never bids twice.</p>
          </Callout>
        )}
      </div>
      <div className="flex flex-wrap justify-end gap-3">
        <Button kind="plain" onClick={onCancel} disabled={isSending} className="max-md:flex-auto">
          Go back
        </Button>
        <Button onClick={onConfirm} isLoading={isSending} className="max-md:flex-auto">
          {unanswered ? 'Try again' : 'Confirm bid'}
        </Button>
      </div>
    </Dialog>
  )
}
