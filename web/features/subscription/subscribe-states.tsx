import { CircleCheck } from 'lucide-react'
import type { Subscription } from '#contract/payments.ts'
import { formatDay } from '#domain/format-time.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

export function Waiting() {
  return (
    <p role="status" className="flex min-h-24 items-center gap-3 text-16">
      <Spinner className="size-5 text-muted" /> Confirming your subscription…
    </p>
  )
}

/** The provider has the card; that it told our server did not arrive yet. */
export function BeingConfirmed({ onCheck, onGoOn }: { onCheck: () => void; onGoOn: () => void }) {
  return (
    <div className="grid gap-4">
      <Callout title="Your subscription is being confirmed">
        <p role="status">Stripe has your card. It usually tells us within a minute; nothing is lost if you go on.</p>
      </Callout>
      <div className="flex flex-wrap gap-3">
        <Button onClick={onGoOn}>Continue</Button>
        <Button kind="plain" onClick={onCheck}>
          Check again
        </Button>
      </div>
    </div>
  )
}

export function Subscribed({ subscription: { status, trial_ends_at }, onGoOn }: { subscription: Subscription; onGoOn: () => void }) {
  return (
    <div className="grid gap-4">
      <p role="status" className="flex items-start gap-3">
        <CircleCheck className="mt-0.5 size-5 shrink-0 text-success" strokeWidth={1.75} aria-hidden="true" />
        <span>
          <span className="block text-16 font-strong">You are subscribed to Full</span>
          {status === 'trialing' && trial_ends_at && (
            <span className="block text-muted">Free until {formatDay(new Date(trial_ends_at))}.</span>
          )}
        </span>
      </p>
      <Button className="justify-self-start" onClick={onGoOn}>
        Continue
      </Button>
    </div>
  )
}
