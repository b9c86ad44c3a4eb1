import type { ReactNode } from 'react'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

/** SPEC §2: not dismissable. Those whose account is checked first have nothing to continue with yet. */
export function SignUpDialog({ isLoggedIn, continueToProvider }: { isLoggedIn: boolean; continueToProvider: ReactNode }) {
  if (!isLoggedIn) {
    return (
      <Dialog title="We check your account first">
        <p className="text-16 text-muted">
          Collectors are checked before their account opens. We send you an email as soon as yours is open, and then you can log in.
        </p>
        <PlaceLink to="dashboard" className={buttonLook()}>
          To the dashboard
        </PlaceLink>
      </Dialog>
    )
  }
  return (
    <Dialog title="Payment details">
      <p className="text-16 text-muted">
        You need a Stripe account to buy and sell on Yardbid. Stripe checks who you are, takes your buyers’ payments and pays you out.
      </p>
      {continueToProvider}
    </Dialog>
  )
}
