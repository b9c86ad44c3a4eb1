import { PackagePlus } from 'lucide-react'
import { PlaceLink } from '#web/place-link.tsx'
import { Page } from '#web/shell/page.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/state.tsx'

export default function MyListingsPage() {
  return (
    <Page title="My listings" lead="What you sell: running, won, paid and handed over.">
      <EmptyState
        icon={PackagePlus}
        title="You have no listings"
        action={
          <PlaceLink to="account-view-edit" className={buttonLook('plain')}>
            Check your details
          </PlaceLink>
        }
      >
        <p>
          Selling opens here soon. Until then, see that your company address and VAT number are right: your listings will start with them.
        </p>
      </EmptyState>
    </Page>
  )
}
