import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Subscription } from '#contract/payments.ts'
import type { Tier } from '#contract/values/permissions.ts'
import { FailedPart } from '#web/features/payments/failed-part.tsx'
import { PlanActions } from '#web/features/payments/plan-actions.tsx'
import { shortDayOf } from '#web/features/payments/day.ts'
import { subscriptionQuery } from '#web/features/payments/queries.ts'
import { secretReturnedTo } from '#web/features/payments/returned-card.ts'
import { standingOf, type Standing } from '#web/features/payments/standing.ts'
import { Subscribe } from '#web/features/payments/subscribe.tsx'
import { formatPence } from '#web/money.ts'
import { Button } from '#web/ui/button.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type Props = { tier: Tier; tierNames: Record<Tier, string> }

/** The plan, its price and its dates, and what can be done about it. */
export function YourPlan({ tier, tierNames }: Props) {
  const query = useQuery(subscriptionQuery)
  const subscription = query.data
  const [isSubscribing, setIsSubscribing] = useState(() => secretReturnedTo('subscription') !== undefined)

  if (subscription === undefined) return query.error ? <FailedPart of={query} /> : <PlanSkeleton />
  const isBegun = subscription?.status === 'incomplete'
  if (subscription && !isBegun && !isSubscribing) return <Running {...{ subscription, tierNames }} />
  if (isSubscribing || isBegun)
    return (
      <div className="grid gap-5">
        <h3 className="tabular text-28">Upgrade to {tierNames.full}</h3>
        <Subscribe
          onDone={() => setIsSubscribing(false)}
          {...(!isBegun && { onSkip: () => setIsSubscribing(false), skipLabel: 'Not now' })}
        />
      </div>
    )
  return (
    <div className="grid gap-5">
      <Heading name={tierNames[tier]} price={tier === 'full' ? 'Nothing is taken' : 'Free'} />
      <Button className="justify-self-start" onClick={() => setIsSubscribing(true)}>
        {tier === 'full' ? 'Subscribe' : `Upgrade to ${tierNames.full}`}
      </Button>
    </div>
  )
}

function Running({ subscription, tierNames }: { subscription: Subscription; tierNames: Props['tierNames'] }) {
  const { price, next_payment, cancel_at_period_end, coupon } = subscription
  return (
    <div className="grid gap-5">
      <Heading name={tierNames.full} price={`${formatPence(price.value)} a month`} standing={standingOf(subscription)} />
      <Facts
        rows={[
          ['Next payment', !cancel_at_period_end && next_payment && dated(formatPence(next_payment.amount.value), next_payment.at)],
          ['Coupon', coupon && `${coupon.code}: ${coupon.says}`],
        ]}
      />
      <PlanActions {...{ subscription, tierNames }} />
    </div>
  )
}

const dated = (amount: string, at: string): ReactNode => (
  <>
    <span className="tabular text-20">{amount}</span> on {shortDayOf(at)}
  </>
)

const looks: Record<Standing['look'], string> = {
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
}

function Heading({ name, price, standing }: { name: string; price: string; standing?: Standing }) {
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h3 className="tabular text-28">{name}</h3>
        {standing && (
          <span className={`self-center rounded-base px-2 py-0.5 text-12 font-strong ${looks[standing.look]}`}>{standing.label}</span>
        )}
        <p className="tabular ml-auto text-20">{price}</p>
      </div>
      {standing && <p className="text-muted">{standing.says}</p>}
    </div>
  )
}

function PlanSkeleton() {
  return (
    <div role="status" className="grid gap-4">
      <span className="sr-only">Loading your plan…</span>
      <Skeleton className="h-8 w-40" />
      <Skeleton className="h-4 w-64 max-w-full" />
      <Skeleton className="h-11 w-full" />
      <Skeleton className="h-11 w-40" />
    </div>
  )
}
