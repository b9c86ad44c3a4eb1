import { Hourglass } from 'lucide-react'
import type { SalePayment } from '#contract/listings.ts'
import { formatPence } from '#domain/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

export function Waiting() {
  return (
    <p role="status" className="flex min-h-24 items-center gap-3 text-16">
      <Spinner className="size-5 text-muted" /> Confirming your payment…
    </p>
  )
}

/** The provider has the payment; that it told our server did not arrive yet. */
export function BeingConfirmed({ onCheck }: { onCheck: () => void }) {
  return (
    <div className="grid justify-items-start gap-4">
      <Callout title="Your payment is being confirmed">
        <p role="status">Stripe has it and usually tells us within a minute. This page changes by itself; do not pay again.</p>
      </Callout>
      <Button kind="plain" onClick={onCheck}>
        Check again
      </Button>
    </div>
  )
}

export function OnItsWay({ payment: { amount } }: { payment: SalePayment }) {
  return (
    <div role="status" className="grid grid-cols-[auto_1fr] items-start gap-x-3 rounded-base border border-line p-4">
      <Hourglass className="mt-0.5 size-5 text-primary" strokeWidth={1.75} aria-hidden="true" />
      <p>
        <span className="block text-16 font-strong">{formatPence(amount.value)} is on its way</span>
        <span className="block text-muted">
          Your bank has taken the payment and needs a few days. The deadline waits for it, and there is nothing more to do.
        </span>
      </p>
    </div>
  )
}
