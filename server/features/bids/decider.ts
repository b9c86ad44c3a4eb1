import type pg from 'pg'
import { gather } from '#server/db/gather.ts'
import type { BidRules } from '#server/features/settings/public.ts'
import { batchSeconds, batchSize, bidsDecided } from '#server/metrics/metrics.ts'
import { decideBatch, type BidRequest, type PlacedBid } from '#server/features/bids/batch.ts'

/**
 * Bids are decided in batches: those that arrive while a commit is in flight wait for it and are then decided together, in
 * order, whichever listings they are for. The busier it is the larger the batches, so the commit's cost is shared.
 */
export type BidDecider = { place(request: BidRequest): Promise<PlacedBid> }

const LARGEST_BATCH = 500

export function bidDecider(pool: pg.Pool, readRules: () => Promise<BidRules>): BidDecider {
  const place = gather<BidRequest, PlacedBid>(async (requests) => {
    const began = performance.now()
    try {
      const placed = await placeAll(requests)
      countBatch(placed, began)
      return placed
    } catch (error) {
      bidsDecided.add({ outcome: 'failed' }, requests.length)
      throw error
    }
  }, LARGEST_BATCH)

  async function placeAll(requests: BidRequest[]): Promise<PlacedBid[]> {
    const client = await pool.connect()
    try {
      const placed = await decideBatch(client, requests, readRules)
      client.release()
      return placed
    } catch (error) {
      // nobody is told yes or no: whoever sends the same key again learns what the database kept
      client.release(true)
      throw error
    }
  }

  return { place }
}

function countBatch(placed: readonly PlacedBid[], began: number): void {
  let accepted = 0
  for (const { answer } of placed) if (answer.outcome === 'accepted') accepted++
  bidsDecided.add({ outcome: 'accepted' }, accepted)
  bidsDecided.add({ outcome: 'refused' }, placed.length - accepted)
  batchSize.observe({}, placed.length)
  batchSeconds.observe({}, (performance.now() - began) / 1_000)
}
