import type { Card, Subscription } from '#contract/payments.ts'
import { sentences } from '#contract/values/sentences.ts'
import { call } from '#web/api/api.ts'
import { saySuccess } from '#web/api/notices.ts'
import { CardKeeper } from '#web/bank-card/card-keeper.tsx'
import { renew } from '#web/bank-card/confirmation.ts'

/** The card that the subscription is paid with. */
export const SubscriptionCard = ({ subscription: { card } }: { subscription: Subscription }) => (
  <CardOnFile name="subscription-card" card={card} />
)

/** The card that is charged for a subscription, and the form that puts another in its place. */
export function CardOnFile({ name, card }: { name: string; card: Card | null }) {
  const keep = async (payment_method: string | null) => {
    if (!payment_method) return
    await call('POST /api/v1/stripe/attach-payment-method', { body: { payment_method } })
    saySuccess(sentences.success, sentences.cardAdded)
    await renew().catch(() => null) // what is shown is asked for again at the next visit
  }
  return (
    <CardKeeper
      name={name}
      card={card}
      empty={<p className="text-muted">No card yet.</p>}
      newSecret={async () => (await call('GET /api/v1/stripe/setup-intent')).data.client_secret}
      keep={keep}
    />
  )
}
