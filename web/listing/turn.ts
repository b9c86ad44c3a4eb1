import type { Listing } from '#contract/listings.ts'
import { formatDeadline } from '#domain/format-time.ts'
import { viewerOf } from '#domain/listings/listing-label.ts'
import { turnOf } from '#domain/sales/turn.ts'

export type Party = 'seller' | 'buyer'

/** Which side of the sale the viewer is on; nobody's, for those who only look on. */
export function partyOf(listing: Listing): Party | null {
  const viewer = viewerIn(listing)
  if (viewer === 'owner') return 'seller'
  return viewer === 'buyer' ? 'buyer' : null
}

export type TurnWords = { isMine: boolean; words: string }

/** 'Your turn until Tue 16:00' or 'Waiting for Smith Metals'; nothing where nobody is waited for. */
export function turnWords(listing: Listing): TurnWords | null {
  const { status, can_offer_at_reservation_price, counterparty, deadline, payment, server_time } = listing
  const is_payment_processing = payment?.status === 'processing'
  const turn = turnOf({
    status: status.name,
    viewer: viewerIn(listing),
    can_offer_at_reservation_price,
    is_payment_processing,
    counterparty: counterparty?.company_name ?? null,
  })
  if (!turn) return null
  // the deadline was the buyer's, who has paid: it waits for the outcome
  const limit = deadline && !is_payment_processing ? ` until ${formatDeadline(new Date(deadline.at), new Date(server_time))}` : ''
  return turn.isViewers ? { isMine: true, words: `Your turn${limit}` } : { isMine: false, words: `Waiting for ${turn.name}${limit}` }
}

const viewerIn = ({ is_owner, my_latest_bid }: Listing) => viewerOf({ is_owner, my_bid_status: my_latest_bid?.bid_status.name ?? null })
