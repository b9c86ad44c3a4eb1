import type { Db } from '#server/db/db.ts'
import { findListings, type ListingRow } from '#server/features/listings/public.ts'
import { findMatches, type Patience } from '#server/features/search/search.ts'
import type { Cursor } from '#server/features/search/search-cursor.ts'
import type { Search } from '#server/features/search/search-sql.ts'

export type SearchPage = {
  rows: ListingRow[]
  /** By listing, from where the search measures. */
  miles: ReadonlyMap<string, number>
  /** Where the next page begins; nothing at the end. */
  next: Cursor | undefined
}

type Asked = { search: Search; after: Cursor | undefined; limit: number; viewerId: string | null; patience?: Patience }

/** A page of Active listings: which ones by the search's own connections, then what they are like. */
export async function searchListings({ db, searchDb }: { db: Db; searchDb: Db }, asked: Asked): Promise<SearchPage> {
  const { search, after, limit, viewerId, patience } = asked
  // one more than the page holds: whether there is a next one, without counting them all
  const matches = await findMatches(searchDb, search, { after, limit: limit + 1 }, patience)
  const shown = matches.slice(0, limit)
  const rows = await findListings(
    db,
    shown.map(({ id }) => id),
    viewerId,
  )
  const last = matches.length > limit ? shown.at(-1) : undefined
  return {
    rows,
    miles: new Map(shown.flatMap(({ id, miles }) => (miles === null ? [] : [[id, miles]]))),
    next: last && { key: last.key, id: last.id },
  }
}
