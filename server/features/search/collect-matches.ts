import { sql } from 'kysely'
import {
  afterCursor,
  all,
  direction,
  distanceMiles,
  endIndexConditions,
  filterConditions,
  priceConditions,
  sortOrder,
  squareIndexConditions,
  wordIndexConditions,
  type Match,
  type SearchQuery,
  type Sql,
} from '#server/features/search/search-sql.ts'

// Strategies for rare matches: find every match by an index other than that of the sort order, then sort them and cut the page out.
// A row collected takes about 4 µs. The time grows with the number of candidates in the index, not with the length of the order.

/**
 * Strategy: collect by price. Chosen when at most 6,000 listings (24 ms) lie in the price range; at most 600 if the words of each
 * must be looked up, because one lookup takes as long as collecting ten.
 */
export const collectByPrice = async (query: SearchQuery): Promise<Match[]> =>
  (await collect(query, { table: 'listing_prices', index: priceConditions(query.search), maxRows: null })).matches

/** Strategy: collect by end. Chosen when at most 6,000 listings, of the material if one is given, end within the time asked for. */
export const collectByEnd = async (query: SearchQuery): Promise<Match[]> =>
  (await collect(query, { table: 'listing_search', index: endIndexConditions(query.search), maxRows: null })).matches

/**
 * Strategy: collect by squares. Chosen after a walk that did not fill the page, when the squares that cover the radius or the map's
 * box hold at most 6,000 listings: to intersect these with the index of words would read that index for nothing.
 */
export const collectBySquares = (query: SearchQuery, maxRows: number): Promise<Match[] | undefined> =>
  collectAtMost(query, squareIndexConditions(query.search), maxRows)

/**
 * Strategy: collect by words, by material and by squares, as far as the search has them; PostgreSQL intersects their indexes. Chosen
 * after a walk that did not fill the page, when no range or area alone is narrow. With one index per column and the choice left to the
 * planner, a rare word took 540 ms with a million listings; now it takes the 20 ms of the walk and 4 µs a match.
 */
export const collectByWordsAndSquares = (query: SearchQuery, maxRows: number): Promise<Match[] | undefined> =>
  collectAtMost(query, [...wordIndexConditions(query.search), ...squareIndexConditions(query.search)], maxRows)

/** Undefined if no index can be used, or if there are more matches than `maxRows`. */
async function collectAtMost(query: SearchQuery, index: readonly Sql[], maxRows: number): Promise<Match[] | undefined> {
  if (index.length === 0) return undefined
  const { collected, matches } = await collect(query, { table: 'listing_search', index, maxRows })
  return collected > maxRows ? undefined : matches
}

type CollectSource = {
  table: 'listing_search' | 'listing_prices'
  /** The conditions that choose the index. */
  index: readonly Sql[]
  maxRows: number | null
}

async function collect(
  { db, search, page }: SearchQuery,
  { table, index, maxRows }: CollectSource,
): Promise<{ collected: number; matches: Match[] }> {
  const order = sortOrder(search)
  // materialized, so that the planner does not see the limit: it would walk along another index to find so few
  const { rows } = await sql<Match & { collected: number }>`
    with found as materialized (
      select s.listing_id, ${order.column} as key, ${distanceMiles(search)} as miles, s.latitude, s.longitude
      from ${sql.table(table)} s
      where ${all([...index, ...filterConditions(search, table)])}
    ), taken as materialized (
      select * from found limit ${maxRows === null ? null : maxRows + 1}
    ), page as (
      select *
      from taken
      where ${all(afterCursor(order, sql`key`, page.after))}
      order by key ${direction(order)}, listing_id ${direction(order)}
      limit ${page.limit}
    )
    select counted.collected, page.listing_id as id, ${order.write(sql`page.key`)} as key, page.miles, page.latitude, page.longitude
    from (select count(*)::int as collected from taken) counted
    left join page on true
    order by page.key ${direction(order)}, page.listing_id ${direction(order)}`.execute(db)
  // without a match on the page the only row holds the count
  return { collected: rows[0]?.collected ?? 0, matches: rows.filter(({ id }) => id !== null) }
}
