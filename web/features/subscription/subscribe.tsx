import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { formatPence } from '#domain/format.ts'
import { configQuery } from '#web/api/config.ts'
import { useUser } from '#web/api/session.ts'
import { useReturnedCard } from '#web/bank-card/bank-page.ts'
import { CardForm } from '#web/bank-card/card-form.tsx'
import { intentOf } from '#web/bank-card/card-outcome.ts'
import { CouponField } from '#web/features/subscription/coupon-field.tsx'
import { offerOf, trialOffered, type AppliedCoupon, type Offer } from '#web/features/subscription/offer.ts'
import { subscriptionQuery } from '#web/features/subscription/queries.ts'
import { BeingConfirmed, SubscribeAgain, Subscribed, Waiting } from '#web/features/subscription/subscribe-states.tsx'
import { useSubscribing } from '#web/features/subscription/use-subscribing.ts'
import { Button } from '#web/ui/button.tsx'
import { FormSkeleton } from '#web/ui/skeleton.tsx'
import { FailedPart } from '#web/ui/state.tsx'

type Props = { onDone: () => void; onSkip?: () => void; skipLabel?: string }

/** Onboarding, stage 3, and the account area: what Full costs, a coupon, and the card. */
export function Subscribe({ onDone, onSkip, skipLabel = 'Skip' }: Props) {
  const config = useQuery(configQuery)
  const current = useQuery(subscriptionQuery)
  const user = useUser()
  // undefined: as it was begun
  const [chosen, setChosen] = useState<AppliedCoupon | null>()
  const { stage, begin, wait } = useSubscribing(onDone)
  const returned = useReturnedCard('subscription', wait)

  if (stage === 'waiting' || returned.isChecking) return <Waiting />
  if (stage === 'unknown') return <BeingConfirmed onCheck={() => void wait()} onGoOn={onDone} />
  if (!config.data || current.data === undefined) {
    const failed = [config, current].find(({ error }) => error)
    return failed ? <FailedPart of={failed} /> : <FormSkeleton fields={3} />
  }

  const begun = current.data?.status === 'incomplete' ? current.data : null
  if (current.data && !begun) return <Subscribed subscription={current.data} onGoOn={onDone} />

  const { subscription_price, trial_months } = config.data
  const coupon = chosen === undefined ? (begun?.coupon ?? null) : chosen
  // who was subscribed before is promised no trial, and may have a card on file, which is charged without asking for another
  const wasSubscribed = user?.subscription.status != null
  const trialEnds = begun ? begun.trial_ends_at && new Date(begun.trial_ends_at) : trialOffered(config.data, wasSubscribed)
  const beginNow = async () => {
    const secret = await begin(coupon?.code)
    // a trial that was promised when the page was drawn, and is not given: nothing is paid before the price has been seen
    if (secret && trialEnds && intentOf(secret)?.form === 'payment')
      throw new Error('The free trial is over. Look at the price once more, then subscribe.')
    return secret
  }
  return (
    <div className="grid gap-6">
      <OfferLines
        offer={offerOf({ price: begun?.price ?? subscription_price, trial_months, trialEnds: trialEnds || null, coupon })}
        monthly={(begun?.price ?? subscription_price).value}
      >
        <CouponField applied={coupon} onApply={setChosen} />
      </OfferLines>
      {wasSubscribed && !begun ? (
        <SubscribeAgain begin={beginNow} onConfirmed={wait} />
      ) : (
        <CardForm name="subscription" clientSecret={beginNow} label="Subscribe" onConfirmed={wait} refusal={returned.refusal} />
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
function OfferLines({ offer, monthly, children }: { offer: Offer; monthly: number; children: ReactNode }) {
  const [nextName, nextAmount] = offer.next
  return (
    <div className="grid gap-4">
      <div className="grid gap-1">
        <p className="flex items-baseline gap-2">
          <span className="tabular text-40">{formatPence(monthly)}</span>
          <span className="text-muted">a month</span>
        </p>
        {offer.trial && <p className="text-16 font-strong text-success">{offer.trial}</p>}
      </div>
      <dl className="border-y border-line">
        <Line name="Today" amount={offer.today} />
        <Line name={nextName} amount={nextAmount} />
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
