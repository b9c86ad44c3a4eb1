import type pg from 'pg'
import { decideBatch, type BidAnswer, type BidRequest, type BidRules } from '#server/features/bids/batch.ts'

/**
 * Bids are decided in batches: those that arrive while a commit is in flight wait for it and are then decided together, in
 * order, whichever listings they are for. The busier it is the larger the batches, so the commit's cost is shared.
 */
export type BidDecider = { place(request: BidRequest): Promise<BidAnswer> }

type Waiting = { request: BidRequest; resolve: (answer: BidAnswer) => void; reject: (error: unknown) => void }

const LARGEST_BATCH = 500

export function bidDecider(pool: pg.Pool, readRules: () => Promise<BidRules>): BidDecider {
  const queue: Waiting[] = []
  let isDeciding = false

  async function decideAll() {
    isDeciding = true
    while (queue.length > 0) await decideNext(queue.splice(0, LARGEST_BATCH))
    isDeciding = false
  }

  async function decideNext(batch: Waiting[]) {
    try {
      const answers = await inClient((client, rules) =>
        decideBatch(
          client,
          batch.map(({ request }) => request),
          rules,
        ),
      )
      batch.forEach(({ resolve }, nth) => resolve(answers[nth] as BidAnswer))
    } catch (error) {
      // nobody is told yes or no: whoever sends the same key again learns what the database kept
      for (const { reject } of batch) reject(error)
    }
  }

  async function inClient<T>(work: (client: pg.PoolClient, rules: BidRules) => Promise<T>): Promise<T> {
    const rules = await readRules()
    const client = await pool.connect()
    try {
      const result = await work(client, rules)
      client.release()
      return result
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  return {
    place: (request) =>
      new Promise((resolve, reject) => {
        queue.push({ request, resolve, reject })
        if (!isDeciding) void decideAll()
      }),
  }
}
