import { MaterialOptions } from '#web/features/listings/material-options.tsx'
import { AddressField } from '#web/features/location/address-field.tsx'
import { SellForm } from '#web/features/sell/sell-form.tsx'
import { PlaceLink } from '#web/place-link.tsx'
import { useUser } from '#web/session.ts'
import { Page } from '#web/shell/page.tsx'

export default function SellPage() {
  const user = useUser()
  return (
    <Page
      title="List goods"
      lead={
        <>
          What you type is kept until you list it.{' '}
          <PlaceLink to="my-listings" isExact className="link inline-flex min-h-11 items-center">
            See your listings
          </PlaceLink>
        </>
      }
    >
      {user && <SellForm key={user.id} sellerId={user.id} AddressField={AddressField} materialOptions={<MaterialOptions />} />}
    </Page>
  )
}
