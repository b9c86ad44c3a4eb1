import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Subscription } from '#contract/payments.ts'
import type { Tier } from '#contract/values/permissions.ts'
import { formatPence } from '#domain/format.ts'
import { formatDay, formatShortDay } from '#domain/format-time.ts'
import { secretReturnedTo } from '#web/bank-card/bank-page.ts'
import { PlanActions } from '#web/features/subscription/plan-actions.tsx'
import { planWords, type PlanWords } from '#web/features/subscription/plan-words.ts'
import { subscriptionQuery } from '#web/features/subscription/queries.ts'
import { CARD_ON_FILE } from '#web/features/subscription/subscribe-again.tsx'
import { Subscribe } from '#web/features/subscription/subscribe.tsx'
import { tierNames } from '#web/features/subscription/tier-table.tsx'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { FailedPart } from '#web/ui/state.tsx'

/** The plan, its price and its dates, and what can be done about it. */
export function YourPlan({ tier }: { tier: Tier }) {
  const query = useQuery(subscriptionQuery)
  const subscription = query.data
  const [isSubscribing, setIsSubscribing] = useState(() =>
    ['subscription', CARD_ON_FILE].some((name) => secretReturnedTo(name) !== undefined),
  )

  if (subscription === undefined) return query.error ? <FailedPart of={query} /> : <PlanSkeleton />
  const isBegun = subscription?.status === 'incomplete'
  if (subscription && !isBegun && !isSubscribing) return <Running subscription={subscription} />
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

/** After a failed renewal: what happened, what to do, and until when. */
export function RenewalBanner({ subscription }: { subscription: Subscription | null | undefined }) {
  if (subscription?.status !== 'past_due') return null
  const { grace_ends_at, next_payment, price } = subscription
  return (
    <div role="alert">
      <Callout look="danger" title={`Your payment of ${formatPence((next_payment?.amount ?? price).value)} failed`}>
        <p>
          {grace_ends_at
            ? `Full stays as it is until ${formatDay(new Date(grace_ends_at))}, then your account falls back to the free tier. `
            : ''}
          <a href="#card" className="link">
            Change your card
          </a>{' '}
          to pay it at once, or ask your bank: we try the card that is saved again.
        </p>
      </Callout>
    </div>
  )
}

function Running({ subscription }: { subscription: Subscription }) {
  const { price, next_payment, cancel_at_period_end, coupon } = subscription
  return (
    <div className="grid gap-5">
      <Heading name={tierNames.full} price={`${formatPence(price.value)} a month`} words={planWords(subscription)} />
      <Facts
        rows={[
          ['Next payment', !cancel_at_period_end && next_payment && dated(formatPence(next_payment.amount.value), next_payment.at)],
          ['Coupon', coupon && `${coupon.code}: ${coupon.says}`],
        ]}
      />
      <PlanActions subscription={subscription} />
    </div>
  )
}

const dated = (amount: string, at: string): ReactNode => (
  <>
    <span className="tabular text-20">{amount}</span> on {formatShortDay(new Date(at))}
  </>
)

const looks: Record<PlanWords['look'], string> = {
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
}

function Heading({ name, price, words }: { name: string; price: string; words?: PlanWords }) {
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h3 className="tabular text-28">{name}</h3>
        {words && <span className={`self-center rounded-base px-2 py-0.5 text-12 font-strong ${looks[words.look]}`}>{words.label}</span>}
        <p className="tabular ml-auto text-20">{price}</p>
      </div>
      {words && <p className="text-muted">{words.says}</p>}
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
