import { useLocation, useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
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
import { partyOf, type Party } from '#web/listing/turn.ts'
import { PlaceLink, routePath } from '#web/navigation/place-link.tsx'
import { Heading } from '#web/page/page.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'

// the sale is its two sides' alone: nobody else loads it
const Deal = lazyPart(() => import('#web/pages/listings/deal.tsx'))
// members alone write to each other
const ListingChat = lazyPart(() => import('#web/features/chat/listing-chat.tsx'))

/** What can be done stands beside what it is; in a narrow panel and on a phone between its name and its details. */
export function ListingDetail({ listing }: { listing: Listing }) {
  const here = useLocation({ select: ({ href }) => href })
  const navigate = useNavigate()
  const user = useUser()
  const { id, description, status } = listing
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
  const party = listing.amounts && partyOf(listing)
  const sale = (
    <Sale listing={listing} onDone={done} onRefused={refetch}>
      {listing.can_edit && (
        <PlaceLink to="edit-listing" params={{ id }} className={buttonLook('plain')}>
          Edit
        </PlaceLink>
      )}
    </Sale>
  )
  const chat = user ? (
    <Suspense>
      <ListingChat listing={listing} />
    </Suspense>
  ) : (
    <PlaceLink to="chat" params={{ id, user_id: listing.seller.id }} className={buttonLook('plain', 'justify-self-start')}>
      Ask the seller
    </PlaceLink>
  )
  const timeline = <Timeline listing={listing} extensions={extensions} />
  return (
    <div className="grid gap-x-12 gap-y-6 @4xl:grid-cols-[minmax(0,1fr)_28rem] @4xl:grid-rows-[auto_1fr]">
      <Head listing={listing} party={party} />
      <div className="grid content-start gap-6 @4xl:col-start-2 @4xl:row-span-2 @4xl:row-start-1">
        <MissedPayment listing={listing} />
        {party && (
          <Suspense fallback={<Skeleton className="h-80 w-full" />}>
            <Deal {...{ listing, party }} onDone={done} onListing={keepListing} onRefused={refetch} />
          </Suspense>
        )}
        {!party && !isRunning && sale}
        <SellerNotes listing={listing} />
        {!party && <BidBox listing={listing} here={here} onPlaced={keepListing} onRefused={refetch} />}
        {!party && isRunning && sale}
        {chat}
        {party && timeline}
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
        {!party && timeline}
      </div>
    </div>
  )
}

/** Whoever buys or sells knows the goods: what is to be done comes before a large photo. */
function Head({ listing, party }: { listing: Listing; party: Party | null }) {
  const user = useUser()
  const { title, status, media, is_owner } = listing
  const photo = media.find(({ media_type }) => media_type === 'ListingImage')
  const [frame, picture, cover] = party ? small : large
  return (
    <div className={frame}>
      <div className={`relative ${picture} ${media.length === 0 && !party ? 'max-md:tall:[&>*]:aspect-2/1' : ''}`}>
        <Cover listing={listing} sizes={party ? '6rem' : '(min-width: 64rem) 12rem, 100vw'} isEager className={cover} />
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
      <div className={`grid content-start justify-items-start gap-2 ${party ? '' : 'lg:pt-2'}`}>
        <StatusLabel status={status} />
        <Heading className={party ? 'text-20 @md:text-28' : 'text-28'}>{title}</Heading>
        {user && !is_owner && !party && <WatchButton listing={listing} />}
      </div>
    </div>
  )
}

type HeadLook = readonly [frame: string, picture: string, cover: string]

// the plate of a material has no room for its name when it is small
const small: HeadLook = ['grid grid-cols-[6rem_minmax(0,1fr)] items-start gap-x-4', '', 'rounded-base [&>span]:hidden']
const large: HeadLook = [
  'grid gap-x-4 gap-y-6 lg:grid-cols-[11rem_minmax(0,1fr)] max-lg:short:grid-cols-[6rem_minmax(0,1fr)]',
  'max-md:tall:-mx-4',
  'rounded-base max-md:tall:rounded-none max-lg:short:[&>span]:hidden',
]

/** To a buyer who did not pay, wherever the goods go next. */
function MissedPayment({ listing: { my_latest_bid } }: { listing: Listing }) {
  if (my_latest_bid?.bid_status.name !== 'MissedPayment') return null
  return (
    <Callout look="danger" title="You did not pay in time">
      <p>
        The holding fee was taken from your card, and you have a strike: three within 12 months stop you from bidding. We tell you at once
        if the seller gives you a second chance.
      </p>
    </Callout>
  )
}
