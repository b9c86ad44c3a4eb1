import { useState } from 'react'
import type { Listing } from '#contract/listings.ts'
import { formatPence, formatWeight } from '#domain/format.ts'
import { Countdown } from '#web/cards/countdown.tsx'
import { Cover } from '#web/cards/cover.tsx'
import { Reserve } from '#web/cards/reserve.tsx'
import { basisInWords, bidsInWords, milesInWords } from '#web/cards/words.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useIsWide } from '#web/ui/use-is-wide.ts'

/** The list is its container: where it is narrow a listing is a row, else a card. */
export const cardGrid = 'grid gap-3 @2xl:grid-cols-2 @2xl:gap-4 @4xl:grid-cols-[repeat(auto-fill,minmax(17rem,1fr))]'

const frame =
  'grid h-full grid-cols-[6.5rem_minmax(0,1fr)] rounded-base border border-line bg-surface @4xl:grid-cols-1 @4xl:grid-rows-[auto_1fr]'
const plateLook = 'rounded-l-[5px] @max-4xl:aspect-auto @max-4xl:h-full @4xl:rounded-t-[5px] @4xl:rounded-bl-none'
const bodyLook = 'flex flex-col gap-1 p-3 @4xl:gap-2 @4xl:p-4'

/** The whole card is one link. `search` keeps the filter in the address. */
export function ListingCard({ listing, search }: { listing: Listing; search: Record<string, string> }) {
  const isWide = useIsWide()
  const { id, title, weight_kg, grade, location, current_price, price_basis, bid_count, expires_at } = listing
  const [firstSeen] = useState(current_price.value)
  const about = [weight_kg && formatWeight(weight_kg), grade].filter(Boolean).join(' · ')
  return (
    <PlaceLink
      to="listing"
      params={{ id }}
      search={search}
      resetScroll={!isWide}
      className={`${frame} hover:border-control aria-[current=page]:border-copper aria-[current=page]:ring-1 aria-[current=page]:ring-copper`}
    >
      <Cover listing={listing} sizes="(min-width: 64rem) 20rem, 7rem" className={plateLook} />
      <div className={bodyLook}>
        <h2 className="line-clamp-2 text-16 leading-5">{title}</h2>
        <p className="flex text-muted">
          <span className="truncate">{about}</span>
          <span className="shrink-0 whitespace-pre">
            {about && ' · '}
            {placeOf(location)}
          </span>
        </p>
        <div className="mt-auto flex flex-wrap items-baseline justify-between gap-x-2">
          <p
            key={current_price.value}
            className={`tabular text-28 font-strong whitespace-nowrap ${current_price.value === firstSeen ? '' : 'flash'}`}
          >
            {formatPence(current_price.value)} <span className="text-16 font-normal text-muted">{basisInWords(price_basis)}</span>
          </p>
          {expires_at && <Countdown expires_at={expires_at} />}
        </div>
        <p className="flex flex-wrap justify-between gap-x-2 text-muted">
          <span className="whitespace-nowrap">{ownStanding(listing) ?? bidsInWords(bid_count)}</span>
          <Reserve listing={listing} />
        </p>
      </div>
    </PlaceLink>
  )
}

const placeOf = ({ post_code_district, distance_miles }: Listing['location']) =>
  distance_miles === null ? post_code_district : `${post_code_district}, ${milesInWords(distance_miles)}`

function ownStanding({ my_latest_bid }: Listing) {
  if (my_latest_bid?.bid_status.name === 'Active') return <strong className="text-success">You lead</strong>
  if (my_latest_bid?.bid_status.name === 'Outbid') return <strong className="text-danger">Outbid</strong>
  return undefined
}

/** A card that is on its way, at its size. */
export function CardSkeleton() {
  return (
    <div className={frame} aria-hidden="true">
      <Skeleton className={`@4xl:aspect-4/3 ${plateLook}`} />
      <div className={bodyLook}>
        <Skeleton className="h-5 w-4/5" />
        <Skeleton className="h-5 w-1/2" />
        <Skeleton className="h-8 w-2/3" />
        <Skeleton className="h-5 w-full" />
      </div>
    </div>
  )
}
