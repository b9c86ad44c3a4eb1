import { useState } from 'react'
import type { Listing } from '#contract/listings.ts'
import { extensionWords } from '#domain/bids/history.ts'
import { formatPence, formatPrice } from '#domain/format.ts'
import { Countdown } from '#web/cards/countdown.tsx'
import { bidsInWords } from '#web/cards/words.ts'
import type { BidderState } from '#web/features/bids/bidder-state.ts'
import { useExtensions } from '#web/features/bids/queries.ts'
import { LiveState } from '#web/live/live-state.tsx'

/** The price, the time left, and what the next bid must be. */
export function PriceNow({ listing, state }: { listing: Listing; state: BidderState }) {
  const { current_price, minimum_bid, price_basis, bid_count, expires_at } = listing
  const [firstSeen] = useState(current_price.value)
  const isOver = state === 'ended'
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-end justify-between gap-x-4">
        <div>
          <p className="text-muted">
            {bid_count === 0 ? 'Start price' : isOver ? 'Last price' : 'Price now'}
            {price_basis === 'lot' && ', for the lot'}
          </p>
          <p key={current_price.value} className={`tabular text-40 font-strong ${current_price.value === firstSeen ? '' : 'flash'}`}>
            {formatPence(current_price.value)} {price_basis === 'tonne' && <span className="text-20 font-normal text-muted">/ t</span>}
          </p>
        </div>
        <div className="ml-auto grid gap-1 pb-1 text-right">
          {expires_at && !isOver && <Countdown expires_at={expires_at} className="text-20" />}
          <p className="text-muted">{bidsInWords(bid_count)}</p>
        </div>
      </div>
      <LiveState />
      <Extended listing={listing} isOver={isOver} />
      {!isOver && <p className="text-muted">{toBeat(state, bid_count, formatPrice(minimum_bid.value, price_basis))}</p>}
    </div>
  )
}

/** Said when it happens; the place stays, so that what appears in it is announced. */
function Extended({ listing, isOver }: { listing: Listing; isOver: boolean }) {
  const isExtended = useExtensions(listing).some(({ extended_to }) => extended_to === listing.expires_at)
  return (
    <p aria-live="polite" className="font-strong text-warning empty:hidden">
      {isExtended && !isOver && listing.expires_at && extensionWords(new Date(listing.expires_at))}
    </p>
  )
}

function toBeat(state: BidderState, bid_count: number, least: string): string {
  if (state === 'leading') return `Others must bid ${least} or more.`
  if (state === 'owner') return `The next bid is ${least} or more.`
  return bid_count === 0 ? `Bid ${least} or more to open.` : `Bid ${least} or more to beat it.`
}
