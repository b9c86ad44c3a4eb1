import { PackagePlus } from 'lucide-react'
import { paymentAccountOf } from '#web/features/account/payment-account.ts'
import { keepListing } from '#web/features/listings/queries.ts'
import { OwnListings } from '#web/features/sell/own-listings.tsx'
import { OwnListingRow } from '#web/pages/own-listing-row.tsx'
import { PlaceLink } from '#web/place-link.tsx'
import { useUser } from '#web/session.ts'
import { Columns, Page } from '#web/shell/page.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { Facts } from '#web/ui/facts.tsx'

export default function MyListingsPage() {
  const user = useUser()
  return (
    <Page title="My listings" lead="What you sell: running, won, paid and handed over.">
      <Columns
        aside={
          <Facts
            title="Ready to sell"
            rows={[
              ['Seller', user?.company_name],
              ['Payment account', user && paymentAccountOf(user)],
              ['Email', user && (user.email_verified ? 'Confirmed' : 'Not confirmed yet')],
            ]}
          />
        }
      >
        <OwnListings Row={OwnListingRow} listGoods={<ListGoods />} onWithdrawn={keepListing} />
      </Columns>
    </Page>
  )
}

function ListGoods() {
  return (
    <PlaceLink to="sell" className={buttonLook()}>
      <PackagePlus className="size-5" strokeWidth={1.75} aria-hidden="true" />
      List goods
    </PlaceLink>
  )
}
