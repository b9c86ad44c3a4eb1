import type { ReactNode } from 'react'
import type { Listing } from '#contract/listings.ts'
import { formatPrice } from '#domain/format.ts'
import { Countdown } from '#web/cards/countdown.tsx'
import type { BidderState } from '#web/features/bids/bidder-state.ts'

// the banner of the box says it to screen readers
const standing: Partial<Record<BidderState, { says: string; look: string }>> = {
  leading: { says: 'You lead', look: 'text-success' },
  outbid: { says: 'Outbid', look: 'text-danger' },
}

/** In the box on a wide screen; on a phone above the bottom bar, wherever the page is scrolled to; a short screen has no room for it there. */
export function StickyAction({ listing, state, children }: { listing: Listing; state: BidderState; children: ReactNode }) {
  const { current_price, price_basis, expires_at } = listing
  return (
    <div
      data-sticky-action
      className="grid gap-2 max-md:tall:fixed max-md:tall:inset-x-0 max-md:tall:bottom-[calc(3.75rem+env(safe-area-inset-bottom))] max-md:tall:z-20 max-md:tall:border-t max-md:tall:border-line max-md:tall:bg-surface max-md:tall:px-4 max-md:tall:py-2"
    >
      <p className="tabular flex justify-between text-16 md:hidden short:hidden" aria-hidden="true">
        <span>
          {formatPrice(current_price.value, price_basis)}
          {price_basis === 'lot' && ' lot'}
          {standing[state] && <strong className={standing[state].look}> {standing[state].says}</strong>}
        </span>
        {expires_at && <Countdown expires_at={expires_at} />}
      </p>
      {children}
    </div>
  )
}
