import { CircleCheck, Flag, TrendingUp, type LucideIcon } from 'lucide-react'
import type { Listing } from '#contract/listings.ts'
import { useTimeLeftMs } from '#web/api/server-clock.ts'
import { useUser } from '#web/api/session.ts'
import { Barrier, barrierOf } from '#web/features/bids/barrier.tsx'
import { BidForm } from '#web/features/bids/bid-form.tsx'
import { newsOf, bidderStateOf, type BidderState } from '#web/features/bids/bidder-state.ts'
import { PriceNow } from '#web/features/bids/price-now.tsx'
import { StickyAction } from '#web/features/bids/sticky-action.tsx'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { buttonLook } from '#web/ui/button.tsx'

export type BidBoxProps = {
  listing: Listing
  /** Where somebody who logs in comes back to. */
  here: string
  onPlaced: (listing: Listing) => void
  onRefused: () => void
}

const edges: Record<BidderState, string> = {
  owner: 'border-line',
  ended: 'border-line',
  visitor: 'border-line',
  open: 'border-line',
  leading: 'border-success',
  outbid: 'border-danger',
}

export function BidBox({ listing, here, onPlaced, onRefused }: BidBoxProps) {
  const user = useUser()
  const isOver = useTimeLeftMs(listing.expires_at ?? listing.server_time) <= 0
  const state = bidderStateOf(listing, user, isOver)
  const barrier = user && barrierOf(user)
  const mayBid = state === 'open' || state === 'leading' || state === 'outbid'

  return (
    <section aria-label="Bidding" className={`grid gap-4 rounded-base border bg-surface p-4 ${edges[state]}`}>
      <StateBanner state={state} news={newsOf(listing, state)} />
      <PriceNow listing={listing} state={state} />
      {state === 'owner' && (
        <p className="border-t border-line pt-3 text-muted">This is your listing. Others bid on it; you watch the price.</p>
      )}
      {state === 'visitor' && (
        <StickyAction {...{ listing, state }}>
          <PlaceLink to="login" search={{ next: here }} className={buttonLook('primary', 'w-full')}>
            Log in to bid
          </PlaceLink>
        </StickyAction>
      )}
      {mayBid && barrier && <Barrier barrier={barrier} />}
      {mayBid && !barrier && <BidForm {...{ listing, state, onPlaced, onRefused }} />}
    </section>
  )
}

const looks: Partial<Record<BidderState, { look: string; Icon: LucideIcon }>> = {
  leading: { look: 'bg-success-soft text-success', Icon: CircleCheck },
  outbid: { look: 'bg-danger-soft text-danger', Icon: TrendingUp },
  ended: { look: 'bg-sunken text-ink', Icon: Flag },
}

/** The place stays in the page, so that what appears in it is announced. */
function StateBanner({ state, news }: { state: BidderState; news: string }) {
  const shown = looks[state]
  return (
    <div role="status" className="-mx-4 -mt-4 empty:hidden">
      {shown && news && (
        <p className={`flex items-start gap-2 rounded-t-[5px] px-4 py-3 text-16 font-strong ${shown.look}`}>
          <shown.Icon className="mt-0.5 size-5 shrink-0" aria-hidden="true" />
          <span>{news}</span>
        </p>
      )}
    </div>
  )
}
