import { Gavel } from 'lucide-react'
import { PlaceLink } from '#web/place-link.tsx'
import { Page } from '#web/shell/page.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/state.tsx'

export default function ActivityPage() {
  return (
    <Page title="Activity" lead="What you bid on, won, were offered and watch.">
      <EmptyState
        icon={Gavel}
        title="No activity yet"
        action={
          <PlaceLink to="listings" className={buttonLook('plain')}>
            Browse listings
          </PlaceLink>
        }
      >
        <p>As soon as you bid on a listing or watch one, it stands here with its price and the time left.</p>
      </EmptyState>
    </Page>
  )
}
