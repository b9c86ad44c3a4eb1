import type { LiveEvents } from '#contract/live.ts'
import { formatPrice } from '#domain/format.ts'
import { dismiss, notify, type Notice } from '#web/api/notices.ts'
import { isLeader } from '#web/live/leader.ts'
import { follow, hearLive } from '#web/live/live.ts'

// News of one's own bids, on whatever page one is. On the listing's own page its banner says the same.

type Standing = LiveEvents['standing']
type News = { type: Notice['type']; body: string; label: string }

const news: Partial<Record<Standing['bid_status'], (standing: Standing) => News>> = {
  Outbid: ({ minimum_bid, price_basis }) => ({
    type: 'danger',
    body: `You were outbid. The next bid is ${formatPrice(minimum_bid.value, price_basis)} or more.`,
    label: 'Bid again',
  }),
  Won: ({ current_price, price_basis }) => ({
    type: 'success',
    body: `You won at ${formatPrice(current_price.value, price_basis)}.`,
    label: 'See what is next',
  }),
  OfferedToYou: () => ({ type: 'success', body: 'It is offered to you at your bid.', label: 'See the offer' }),
  OfferedToYouAtReservationPrice: () => ({ type: 'success', body: 'It is offered to you at your bid.', label: 'See the offer' }),
}

/** By listing: newer news of one replaces the older. */
const shown = new Map<string, number>()

type Options = { userId: string; isOnScreen: (listingId: string) => boolean; onOpen: (listingId: string) => void }

export function followOwnNews({ userId, isOnScreen, onOpen }: Options): () => void {
  const unfollow = follow([`me:${userId}`])
  const stopHearing = hearLive((event) => {
    if (event.kind !== 'standing') return
    const { listing_id, title, bid_status, version } = event.data
    // whatever it said before is no longer so
    const before = shown.get(listing_id)
    if (before !== undefined) dismiss(before)
    const told = news[bid_status]?.(event.data)
    if (!told) return
    whenItIsOurs(`notice ${listing_id} ${version}`, () => {
      if (document.visibilityState === 'visible' && isOnScreen(listing_id)) return
      const { type, body, label } = told
      shown.set(listing_id, notify({ type, title, body, action: { label, handler: () => onOpen(listing_id) } }))
    })
  })
  return () => {
    unfollow()
    stopHearing()
  }
}

const HELD_FOR_MS = 5_000
const VISIBLE_FIRST_MS = 300

/** One tab tells it: the visible one; where none is, the one that leads, for when somebody looks again. */
function whenItIsOurs(name: string, tell: () => void) {
  const isVisible = document.visibilityState === 'visible'
  if (!isVisible && !isLeader()) return
  if (!('locks' in navigator)) return tell()
  const take = () =>
    void navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (!lock) return
      tell()
      await new Promise((resolve) => setTimeout(resolve, HELD_FOR_MS))
    })
  setTimeout(take, isVisible ? 0 : VISIBLE_FIRST_MS)
}
