import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Coupon } from '#contract/payments.ts'
import { configQuery } from '#web/config.ts'
import { FailedPart } from '#web/features/payments/failed-part.tsx'
import { CardForm } from '#web/features/payments/card-form.tsx'
import { CouponField } from '#web/features/payments/coupon-field.tsx'
import { offerBegun, offerOf } from '#web/features/payments/offer.ts'
import { OfferLines } from '#web/features/payments/offer-lines.tsx'
import { subscriptionQuery } from '#web/features/payments/queries.ts'
import { useReturnedCard } from '#web/features/payments/returned-card.ts'
import { BeingConfirmed, Subscribed, Waiting } from '#web/features/payments/subscribe-states.tsx'
import { useSubscribing } from '#web/features/payments/use-subscribing.ts'
import { useUser } from '#web/session.ts'
import { Button } from '#web/ui/button.tsx'
import { FormSkeleton } from '#web/ui/skeleton.tsx'

type Props = { onDone: () => void; onSkip?: () => void; skipLabel?: string }

/** Onboarding, stage 3, and the account area: what Full costs, a coupon, and the card. */
export function Subscribe({ onDone, onSkip, skipLabel = 'Skip' }: Props) {
  const config = useQuery(configQuery)
  const current = useQuery(subscriptionQuery)
  const user = useUser()
  const [coupon, setCoupon] = useState<Coupon>()
  const { stage, begin, wait } = useSubscribing(onDone)
  const returned = useReturnedCard('subscription', wait)

  if (stage === 'waiting' || returned.isChecking) return <Waiting />
  if (stage === 'unknown') return <BeingConfirmed onCheck={() => void wait()} onGoOn={onDone} />
  if (!config.data || current.data === undefined) {
    const failed = [config, current].find(({ error }) => error)
    if (!failed?.error) return <FormSkeleton fields={3} />
    return <FailedPart of={failed} />
  }

  const begun = current.data?.status === 'incomplete' ? current.data : null
  if (current.data && !begun) return <Subscribed subscription={current.data} onGoOn={onDone} />

  const hadTrial = user?.subscription.trial_ends_at != null
  return (
    <div className="grid gap-6">
      <OfferLines offer={begun ? offerBegun(begun) : offerOf(config.data, hadTrial, coupon)} monthly={config.data.subscription_price.value}>
        {begun ? (
          begun.coupon && (
            <p>
              Coupon {begun.coupon.code}: {begun.coupon.says}
            </p>
          )
        ) : (
          <CouponField applied={coupon} onApply={setCoupon} />
        )}
      </OfferLines>
      <CardForm
        name="subscription"
        clientSecret={() => begin(coupon?.code)}
        label="Subscribe"
        onConfirmed={wait}
        refusal={returned.refusal}
      />
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
