import { AccountState } from '#web/features/payments/account-state.tsx'
import { ContinueToProvider } from '#web/features/payments/continue-to-provider.tsx'
import { useAccount } from '#web/features/payments/use-account.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { FailedPart } from '#web/ui/state.tsx'

/** Onboarding, stage 1: the account at the payment provider. */
export function GetPaid({ onDone }: { onDone: () => void }) {
  const query = useAccount()
  const account = query.data
  if (!account) return query.error ? <FailedPart of={query} /> : <AccountSkeleton />
  const isSetUp = account.account_completed
  const isAsked = !account.account_verified && (!isSetUp || account.missing.length > 0)
  return (
    <div className="grid gap-6">
      <AccountState account={account} />
      <div className="flex flex-wrap items-start gap-3">
        {isAsked && <ContinueToProvider className="max-md:basis-full" />}
        {isSetUp && (
          <Button kind={isAsked ? 'plain' : 'primary'} onClick={onDone} className="max-md:basis-full">
            Continue
          </Button>
        )}
      </div>
    </div>
  )
}

/** In the account area: how the payment account stands, what is missing, and the way into it. */
export function PaymentAccountDetails() {
  const query = useAccount()
  const account = query.data
  if (!account) return query.error ? <FailedPart of={query} /> : <AccountSkeleton />
  const isSetUp = account.account_completed
  const isAsked = !isSetUp || account.missing.length > 0
  return (
    <div className="grid gap-5">
      <AccountState account={account} />
      <div className="flex flex-wrap items-start gap-3">
        {isAsked && <ContinueToProvider className="max-md:basis-full" />}
        {isSetUp && <ContinueToProvider to="login" kind="plain" label="Open your Stripe account" className="max-md:basis-full" />}
      </div>
    </div>
  )
}

function AccountSkeleton() {
  return (
    <div role="status" className="grid gap-4">
      <span className="sr-only">Asking Stripe…</span>
      <div className="grid grid-cols-[auto_1fr] gap-3">
        <Skeleton className="size-5" />
        <div className="grid gap-2">
          <Skeleton className="h-5 w-40" />
          <Skeleton className="h-4 w-64 max-w-full" />
        </div>
      </div>
      <Skeleton className="h-11 w-44" />
    </div>
  )
}
