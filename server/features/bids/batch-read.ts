import type pg from 'pg'
import type { BidStatus } from '#contract/values/bid-status.ts'
import type { Bidder } from '#domain/bids/may-bid.ts'
import { sendTogether } from '#server/db/db.ts'
import type { BidAnswer, BidRequest } from '#server/features/bids/batch.ts'
import { listingColumns, type ListingColumns } from '#server/features/listings/public.ts'

export type LockedListing = ListingColumns & {
  first_expires_at: Date | null
  leading_bid_id: string | null
  seller_account: string | null
  /** How many have bid so far: the next one is 'Bidder' this and one. */
  bidders: number
}

export type Standing = { bidder_number: number; latest_bid_id: string; max_amount: number; status: BidStatus }

export type BatchData = {
  now: Date
  /** The same, as it is written. */
  nowText: string
  listings: Map<string, LockedListing>
  bidders: Map<string, Bidder>
  /** By `pairOf` the listing and the bidder. */
  standings: Map<string, Standing>
  /** `pairOf` the listing and who watches it. */
  watches: Set<string>
  /** `pairOf` the seller and whom the seller blocked. */
  blocks: Set<string>
  /** By `pairOf` the bidder and the key. */
  answers: Map<string, { hash: string; answer: BidAnswer }>
}

export const pairOf = (one: string, other: string) => `${one} ${other}`

/**
 * Locks the listings of a batch, then its bidders, then reads the clock, then everything else. The statements are sent together, and each
 * begins when the one before it has ended: whatever comes after the lock sees what was committed before it was held.
 */
export async function lockAndRead(client: pg.ClientBase, requests: readonly BidRequest[]): Promise<BatchData> {
  const listingIds = distinct(requests.map(({ listingId }) => listingId))
  const bidderIds = distinct(requests.map(({ bidderId }) => bidderId))
  const [, , , clock, listings, bidders, standings, watches, blocks, answers] = await sendTogether(client, () => [
    client.query('begin'),
    // in id order, so that two batches of two processes wait for one another instead of deadlocking
    client.query({
      name: 'lock listings',
      text: 'select from listings where id = any($1::uuid[]) order by id for update',
      values: [listingIds],
    }),
    // the lock of the bids' foreign keys, before anything is judged: a deletion comes before, and is seen, or after, and finds the bids
    client.query({
      name: 'keep bidders',
      text: 'select from users where id = any($1::uuid[]) order by id for key share',
      values: [bidderIds],
    }),
    client.query<{ now: Date }>({ name: 'read clock', text: 'select app_now() as now' }),
    client.query<LockedListing>({
      name: 'read listings',
      text: `select ${listingColumns}, l.first_expires_at, l.leading_bid_id, seller.payment_account_id as seller_account,
                    coalesce((select max(bidder_number) from bid_standings where listing_id = l.id), 0) as bidders
             from listings l
             join users seller on seller.id = l.seller_id
             where l.id = any($1::uuid[])`,
      values: [listingIds],
    }),
    client.query<Bidder>({
      name: 'read bidders',
      text: `select id, deleted_at is not null as "isDeleted", suspended_at is not null as "isSuspended",
                    email_verified_at is not null as "isEmailConfirmed", onboarding_stage is null as "isOnboarded",
                    payment_account_completed as "isPaymentAccountCompleted", payment_account_id as "paymentAccountId",
                    holding_fee_card is not null as "hasHoldingFeeCard",
                    licence_status = 'approved' and (licence_expires_at is null or licence_expires_at > app_now()) as "hasLicence",
                    bidding_blocked_reason as "blockedReason"
             from users
             where id = any($1::uuid[])`,
      values: [bidderIds],
    }),
    client.query<Standing & { listing_id: string; bidder_id: string }>({
      name: 'read standings',
      text: `select s.listing_id, s.bidder_id, s.bidder_number, s.latest_bid_id, s.max_amount, s.status
             from unnest($1::uuid[], $2::uuid[]) as asked (listing_id, bidder_id)
             join bid_standings s using (listing_id, bidder_id)`,
      values: [requests.map(({ listingId }) => listingId), requests.map(({ bidderId }) => bidderId)],
    }),
    client.query<{ listing_id: string; user_id: string }>({
      name: 'read watches',
      text: `select listing_id, user_id
             from unnest($1::uuid[], $2::uuid[]) as asked (listing_id, user_id)
             join watches using (listing_id, user_id)`,
      values: [requests.map(({ listingId }) => listingId), requests.map(({ bidderId }) => bidderId)],
    }),
    client.query<{ seller_id: string; blocked_id: string }>({
      name: 'read blocks',
      text: `select blocker_id as seller_id, blocked_id
             from user_blocks
             where blocked_id = any($2::uuid[]) and blocker_id in (select seller_id from listings where id = any($1::uuid[]))`,
      values: [listingIds, bidderIds],
    }),
    client.query<{ user_id: string; key: string; hash: string; answer: BidAnswer }>({
      name: 'read answers',
      text: `select user_id, key, encode(body_hash, 'hex') as hash, answer
             from unnest($1::uuid[], $2::text[]) as asked (user_id, key)
             join idempotent_answers using (user_id, key)`,
      values: [requests.map(({ bidderId }) => bidderId), requests.map(({ key }) => key)],
    }),
  ])
  const now = clock.rows[0]?.now
  if (!now) throw new Error('the database has a clock')
  return {
    now,
    nowText: now.toISOString(),
    listings: new Map(listings.rows.map((row) => [row.id, row])),
    bidders: new Map(bidders.rows.map((row) => [row.id, row])),
    standings: new Map(standings.rows.map((row) => [pairOf(row.listing_id, row.bidder_id), row])),
    watches: new Set(watches.rows.map(({ listing_id, user_id }) => pairOf(listing_id, user_id))),
    blocks: new Set(blocks.rows.map(({ seller_id, blocked_id }) => pairOf(seller_id, blocked_id))),
    answers: new Map(answers.rows.map(({ user_id, key, hash, answer }) => [pairOf(user_id, key), { hash, answer }])),
  }
}

const distinct = (ids: readonly string[]) => [...new Set(ids)]
