import type { ReactNode } from 'react'
import type { Listing } from '#contract/listings.ts'
import { ListingCard } from '#web/cards/listing-card.tsx'
import { ListingFacts } from '#web/features/listings/listing-facts.tsx'

/** A listing as buyers find it and as they open it, with nothing to press. */
export function ListingPreview({ listing, children }: { listing: Listing; children: ReactNode }) {
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
