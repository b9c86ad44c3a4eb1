import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { formatPence } from '#domain/format.ts'
import { ApiError } from '#web/api/api-error.ts'
import { configQuery } from '#web/api/config.ts'
import { saySuccess } from '#web/api/notices.ts'
import { useReturnedCard } from '#web/bank-card/bank-page.ts'
import { CardForm } from '#web/bank-card/card-form.tsx'
import { CouponField, judgeCoupon } from '#web/features/subscription/coupon-field.tsx'
import { offerOf, type AppliedCoupon, type Offer } from '#web/features/subscription/offer.ts'
import { plansQuery, subscriptionQuery } from '#web/features/subscription/queries.ts'
import { SubscribeAgain } from '#web/features/subscription/subscribe-again.tsx'
import { BeingConfirmed, Subscribed, Waiting } from '#web/features/subscription/subscribe-states.tsx'
import { useSubscribing } from '#web/features/subscription/use-subscribing.ts'
import { Button } from '#web/ui/button.tsx'
import { FormSkeleton } from '#web/ui/skeleton.tsx'
import { FailedPart } from '#web/ui/state.tsx'

type Props = { onDone: () => void; onSkip?: () => void; skipLabel?: string }

/** Onboarding, stage 3, and the account area: what Full costs, a coupon, and the card. */
export function Subscribe({ onDone, onSkip, skipLabel = 'Skip' }: Props) {
  const config = useQuery(configQuery)
  const current = useQuery(subscriptionQuery)
  const plans = useQuery(plansQuery)
  const [notCharged, setNotCharged] = useState<string>()
  // undefined: as it was begun
  const [chosen, setChosen] = useState<AppliedCoupon | null>()
  const { stage, begin, wait } = useSubscribing(onDone)
  const confirmed = async (taken?: string) => {
    if (await wait()) saySuccess('You are subscribed to Full', taken)
  }
  const returned = useReturnedCard('subscription', () => confirmed())

  if (stage === 'waiting' || returned.isChecking) return <Waiting />
  if (stage === 'unknown') return <BeingConfirmed onCheck={() => void wait()} onGoOn={onDone} />
  if (!config.data || !plans.data || current.data === undefined) {
    const failed = [config, plans, current].find(({ error }) => error)
    return failed ? <FailedPart of={failed} /> : <FormSkeleton fields={3} />
  }

  const begun = current.data?.status === 'incomplete' ? current.data : null
  if (current.data && !begun) return <Subscribed subscription={current.data} onGoOn={onDone} />

  const { subscription_price, trial_months } = config.data
  const coupon = chosen === undefined ? (begun?.coupon ?? null) : chosen
  const { credit, card, trial_ends_at } = plans.data.subscribing
  const trialEnds = begun ? begun.trial_ends_at : trial_ends_at
  const price = begun?.price ?? subscription_price
  const offer = offerOf({ price, trial_months, trialEnds: trialEnds === null ? null : new Date(trialEnds), coupon, credit })
  const beginNow = async () => {
    try {
      return await begin(coupon?.code, offer.dueToday)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'price_changed') await showNewPrice()
      throw error
    }
  }
  const showNewPrice = async () => {
    const judged = coupon && (await judgeCoupon(coupon.code))
    if (judged) setChosen('applied' in judged ? judged.applied : null)
    await Promise.all([config.refetch(), plans.refetch()])
  }
  return (
    <div className="grid gap-6">
      <OfferLines offer={offer}>
        <CouponField applied={coupon} onApply={setChosen} />
      </OfferLines>
      {card && !begun ? (
        <SubscribeAgain card={card} dueToday={offer.dueToday} begin={beginNow} onConfirmed={wait} onNotCharged={setNotCharged} />
      ) : (
        <CardForm
          name="subscription"
          clientSecret={beginNow}
          label="Subscribe"
          onConfirmed={() =>
            confirmed(offer.dueToday > 0 ? `${formatPence(offer.dueToday)} was taken from your card.` : 'Nothing was taken today.')
          }
          refusal={notCharged ?? returned.refusal}
        />
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line pt-4">
        <p className="text-muted">Cancel whenever you like: Full stays until the end of what is paid.</p>
        {onSkip && (
          <Button kind="quiet" className="-mx-4" onClick={onSkip}>
            {skipLabel}
          </Button>
        )}
      </div>
    </div>
  )
}

/** The price, what the trial makes of it, and what is taken when. */
function OfferLines({ offer: { headline, trial, lines }, children }: { offer: Offer; children: ReactNode }) {
  return (
    <div className="grid gap-4">
      <div className="grid gap-1">
        <p className="flex items-baseline gap-2">
          <span className="tabular text-40">{headline.price}</span>
          <span className="text-muted">
            {headline.per}
            {headline.instead && (
              <>
                {' instead of '}
                <span className="tabular text-16">{headline.instead}</span>
              </>
            )}
          </span>
        </p>
        {trial && <p className="text-16 font-strong text-success">{trial}</p>}
      </div>
      <dl className="border-y border-line">
        {lines.map(([name, amount]) => (
          <Line key={name} name={name} amount={amount} />
        ))}
      </dl>
      {children}
    </div>
  )
}

const Line = ({ name, amount }: { name: string; amount: string }) => (
  <div className="flex flex-wrap items-baseline justify-between gap-x-6 border-t border-line py-2 first:border-t-0">
    <dt className="text-muted">{name}</dt>
    <dd className="tabular ml-auto text-right text-20">{amount}</dd>
  </div>
)
