import type { Listing } from '#contract/listings.ts'
import { Barrier, barrierOf } from '#web/features/bids/barrier.tsx'
import { BidForm } from '#web/features/bids/bid-form.tsx'
import { PriceNow } from '#web/features/bids/price-now.tsx'
import { newsOf, standingOf, type Standing } from '#web/features/bids/standing.ts'
import { StandingBanner } from '#web/features/bids/standing-banner.tsx'
import { StickyAction } from '#web/features/bids/sticky-action.tsx'
import { PlaceLink } from '#web/place-link.tsx'
import { useTimeLeftMs } from '#web/server-clock.ts'
import { useUser } from '#web/session.ts'
import { buttonLook } from '#web/ui/button.tsx'

export type BidBoxProps = {
  listing: Listing
  /** Where somebody who logs in comes back to. */
  here: string
  onPlaced: (listing: Listing) => void
  onRefused: () => void
}

const edges: Record<Standing, string> = {
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
  const standing = standingOf(listing, user, isOver)
  const barrier = user && barrierOf(user)
  const mayBid = standing === 'open' || standing === 'leading' || standing === 'outbid'

  return (
    <section aria-label="Bidding" className={`grid gap-4 rounded-base border bg-surface p-4 ${edges[standing]}`}>
      <StandingBanner standing={standing} news={newsOf(listing, standing)} />
      <PriceNow listing={listing} standing={standing} />
      {standing === 'owner' && (
        <p className="border-t border-line pt-3 text-muted">This is your listing. Others bid on it; you watch the price.</p>
      )}
      {standing === 'visitor' && (
        <StickyAction listing={listing}>
          <PlaceLink to="login" search={{ next: here }} className={buttonLook('primary', 'w-full')}>
            Log in to bid
          </PlaceLink>
        </StickyAction>
      )}
      {mayBid && barrier && <Barrier barrier={barrier} />}
      {mayBid && !barrier && <BidForm {...{ listing, standing, onPlaced, onRefused }} />}
    </section>
  )
}
