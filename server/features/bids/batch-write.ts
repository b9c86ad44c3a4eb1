import type pg from 'pg'
import { sendTogether } from '#server/db/db.ts'
import type { BidAnswer, BidRequest } from '#server/features/bids/batch.ts'
import type { LockedListing } from '#server/features/bids/batch-read.ts'

export type WrittenBid = {
  request: BidRequest
  id: string
  seq: number
  price: number
  leader: string
  at: string
  end: Date
  bidder_number: number
}

/** A listing that bids have touched, and who led it before them. */
export type TouchedListing = LockedListing & { before: Pick<LockedListing, 'leader_id' | 'leader_max' | 'leading_bid_id'> }

/** The bids of a batch, the standings they lead to and the listings as they are now. */
export async function writeBids(client: pg.ClientBase, written: readonly WrittenBid[], listings: readonly TouchedListing[]): Promise<void> {
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
  const outbid = outbidBy(written, listings)
  await sendTogether(client, () => [
    outbid.length > 0 &&
      client.query({
        name: 'write outbids',
        text: `insert into outbids (listing_id, user_id, seq)
               select listing_id, user_id, seq from jsonb_to_recordset($1::jsonb) as o (listing_id uuid, user_id uuid, seq int)`,
        values: [JSON.stringify(outbid)],
      }),
    client.query({
      name: 'write bids',
      text: `insert into bids (id, listing_id, seq, bidder_id, amount, max_amount, price_after, leader_after, accepted_at, expires_at)
             select id, listing_id, seq, bidder_id, amount, max_amount, price_after, leader_after, accepted_at, expires_at
             from jsonb_to_recordset($1::jsonb)
               as b (id uuid, listing_id uuid, seq int, bidder_id uuid, amount int, max_amount int, price_after int, leader_after uuid,
                     accepted_at timestamptz, expires_at timestamptz)`,
      values: [JSON.stringify(bids)],
    }),
    client.query({
      name: 'write standings',
      // the unique index allows one Active standing at any moment: who leads no more comes before who leads now
      text: `insert into bid_standings as s (listing_id, bidder_id, bidder_number, latest_bid_id, max_amount, status)
             select listing_id, bidder_id, bidder_number, latest_bid_id, max_amount, status
             from jsonb_to_recordset($1::jsonb)
               as n (listing_id uuid, bidder_id uuid, bidder_number int, latest_bid_id uuid, max_amount int, status text)
             order by status = 'Active', listing_id, bidder_number
             on conflict (listing_id, bidder_id) do update
             set latest_bid_id = excluded.latest_bid_id, max_amount = greatest(s.max_amount, excluded.max_amount), status = excluded.status`,
      values: [JSON.stringify(standingsAfter(written, listings))],
    }),
    client.query({
      name: 'write listings',
      text: `update listings l
             set current_price = u.current_price, leader_id = u.leader_id, leader_max = u.leader_max, leading_bid_id = u.leading_bid_id,
                 bid_count = u.bid_count, expires_at = u.expires_at, version = u.version
             from jsonb_to_recordset($1::jsonb)
               as u (id uuid, current_price int, leader_id uuid, leader_max int, leading_bid_id uuid, bid_count int, expires_at timestamptz, version int)
             where l.id = u.id`,
      values: [
        JSON.stringify(
          listings.map(({ id, current_price, leader_id, leader_max, leading_bid_id, bid_count, expires_at, version }) => ({
            id,
            current_price,
            leader_id,
            leader_max,
            leading_bid_id,
            bid_count,
            expires_at,
            version,
          })),
        ),
      ],
    }),
  ])
}

/** Whoever led before or during the batch and does not lead after it: they are told after the commit. */
function outbidBy(written: readonly WrittenBid[], listings: readonly TouchedListing[]) {
  return listings.flatMap(({ id, leader_id, bid_count, before }) => {
    const led = written.flatMap(({ request, leader }) => (request.listingId === id ? [leader] : []))
    const lost = new Set([...(before.leader_id === null ? [] : [before.leader_id]), ...led])
    lost.delete(leader_id ?? '')
    return [...lost].map((user_id) => ({ listing_id: id, user_id, seq: bid_count }))
  })
}

/** One row for everybody who bid, and for whoever led before: one of them leads now, or the one who led still does. */
function standingsAfter(written: readonly WrittenBid[], listings: readonly TouchedListing[]) {
  const leaderOf = new Map(listings.map(({ id, leader_id }) => [id, leader_id]))
  const rows = new Map<
    string,
    { listing_id: string; bidder_id: string; bidder_number: number; latest_bid_id: string; max_amount: number }
  >()
  for (const { id, before } of listings) {
    const { leader_id, leading_bid_id, leader_max } = before
    // it has a standing with a number of its own, which stays
    if (leader_id === null || leading_bid_id === null || leader_max === null) continue
    rows.set(`${id} ${leader_id}`, {
      listing_id: id,
      bidder_id: leader_id,
      bidder_number: 1,
      latest_bid_id: leading_bid_id,
      max_amount: leader_max,
    })
  }
  for (const { request, id, bidder_number } of written) {
    const who = `${request.listingId} ${request.bidderId}`
    const max_amount = Math.max(request.max, rows.get(who)?.max_amount ?? 0)
    rows.set(who, { listing_id: request.listingId, bidder_id: request.bidderId, bidder_number, latest_bid_id: id, max_amount })
  }
  return [...rows.values()].map((row) => ({ ...row, status: leaderOf.get(row.listing_id) === row.bidder_id ? 'Active' : 'Outbid' }))
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
  const { rowCount } = await client.query({
    name: 'write answers',
    text: `insert into idempotent_answers (user_id, key, body_hash, answer)
           select user_id, key, decode(hash, 'hex'), answer
           from jsonb_to_recordset($1::jsonb) as a (user_id uuid, key text, hash text, answer jsonb)
           order by user_id, key
           on conflict do nothing`,
    values: [JSON.stringify(rows)],
  })
  return { hasClash: rowCount !== rows.length }
}
