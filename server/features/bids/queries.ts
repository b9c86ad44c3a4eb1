import { rowsOf, type DbOrTx } from '#server/db/db.ts'
import { bidFacts, type BidFacts } from '#server/live/bid-facts.ts'

export type BidCursor = { seq: number }

type NamedBid = BidFacts & { bidder_id: string; company_name: string; former_id: string | null; former_company: string | null }

/** Newest first. The sequence of a listing has no gaps, so a page begins where the last one ended whatever was added since. */
export const findBids = (db: DbOrTx, listingId: string, { before, limit }: { before: BidCursor | undefined; limit: number }) =>
  rowsOf(db)<NamedBid>(
    `select f.*, u.company_name, former.company_name as former_company
     from (
       ${bidFacts('b.listing_id = $1 and ($2::int is null or b.seq < $2)')}
       order by b.seq desc
       limit $3
     ) as f
     join users u on u.id = f.bidder_id
     left join users former on former.id = f.former_id
     order by f.seq desc`,
    [listingId, before?.seq ?? null, limit],
  )
