import type { Db } from '#server/db/db.ts'
import { findListings, type ListingRow } from '#server/features/listings/public.ts'
import { findMatches, type SearchLimits } from '#server/features/search/search.ts'
import type { Cursor, Page } from '#server/features/search/search-cursor.ts'
import type { Search } from '#server/features/search/search-sql.ts'

export type SearchRequest = Page & { search: Search; viewerId: string | null; limits?: SearchLimits }

export type SearchPage = {
  rows: ListingRow[]
  /** Distance of each listing from the search's place; empty without one. */
  miles: ReadonlyMap<string, number>
  /** Where the next page begins; undefined on the last page. */
  next: Cursor | undefined
}

/** A page of Active listings. The search's own connections find the ids, the others read the listings. */
export async function searchListings({ db, searchDb }: { db: Db; searchDb: Db }, request: SearchRequest): Promise<SearchPage> {
  const { search, after, limit, viewerId, limits } = request
  // one more than the page holds tells whether there is a next page, without counting all matches
  const matches = await findMatches(searchDb, search, { after, limit: limit + 1 }, limits)
  const onPage = matches.slice(0, limit)
  const rows = await findListings(
    db,
    onPage.map(({ id }) => id),
    viewerId,
  )
  const last = matches.length > limit ? onPage.at(-1) : undefined
  return {
    rows,
    miles: new Map(onPage.flatMap(({ id, miles }) => (miles === null ? [] : [[id, miles]]))),
    next: last && { key: last.key, id: last.id },
  }
}
