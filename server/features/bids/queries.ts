import type { DbOrTx } from '#server/db/db.ts'

export type BidCursor = { seq: number }

/** Newest first. The sequence of a listing has no gaps, so a page begins where the last one ended whatever was added since. */
export const findBids = (db: DbOrTx, listingId: string, { before, limit }: { before: BidCursor | undefined; limit: number }) =>
  db
    .selectFrom('bids')
    .innerJoin('bid_standings', (join) =>
      join.onRef('bid_standings.listing_id', '=', 'bids.listing_id').onRef('bid_standings.bidder_id', '=', 'bids.bidder_id'),
    )
    .innerJoin('users', 'users.id', 'bids.bidder_id')
    .select([
      'bids.id',
      'bids.seq',
      'bids.bidder_id',
      'bid_standings.bidder_number',
      'users.company_name',
      'bids.price_after',
      'bids.accepted_at',
    ])
    .where('bids.listing_id', '=', listingId)
    .$if(before !== undefined, (query) => query.where('bids.seq', '<', before?.seq ?? 0))
    .orderBy('bids.seq', 'desc')
    .limit(limit)
    .execute()
