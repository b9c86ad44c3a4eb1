import type { Subscription } from '#contract/payments.ts'
import { dayOf } from '#web/features/payments/day.ts'
import { formatPence } from '#web/money.ts'
import { Callout } from '#web/ui/callout.tsx'

/** After a failed renewal: what happened, what to do, and until when. */
export function RenewalBanner({ subscription }: { subscription: Subscription | null | undefined }) {
  if (subscription?.status !== 'past_due') return null
  const { grace_ends_at, next_payment, price } = subscription
  return (
    <div role="alert">
      <Callout look="danger" title={`Your payment of ${formatPence((next_payment?.amount ?? price).value)} failed`}>
        <p>
          {grace_ends_at ? `Full stays as it is until ${dayOf(grace_ends_at)}, then your account falls back to the free tier. ` : ''}
          <a href="#card" className="link">
            Change your card
          </a>{' '}
          to pay it at once, or ask your bank: we try the card that is saved again.
        </p>
      </Callout>
    </div>
  )
}
