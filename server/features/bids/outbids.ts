import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { setTimeout as pause } from 'node:timers/promises'
import { minimumBid } from '#domain/bids/bidding.ts'
import type { PriceBasis } from '#domain/money.ts'
import type { Db } from '#server/db/db.ts'
import { logFault } from '#server/db/outage.ts'
import { notifyEach } from '#server/features/notifications/public.ts'
import type { BidRules } from '#server/features/settings/public.ts'

// Who was outbid is told after the bid's commit, not in its transaction: a bid waits for nobody's notification.

const AT_ONCE = 500

type Outbid = {
  listing_id: string
  user_id: string
  seq: number
  title: string
  price_basis: PriceBasis
  start_price: number
  current_price: number
  expires_at: Date
}

/** Answers whether there may be more. Whoever leads again, or whose listing has ended, is not told. */
export const tellOutbid = (db: Db, steps: BidRules['steps']): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<Outbid & { taken: number; stands: boolean }>`
      with taken as (
        delete from outbids
        where id = any(array(select id from outbids order by id limit ${AT_ONCE} for update skip locked))
        returning listing_id, user_id, seq
      ), newest as (
        select listing_id, user_id, max(seq) as seq from taken group by listing_id, user_id
      )
      select n.listing_id, n.user_id, n.seq, l.title, l.price_basis, l.start_price, l.current_price, l.expires_at,
             (select count(*)::int from taken) as taken,
             s.status = 'Outbid' and l.status = 'Active' and l.expires_at > app_now() as stands
      from newest n
      join listings l on l.id = n.listing_id
      join bid_standings s on s.listing_id = n.listing_id and s.bidder_id = n.user_id`.execute(tx)
    await notifyEach(
      tx,
      'outbid',
      rows
        .filter(({ stands }) => stands)
        .map(({ listing_id, user_id, seq, title, price_basis, start_price, current_price, expires_at }) => ({
          to: user_id,
          source: `outbid:${listing_id}:${seq}`,
          facts: {
            title,
            price: current_price,
            price_basis,
            minimum_bid: minimumBid({
              startPrice: start_price,
              standing: { price: current_price, leader: '', leaderMax: current_price },
              steps: steps[price_basis],
            }),
            ends_at: expires_at.toISOString(),
          },
          listingId: listing_id,
        })),
    )
    return (rows[0]?.taken ?? 0) === AT_ONCE
  })

export type OutbidTeller = { wake(): void; stop(): Promise<void> }

// a burst of bids on one listing is one look: whoever was outbid five times is told once
const PAUSE_MS = 200

/** Looks after each accepted bid of this process, one look at a time. What it misses, the reminders' clock finds. */
export function outbidTeller(
  db: Db,
  { readSteps, log }: { readSteps: () => Promise<BidRules['steps']>; log: () => FastifyBaseLogger },
): OutbidTeller {
  let isNews = false
  let isStopped = false
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    while (isNews && !isStopped) {
      isNews = false
      try {
        const steps = await readSteps()
        while (await tellOutbid(db, steps)) continue
      } catch (error) {
        logFault(log(), { err: error, event: 'outbid_fault' }, 'not everybody was told of being outbid, trying again')
      }
      await pause(PAUSE_MS)
    }
    looking = undefined
  }

  return {
    wake() {
      isNews = true
      looking ??= look()
    },
    async stop() {
      isStopped = true
      await looking
    },
  }
}
