import { useLocation, useNavigate } from '@tanstack/react-router'
import type { Listing } from '#contract/listings.ts'
import { places } from '#contract/values/places.ts'
import { useUser } from '#web/api/session.ts'
import { Cover } from '#web/cards/cover.tsx'
import { BidBox } from '#web/features/bids/bid-box.tsx'
import { BidHistory } from '#web/features/bids/bid-history.tsx'
import { useExtensions } from '#web/features/bids/queries.ts'
import { ListingFacts } from '#web/features/listings/listing-facts.tsx'
import { Photos } from '#web/features/listings/photos.tsx'
import { keepListing, refetchListing } from '#web/features/listings/queries.ts'
import { WatchButton } from '#web/features/listings/watch-button.tsx'
import { Sale } from '#web/features/sales/sale.tsx'
import { SellerNotes } from '#web/features/sales/seller-notes.tsx'
import { Timeline } from '#web/features/sales/timeline.tsx'
import { refetchOwnListings } from '#web/features/sell/queries.ts'
import { StatusLabel } from '#web/listing/status-label.tsx'
import { PlaceLink, routePath } from '#web/navigation/place-link.tsx'
import { Heading } from '#web/page/page.tsx'
import { buttonLook } from '#web/ui/button.tsx'

/** What can be done stands beside what it is; in a narrow panel and on a phone between its name and its details. */
export function ListingDetail({ listing }: { listing: Listing }) {
  const here = useLocation({ select: ({ href }) => href })
  const navigate = useNavigate()
  const user = useUser()
  const { id, title, description, status } = listing
  const photo = listing.media.find(({ media_type }) => media_type === 'ListingImage')
  const extensions = useExtensions(listing)
  const refetch = () => void refetchListing(id)

  const done = (answer: Listing) => {
    void refetchOwnListings()
    if (answer.id === id) return keepListing(answer)
    // relisting answers with the new listing
    refetch()
    void navigate({ to: routePath(places['my-listing'].path), params: { id: answer.id } })
  }
  // while it runs the price comes first, afterwards what is to be done
  const isRunning = status.name === 'Active'
  const sale = (
    <Sale listing={listing} onDone={done} onRefused={refetch}>
      {listing.can_edit && (
        <PlaceLink to="edit-listing" params={{ id }} className={buttonLook('plain')}>
          Edit
        </PlaceLink>
      )}
    </Sale>
  )
  return (
    <div className="grid gap-x-12 gap-y-6 @4xl:grid-cols-[minmax(0,1fr)_28rem] @4xl:grid-rows-[auto_1fr]">
      <div className="grid gap-x-4 gap-y-6 lg:grid-cols-[11rem_minmax(0,1fr)] max-lg:short:grid-cols-[6rem_minmax(0,1fr)]">
        <div className={`relative max-md:tall:-mx-4 ${listing.media.length === 0 ? 'max-md:tall:[&>*]:aspect-2/1' : ''}`}>
          <Cover listing={listing} sizes="(min-width: 64rem) 12rem, 100vw" isEager className="rounded-base max-md:tall:rounded-none" />
          {photo && (
            <a
              href={photo.media.url}
              target="_blank"
              rel="noopener"
              aria-label="The photo at its full size, opens in a new tab"
              className="absolute inset-0 rounded-base -outline-offset-2"
            />
          )}
        </div>
        <div className="grid content-start justify-items-start gap-2 lg:pt-2">
          <StatusLabel status={status} />
          <Heading className="text-28">{title}</Heading>
          {user && !listing.is_owner && <WatchButton listing={listing} />}
        </div>
      </div>
      <div className="grid content-start gap-6 @4xl:col-start-2 @4xl:row-span-2 @4xl:row-start-1">
        {!isRunning && sale}
        <SellerNotes listing={listing} />
        <BidBox listing={listing} here={here} onPlaced={keepListing} onRefused={refetch} />
        {isRunning && sale}
      </div>
      <div className="grid content-start gap-6">
        <Photos media={listing.media} />
        <section aria-labelledby="description" className="grid gap-2">
          <h2 id="description" className="text-16">
            Description
          </h2>
          <p className="text-16 whitespace-pre-line wrap-anywhere">{description}</p>
        </section>
        <ListingFacts listing={listing} />
        <BidHistory listing={listing} />
        <Timeline listing={listing} extensions={extensions} />
      </div>
    </div>
  )
}
