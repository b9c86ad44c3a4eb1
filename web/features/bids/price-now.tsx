import { useState } from 'react'
import type { Listing } from '#contract/listings.ts'
import { formatPence, formatPrice } from '#domain/format.ts'
import { Countdown } from '#web/cards/countdown.tsx'
import { bidsInWords } from '#web/cards/words.ts'
import type { BidderState } from '#web/features/bids/bidder-state.ts'
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
      {!isOver && <p className="text-muted">{toBeat(state, bid_count, formatPrice(minimum_bid.value, price_basis))}</p>}
    </div>
  )
}

function toBeat(state: BidderState, bid_count: number, least: string): string {
  if (state === 'leading') return `Others must bid ${least} or more.`
  if (state === 'owner') return `The next bid is ${least} or more.`
  return bid_count === 0 ? `Bid ${least} or more to open.` : `Bid ${least} or more to beat it.`
}
