import { FailedPart } from '#web/features/payments/failed-part.tsx'
import { AccountState } from '#web/features/payments/account-state.tsx'
import { ContinueToProvider } from '#web/features/payments/continue-to-provider.tsx'
import { AccountSkeleton } from '#web/features/payments/get-paid.tsx'
import { useAccount } from '#web/features/payments/use-account.ts'

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
