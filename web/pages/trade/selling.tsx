import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Listing } from '#contract/listings.ts'
import { messageOf } from '#web/api/api-error.ts'
import { configQuery } from '#web/api/config.ts'
import { ListingCard } from '#web/cards/listing-card.tsx'
import { meQuery } from '#web/features/account/me.ts'
import { ListingFacts } from '#web/features/listings/listing-facts.tsx'
import { AddressField } from '#web/features/location/address-field.tsx'
import { SellForm } from '#web/features/sell/sell-form.tsx'
import { MaterialOptions } from '#web/listing/material-options.tsx'
import { FormSkeleton } from '#web/ui/skeleton.tsx'
import { FailedState } from '#web/ui/state.tsx'

type Props = {
  edit?: { listing: Listing; onTooLate: (message: string) => void }
  onSent: (listing: Listing) => void
}

/** The form to sell with, once it is known who sells and what the rules are. */
export function Selling({ edit, onSent }: Props) {
  const me = useQuery(meQuery)
  const config = useQuery(configQuery)
  const error = (!me.data && me.error) || (!config.data && config.error)
  if (error)
    return (
      <FailedState
        message={messageOf(error)}
        onRetry={() => void Promise.all([me.refetch(), config.refetch()])}
        isRetrying={me.isFetching || config.isFetching}
      />
    )
  if (!me.data || !config.data) return <FormSkeleton fields={6} />
  const { id, company_name, not_vat_registered, created_at } = me.data
  return (
    <SellForm
      key={edit?.listing.id ?? id}
      seller={{ id, company_name, member_since: created_at, vat_registered: !not_vat_registered }}
      rules={config.data}
      materialOptions={<MaterialOptions />}
      Shown={ListingPreview}
      {...{ edit, onSent, AddressField }}
    />
  )
}

/** A listing as buyers find it and as they open it, with nothing to press. */
function ListingPreview({ listing, children }: { listing: Listing; children: ReactNode }) {
  return (
    <>
      <div className="@container grid" inert>
        <ListingCard listing={listing} search={{}} />
      </div>
      {children}
      <p className="text-16 whitespace-pre-line wrap-anywhere">{listing.description}</p>
      <ListingFacts listing={{ ...listing, reservation_price: null }} />
    </>
  )
}
