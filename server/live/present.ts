import type { LiveEvents } from '#contract/live.ts'
import { minimumBid, stepAt, type BidStep } from '#domain/bids/bidding.ts'
import { gbp } from '#domain/format.ts'
import type { PriceBasis } from '#domain/money.ts'
import { presentBid } from '#server/live/bid-facts.ts'
import type { LiveFacts } from '#server/live/outbox.ts'

/** A row of live_events. `id` is a bigint, which counts far below what a number holds exactly. */
export type LiveRow = {
  [K in keyof LiveFacts]: {
    id: string
    listing_id: K extends 'notifications' ? null : string
    user_id: string | null
    kind: K
    payload: LiveFacts[K]
    at: Date
  }
}[keyof LiveFacts]

export type BidSteps = Record<PriceBasis, readonly BidStep[]>

/** What is written to a stream. Made once for all who get it. */
export function frameOf(row: LiveRow, steps: BidSteps): Buffer {
  return frame(Number(row.id), row.kind, dataOf(row, steps))
}

export const frame = <K extends keyof LiveEvents>(id: number, kind: K, data: LiveEvents[K]): Buffer =>
  Buffer.from(`id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`)

function dataOf(row: LiveRow, steps: BidSteps): LiveEvents[keyof LiveFacts] {
  const server_time = row.at.toISOString()
  if (row.kind === 'notifications') return { unread: row.payload.unread, since: timeOf(row.payload.since), server_time }
  if (row.kind === 'enquiry' || row.kind === 'conversation') return { enquiry_id: row.listing_id, ...row.payload, server_time }
  const { listing_id, kind, payload } = row
  switch (kind) {
    case 'listing':
      return {
        listing_id,
        version: payload.version,
        status: payload.status,
        ...pricesOf(payload, steps),
        bid_step: gbp(stepAt(payload.current_price ?? payload.start_price, steps[payload.price_basis])),
        bid_count: payload.bid_count,
        reservation_met: payload.reservation_met,
        starts_at: timeOf(payload.starts_at),
        expires_at: timeOf(payload.expires_at),
        // rows of a version that kept no amounts show no bids: their readers see that some are missing, and read them
        bids: (payload.bids ?? []).filter((bid) => 'amount' in bid).flatMap((bid) => presentBid(bid).map(({ row }) => row)),
        server_time,
      }
    case 'standing':
      return {
        listing_id,
        version: payload.version,
        title: payload.title,
        price_basis: payload.price_basis,
        bid_status: payload.bid_status,
        ...pricesOf(payload, steps),
        max_price: gbp(payload.max_price),
        server_time,
      }
    case 'sale':
    case 'gone':
    case 'chat':
      return { listing_id, ...payload, server_time }
  }
}

type Priced = { start_price: number; current_price: number | null; price_basis: PriceBasis }

function pricesOf({ start_price, current_price, price_basis }: Priced, steps: BidSteps) {
  const standing = current_price === null ? null : { price: current_price, leader: '', leaderMax: current_price }
  return {
    current_price: gbp(current_price ?? start_price),
    minimum_bid: gbp(minimumBid({ startPrice: start_price, standing, steps: steps[price_basis] })),
  }
}

const timeOf = (text: string | null) => text && new Date(text).toISOString()
