import { Gavel } from 'lucide-react'
import { PlaceLink } from '#web/place-link.tsx'
import { useUser } from '#web/session.ts'
import { Page } from '#web/shell/page.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/state.tsx'

export default function ListingsPage() {
  const user = useUser()
  return (
    <Page title="Listings" lead="Scrap metal and goods in timed auctions, the next to end first.">
      <EmptyState
        icon={Gavel}
        title="No listings yet"
        action={
          !user && (
            <PlaceLink to="preregistration" className={buttonLook()}>
              Sign up to be there first
            </PlaceLink>
          )
        }
      >
        <p>Auctions open here soon. Each listing shows its weight, grade and district, the price now and the time left.</p>
      </EmptyState>
    </Page>
  )
}
