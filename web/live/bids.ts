import { notifyManager, type InfiniteData } from '@tanstack/react-query'
import type { Listing } from '#contract/listings.ts'
import type { LiveEvents } from '#contract/live.ts'
import { bidStatuses } from '#contract/values/bid-status.ts'
import { queryClient } from '#web/api/query-client.ts'
import { changeListing, type Change } from '#web/live/listings.ts'
import { hearLive } from '#web/live/live.ts'

// What arrives live about bids: one's own standing, and the rows of a history. The first page of a visitor has neither.

type BidRow = LiveEvents['listing']['bids'][number] & { is_mine: boolean }
type BidPage = { data: BidRow[]; meta: object }

let isHearing = false

/** Called by whatever shows bids, when it is loaded. */
export function hearBids(): void {
  if (isHearing) return
  isHearing = true
  hearLive((event) =>
    notifyManager.batch(() => {
      if (event.kind === 'listing') growHistory(event.data)
      else if (event.kind === 'standing') changeListing(event.data.listing_id, (known, isCard) => withStanding(known, event.data, isCard))
    }),
  )
}

/** One's own bid, just before the price that its listing's own event brings. */
function withStanding(known: Listing, event: LiveEvents['standing'], isCard: boolean): Change {
  if (event.version <= known.version) return known
  const mine = known.my_latest_bid
  const isBidding = event.bid_status === 'Active' || event.bid_status === 'Outbid'
  if (!mine || !isBidding) return isCard ? known : 'read anew'
  const { code, label } = bidStatuses[event.bid_status]
  return {
    ...known,
    current_price: event.current_price,
    minimum_bid: event.minimum_bid,
    my_latest_bid: {
      ...mine,
      max_price: event.max_price,
      current_bid_price: event.bid_status === 'Active' ? event.current_price : event.max_price,
      bid_status: { id: code, name: event.bid_status, label },
    },
  }
}

/** Newest first. The owner reads who bids: names do not travel live (RULES §3.7). */
function growHistory({ listing_id, bids }: LiveEvents['listing']) {
  queryClient.setQueriesData<InfiniteData<BidPage>>({ queryKey: ['bids', listing_id] }, (known) => {
    const [first, ...earlier] = known?.pages ?? []
    const rows = known?.pages.flatMap(({ data }) => data) ?? []
    const newest = rows[0]?.seq ?? 0
    const more = bids.filter(({ seq }) => seq > newest)
    if (!known || !first || more[0]?.seq !== newest + 1 || rows.some(({ bidder }) => !isMasked(bidder))) return known
    const mine = new Set(rows.filter(({ is_mine }) => is_mine).map(({ bidder }) => bidder))
    const added = more.map((row) => ({ ...row, is_mine: mine.has(row.bidder) })).toReversed()
    return { ...known, pages: [{ ...first, data: [...added, ...first.data] }, ...earlier] }
  })
}

const isMasked = (bidder: string) => /^Bidder \d+$/.test(bidder)
