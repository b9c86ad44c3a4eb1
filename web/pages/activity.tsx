import { Gavel } from 'lucide-react'
import { paymentAccountOf } from '#web/features/account/payment-account.ts'
import { PlaceLink } from '#web/place-link.tsx'
import { useUser } from '#web/session.ts'
import { Columns, Page } from '#web/shell/page.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { EmptyState } from '#web/ui/state.tsx'

export default function ActivityPage() {
  const user = useUser()
  return (
    <Page title="Activity" lead="What you bid on, won, were offered and watch.">
      <Columns
        aside={
          <Facts
            title="Ready to bid"
            rows={[
              ['Your tier', user && (user.permissions.auction_bid.enabled ? 'Lets you bid' : 'Only Full bids')],
              ['Payment account', user && paymentAccountOf(user)],
              ['Scrap dealer licence', 'Needed to buy scrap'],
            ]}
          />
        }
      >
        <EmptyState
          icon={Gavel}
          title="Your bids stand on their listings"
          action={
            <PlaceLink to="listings" className={buttonLook('plain')}>
              Browse listings
            </PlaceLink>
          }
        >
          <p>Open a listing to see how your bid stands. What you bid on, won and watch is gathered here soon.</p>
        </EmptyState>
      </Columns>
    </Page>
  )
}
