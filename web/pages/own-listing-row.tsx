import type { ReactNode } from 'react'
import type { Listing } from '#contract/listings.ts'
import { Countdown } from '#web/countdown.tsx'
import { MaterialPlate } from '#web/features/listings/material-plate.tsx'
import { StatusLabel } from '#web/features/listings/status-label.tsx'
import { bidsInWords } from '#web/features/listings/words.ts'
import { formatPrice } from '#web/money.ts'
import { PlaceLink } from '#web/place-link.tsx'

/** The whole row leads to the listing, but for what can be done with it. */
export function OwnListingRow({ listing, action }: { listing: Listing; action: ReactNode }) {
  const { id, title, status, material, media, current_price, price_basis, bid_count, expires_at } = listing
  const photo = media.find(({ thumbnail_url }) => thumbnail_url)?.thumbnail_url
  return (
    <article className="relative grid grid-cols-[6.5rem_minmax(0,1fr)] items-start gap-x-4 gap-y-3 py-4 md:grid-cols-[8rem_minmax(0,1fr)_auto] md:items-center">
      {photo ? (
        <img src={photo} alt="" loading="lazy" className="aspect-4/3 w-full rounded-base bg-sunken object-cover" />
      ) : (
        <MaterialPlate material={material} className="rounded-base" />
      )}
      <div className="grid justify-items-start gap-1">
        <StatusLabel status={status} />
        <h2 className="line-clamp-2 text-16 wrap-anywhere">
          <PlaceLink to="listing" params={{ id }} className="hover:underline after:absolute after:inset-0">
            {title}
          </PlaceLink>
        </h2>
        <p className="flex flex-wrap items-baseline gap-x-4">
          <span className="tabular text-20 font-strong whitespace-nowrap">{formatPrice(current_price.value, price_basis)}</span>
          <span className="whitespace-nowrap text-muted">{bidsInWords(bid_count)}</span>
          {expires_at && <Countdown expires_at={expires_at} />}
        </p>
      </div>
      {action && <div className="relative z-10 max-md:col-start-2">{action}</div>}
    </article>
  )
}
