import type { ReactNode } from 'react'
import type { Listing } from '#contract/listings.ts'
import type { Place } from '#contract/values/places.ts'
import { Countdown } from '#web/countdown.tsx'
import { priceToViewer } from '#web/features/activity/price.ts'
import { rowGrid } from '#web/features/activity/row-grid.ts'
import { isMyTurn } from '#web/features/activity/turn.ts'
import { TurnLine } from '#web/features/activity/turn-line.tsx'
import { Thumbnail } from '#web/features/listings/thumbnail.tsx'
import { StatusLabel } from '#web/features/listings/status-label.tsx'
import { bidsInWords } from '#web/bids-in-words.ts'
import { basisInWords } from '#web/features/listings/words.ts'
import { formatPence } from '#web/money.ts'
import { PlaceLink } from '#web/place-link.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { useIsWide } from '#web/use-is-wide.ts'
import { formatWeight } from '#web/weight.ts'

type Props = { listing: Listing; to: Place; search?: Record<string, string>; action?: ReactNode; Title?: 'h2' | 'h3' }

/** One line of My listings or Activity. The whole row leads to the listing, but for what can be done with it. */
export function ListingRow({ listing, to, search, action, Title = 'h2' }: Props) {
  const isWide = useIsWide()
  const { id, title, status, weight_kg, grade, is_owner, seller, location } = listing
  const whose = is_owner ? location.town : seller.company_name
  const about = [weight_kg && formatWeight(weight_kg), grade, whose].filter(Boolean).join(' · ')
  const [next] = isMyTurn(listing) ? listing.available_actions : []
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
        <div className="relative z-10 col-start-2 mt-1 flex flex-wrap gap-2 @max-2xl:-mb-2 @2xl:col-start-3 @2xl:justify-self-end @5xl:col-start-5 @5xl:mt-0 @5xl:self-center">
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
