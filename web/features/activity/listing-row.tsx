import type { ReactNode } from 'react'
import type { Listing } from '#contract/listings.ts'
import type { Place } from '#contract/values/places.ts'
import { formatPence, formatPrice, formatWeight } from '#domain/format.ts'
import { Countdown } from '#web/cards/countdown.tsx'
import { MaterialPlate } from '#web/cards/material-plate.tsx'
import { basisInWords, bidsInWords } from '#web/cards/words.ts'
import { nextAction } from '#web/listing/action-order.ts'
import { StatusLabel } from '#web/listing/status-label.tsx'
import { turnWords } from '#web/listing/turn.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { useIsWide } from '#web/ui/use-is-wide.ts'

/** Where there is room, the rows of a list share their columns: the widest price and the longest button set them, and none is empty. */
export const rowGrid = {
  list: '@5xl:grid @5xl:grid-cols-[6.5rem_minmax(0,1fr)_auto_auto_auto] @5xl:gap-x-6',
  item: '@5xl:col-span-full @5xl:grid @5xl:grid-cols-subgrid',
} as const

type Props = { listing: Listing; to: Place; search?: Record<string, string>; action?: ReactNode; Title?: 'h2' | 'h3' }

/** One line of My listings or Activity. The whole row leads to the listing, but for what can be done with it. */
export function ListingRow({ listing, to, search, action, Title = 'h2' }: Props) {
  const isWide = useIsWide()
  const { id, title, status, weight_kg, grade, is_owner, seller, location } = listing
  const whose = is_owner ? location.town : seller.company_name
  const about = [weight_kg && formatWeight(weight_kg), grade, whose].filter(Boolean).join(' · ')
  const next = turnWords(listing)?.isMine ? nextAction(listing.available_actions) : undefined
  const link = { to, params: { id }, ...(search && { search }), resetScroll: !isWide }
  return (
    <article
      className={`relative grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-4 gap-y-1 py-3 hover:bg-sunken/60 has-[a[aria-current=page]]:bg-primary-soft @2xl:grid-cols-[6.5rem_minmax(0,1fr)_auto] @2xl:px-2 ${rowGrid.item} @5xl:gap-x-6`}
    >
      <Thumbnail listing={listing} className="row-span-3 self-start rounded-base @2xl:row-span-2 @5xl:row-span-1" />
      <div className="grid content-start justify-items-start gap-1 @2xl:row-span-2 @5xl:row-span-1">
        <Title className="line-clamp-2 text-16 leading-5 wrap-anywhere @2xl:line-clamp-1">
          <PlaceLink {...link} className="after:absolute after:inset-0 hover:underline">
            {title}
          </PlaceLink>
        </Title>
        <p className="w-full truncate text-muted">{about}</p>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <StatusLabel status={status} />
          <TurnLine listing={listing} />
        </div>
      </div>
      <PriceAndEnd listing={listing} />
      {(next || action) && (
        <div className="relative z-10 col-start-2 mt-1 flex flex-wrap gap-2 empty:hidden @max-2xl:-mb-2 @2xl:col-start-3 @2xl:justify-self-end @5xl:col-start-5 @5xl:mt-0 @5xl:self-center">
          {next && (
            <PlaceLink {...link} className={buttonLook()} aria-label={`${next.label}: ${title}`}>
              {next.label}
            </PlaceLink>
          )}
          {action}
        </div>
      )}
    </article>
  )
}

function PriceAndEnd({ listing }: { listing: Listing }) {
  const { price_basis, bid_count, status, expires_at } = listing
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 @max-2xl:col-start-2 @2xl:justify-end @5xl:contents">
      <p className="tabular text-20 font-strong whitespace-nowrap @2xl:w-full @2xl:text-right">
        {formatPence(priceToViewer(listing))} <span className="text-14 font-normal text-muted">{basisInWords(price_basis)}</span>
      </p>
      <p className="flex items-baseline gap-x-3 whitespace-nowrap text-muted @5xl:grid @5xl:content-start @5xl:justify-items-end @5xl:gap-1 @5xl:pt-1">
        {status.name === 'Active' && expires_at && <Countdown expires_at={expires_at} />}
        {bidsInWords(bid_count)}
      </p>
    </div>
  )
}

/** What the goods go for to whoever looks: an offer to the next bidder is at that bidder's own highest bid, not at the last price. */
function priceToViewer({ my_latest_bid, amounts, price_basis, current_price }: Listing): number {
  if (my_latest_bid?.bid_status.name === 'OfferedToYou') return my_latest_bid.max_price.value
  return amounts && price_basis === 'lot' ? amounts.goods.value : current_price.value
}

/** The first photo, small; without one the plate of its material, whose name has no room here. */
export function Thumbnail({ listing: { media, material }, className = '' }: { listing: Listing; className?: string }) {
  const photo = media.find(({ thumbnail_url }) => thumbnail_url)?.thumbnail_url
  if (!photo) return <MaterialPlate material={material} className={`[&>span]:hidden ${className}`} />
  return <img src={photo} alt="" loading="lazy" decoding="async" className={`aspect-4/3 w-full bg-sunken object-cover ${className}`} />
}

/** Whose turn it is, or how one's own bid stands; nothing where the status says it all. */
export function TurnLine({ listing }: { listing: Listing }) {
  const turn = turnWords(listing)
  if (turn) return <p className={turn.isMine ? 'font-strong text-warning' : 'text-muted'}>{turn.words}</p>
  return listing.status.name === 'Active' && <OwnBid listing={listing} />
}

function OwnBid({ listing: { my_latest_bid, minimum_bid, price_basis } }: { listing: Listing }) {
  const bid = my_latest_bid?.bid_status.name
  if (bid === 'Active') return <p className="font-strong text-success">You lead</p>
  if (bid !== 'Outbid') return null
  return <p className="font-strong text-danger">Outbid – the next bid is {formatPrice(minimum_bid.value, price_basis)} or more</p>
}
