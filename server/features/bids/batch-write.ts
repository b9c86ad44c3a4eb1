import type pg from 'pg'
import type { BidAnswer, BidRequest, ListingRow } from '#server/features/bids/batch.ts'

export type WrittenBid = { request: BidRequest; id: string; seq: number; price: number; leader: string; at: Date; end: Date }

/** The bids of a batch, the standings they lead to and the listings as they are now. */
export async function writeBids(client: pg.ClientBase, written: readonly WrittenBid[], listings: readonly ListingRow[]): Promise<void> {
  const bids = written.map(({ request, id, seq, price, leader, at, end }) => ({
    id,
    listing_id: request.listingId,
    seq,
    bidder_id: request.bidderId,
    amount: request.amount,
    max_amount: request.max,
    price_after: price,
    leader_after: leader,
    accepted_at: at,
    expires_at: end,
  }))
  await client.query(
    `insert into bids (id, listing_id, seq, bidder_id, amount, max_amount, price_after, leader_after, accepted_at, expires_at)
     select id, listing_id, seq, bidder_id, amount, max_amount, price_after, leader_after, accepted_at, expires_at
     from jsonb_to_recordset($1::jsonb)
       as b (id uuid, listing_id uuid, seq int, bidder_id uuid, amount int, max_amount int, price_after int, leader_after uuid,
             accepted_at timestamptz, expires_at timestamptz)`,
    [JSON.stringify(bids)],
  )
  await writeStandings(client, written, listings)
  await client.query(
    `update listings l
     set current_price = u.current_price, leader_id = u.leader_id, leader_max = u.leader_max, bid_count = u.bid_count, expires_at = u.expires_at,
         leading_bid_id = (select latest_bid_id from bid_standings s where s.listing_id = l.id and s.bidder_id = u.leader_id)
     from jsonb_to_recordset($1::jsonb) as u (id uuid, current_price int, leader_id uuid, leader_max int, bid_count int, expires_at timestamptz)
     where l.id = u.id`,
    [JSON.stringify(listings)],
  )
}

/** First everybody is outbid, then the leader leads: the unique index allows one Active standing at any moment. */
async function writeStandings(client: pg.ClientBase, written: readonly WrittenBid[], listings: readonly ListingRow[]): Promise<void> {
  const leaders = [listings.map(({ id }) => id), listings.map(({ leader_id }) => leader_id)]
  await client.query(
    `with latest as (
       select listing_id, bidder_id, max(max_amount) as max_amount, min(seq) as first_seq, (array_agg(id order by seq desc))[1] as id
       from bids
       where id = any($1::uuid[])
       group by listing_id, bidder_id
     ), numbered as (
       select latest.*,
              (select count(*) from bid_standings s where s.listing_id = latest.listing_id)
                + row_number() over (partition by latest.listing_id, known.bidder_id is null order by first_seq) as next_number
       from latest
       left join bid_standings known using (listing_id, bidder_id)
     )
     insert into bid_standings as s (listing_id, bidder_id, bidder_number, latest_bid_id, max_amount, status)
     select listing_id, bidder_id, next_number, id, max_amount, 'Outbid'
     from numbered
     on conflict (listing_id, bidder_id) do update
     set latest_bid_id = excluded.latest_bid_id, max_amount = greatest(s.max_amount, excluded.max_amount)`,
    [written.map(({ id }) => id)],
  )
  await client.query(
    `update bid_standings s
     set status = 'Outbid'
     from unnest($1::uuid[], $2::uuid[]) as l (listing_id, leader_id)
     where s.listing_id = l.listing_id and s.status = 'Active' and s.bidder_id <> l.leader_id`,
    leaders,
  )
  await client.query(
    `update bid_standings s
     set status = 'Active'
     from unnest($1::uuid[], $2::uuid[]) as l (listing_id, leader_id)
     where s.listing_id = l.listing_id and s.bidder_id = l.leader_id and s.status <> 'Active'`,
    leaders,
  )
}

/**
 * In the bids' own transaction: whoever asks again with the same key hears the same, and only what was committed.
 * Answers whether another process has used one of the new keys meanwhile, for a listing that we did not lock.
 */
export async function writeAnswers(
  client: pg.ClientBase,
  answered: readonly { request: BidRequest; hash: string; answer: BidAnswer }[],
): Promise<{ hasClash: boolean }> {
  const rows = answered.map(({ request, hash, answer }) => ({ user_id: request.bidderId, key: request.key, hash, answer }))
  const { rows: counted } = await client.query<{ clashes: number }>(
    `with fresh as (
       select distinct on (user_id, key) user_id, key, hash, answer
       from jsonb_to_recordset($1::jsonb) as a (user_id uuid, key text, hash text, answer jsonb)
       where exists (select from users where id = user_id)
       order by user_id, key
     ), stored as (
       insert into idempotent_answers (user_id, key, body_hash, answer)
       select user_id, key, decode(hash, 'hex'), answer
       from fresh
       order by user_id, key
       on conflict do nothing
       returning 1
     )
     select ((select count(*) from fresh) - (select count(*) from stored))::int as clashes`,
    [JSON.stringify(rows)],
  )
  return { hasClash: counted[0]?.clashes !== 0 }
}
