import { useUser } from '#web/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'

/** The payment account: how far it is. */
export function GetPaid({ onDone }: { onDone: () => void }) {
  const account = useUser()?.subscription.stripe
  if (!account?.account_completed)
    return (
      <Callout look="warning" title="Your payment account is not set up">
        <p>Stripe checks who you are, takes your buyers’ payments and pays you out. The way there opens soon.</p>
      </Callout>
    )
  return (
    <div className="grid justify-items-start gap-4">
      <Callout look="success" title="Your payment account is complete">
        <p>{account.account_verified ? 'Stripe has verified it.' : 'Stripe is still verifying it. You can go on meanwhile.'}</p>
      </Callout>
      <Button onClick={onDone}>Continue</Button>
    </div>
  )
}
