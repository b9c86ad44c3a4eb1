import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Subscription } from '#contract/payments.ts'
import type { Tier } from '#contract/values/permissions.ts'
import { sentences } from '#contract/values/sentences.ts'
import { formatPence } from '#domain/format.ts'
import { formatDay } from '#domain/format-time.ts'
import { freeTier } from '#domain/subscription.ts'
import { useUser } from '#web/api/session.ts'
import { plansQuery } from '#web/features/subscription/queries.ts'
import { tierNames } from '#web/features/subscription/tier-table.tsx'
import { useSubscriptionChanges } from '#web/features/subscription/use-subscription-changes.ts'
import { StillWaiting } from '#web/sending/still-waiting.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** Cancel at the period's end, take that back, or change to another plan at once. */
export function PlanActions({ subscription }: { subscription: Subscription }) {
  const { cancel_at_period_end, current_period_end, status, price } = subscription
  const user = useUser()
  const [asked, setAsked] = useState<'cancel' | Tier>()
  const { isBusy, cancel, reactivate, changePlan } = useSubscriptionChanges()
  // of the two free plans one is for merchants and one for trades
  const own = freeTier(user?.business_activity)
  const others = useQuery(plansQuery).data?.data.filter(({ tier }) => tier === own) ?? []

  const confirm = async () => {
    await (asked === 'cancel' ? cancel() : asked && changePlan(asked))
    setAsked(undefined)
  }

  return (
    <div className="flex flex-wrap gap-3">
      {cancel_at_period_end ? (
        <Button isLoading={isBusy && !asked} onClick={() => void reactivate()} className="max-md:flex-1">
          Reactivate
        </Button>
      ) : (
        <Button kind="plain" onClick={() => setAsked('cancel')} className="max-md:flex-1">
          Cancel subscription
        </Button>
      )}
      {others.map(({ id, tier }) => (
        <Button key={id} kind="plain" onClick={() => setAsked(tier)} className="max-md:flex-1">
          Change to {tierNames[tier]}
        </Button>
      ))}
      {asked && (
        <ConfirmDialog
          title={sentences.confirmTitle}
          confirm={asked === 'cancel' ? 'Yes, cancel' : `Change to ${tierNames[asked]}`}
          cancel="Keep Full"
          isLoading={isBusy}
          onConfirm={() => void confirm()}
          onCancel={() => setAsked(undefined)}
        >
          <p>{asked === 'cancel' && status !== 'past_due' ? keeps(current_period_end) : wordsAtOnce(status, formatPence(price.value))}</p>
          <StillWaiting className="mt-3" />
        </ConfirmDialog>
      )}
    </div>
  )
}

const keeps = (end: string | null) =>
  `Nothing more is taken. Full stays until ${end ? formatDay(new Date(end)) : 'the end of the month that is paid'}, and you can take this back until then.`

/** What a change to the free plan, or a cancellation without a paid month, does. */
function wordsAtOnce(status: Subscription['status'], price: string): string {
  const ends = 'Full ends at once: you can no longer bid or open chats.'
  if (status === 'trialing')
    return `Your free trial ends at once and for good: you cannot have it again. You can no longer bid or open chats, and Full costs ${price} a month if you come back.`
  if (status === 'past_due') return `${ends} The payment that failed is not tried again.`
  return `${ends} What is left of a month that is paid is kept as credit for your next subscription.`
}
