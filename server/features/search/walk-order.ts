import { sql } from 'kysely'
import {
  afterCursor,
  all,
  circleConditions,
  direction,
  distanceMiles,
  filterConditions,
  orderIndexConditions,
  sortOrder,
  type Match,
  type Search,
  type SearchQuery,
  type Sql,
} from '#server/features/search/search-sql.ts'

/**
 * Strategy: walk along the sort order. Reads the index of the sort order from the cursor on and keeps the rows that match, in order.
 *
 * Chosen for every search that has neither a narrow range to collect nor cells to look up. It reads at most `maxRows` rows; with null
 * it reads to the end, which is the last resort. A row takes about 2 µs, so frequent matches fill a page in 1-3 ms however large
 * the market is: a full walk of 10,000 rows takes 20 ms.
 */
export async function walkOrder(query: SearchQuery, maxRows: number | null): Promise<Match[]> {
  const { db, search, page } = query
  const order = sortOrder(search)
  const way = direction(order)
  const matching = sql`select s.* from (${rowsInOrder(query, maxRows)}) s where ${all(filterConditions(search, order.table))}`
  // a yard has many listings at the same distance: all of them are read before they are sorted by id
  const found =
    search.sort === 'nearest'
      ? sql`select * from (${matching} and ${all(afterCursor(order, sql`key`, page.after))} order by key fetch first ${sql.lit(page.limit)} rows with ties) s`
      : matching
  const { rows } = await sql<Match>`
    select s.listing_id as id, ${order.write(sql`s.key`)} as key, ${distanceMiles(search)} as miles, s.latitude, s.longitude
    from (${found}) s
    order by s.key ${way}, s.listing_id ${way}
    limit ${page.limit}`.execute(db)
  return rows
}

/**
 * Strategy: walk on, after a walk that did not fill its page. Reads half as many rows again as would fill the page if the matches
 * ahead were as dense as those so far. Continues at the last match; a walk of the nearest can only begin again.
 *
 * Chosen when the page is nearly full, or when matches are dense within a frequent material: collecting would read more rows.
 */
export async function extendWalk(query: SearchQuery, walked: readonly Match[], rowsToFill: number): Promise<Match[]> {
  const maxRows = Math.ceil(rowsToFill * UNEVEN_DENSITY)
  const last = walked.at(-1)
  if (query.search.sort === 'nearest' || !last) return walkOrder(query, maxRows)
  const rest = await walkOrder({ ...query, page: { after: last, limit: query.page.limit - walked.length } }, maxRows)
  return [...walked, ...rest]
}

const UNEVEN_DENSITY = 1.5

/** How many rows a walk reads at most before matches count as rare: fewer where a row takes longer or collecting is quick. */
export function walkLength(search: Search, maxRows: number): number {
  if (search.text === undefined) return maxRows
  // a row of listing_prices, whose words must be looked up, takes three times as long
  if (sortOrder(search).table === 'listing_prices') return Math.ceil(maxRows / 3)
  // listings of one material that have a word are few to collect
  return search.material_id ? Math.ceil(maxRows / 4) : maxRows
}

function rowsInOrder({ search, page: { after } }: SearchQuery, maxRows: number | null): Sql {
  const order = sortOrder(search)
  const { table, column } = order
  const way = direction(order)
  if (search.sort === 'nearest') {
    const notNearer = after ? [sql`${column} >= ${order.read(after.key)}`] : []
    return sql`
      select s.*, ${column} as key
      from listing_search s
      where ${all([...circleConditions(search), ...notNearer])}
      order by ${column}
      ${maxRows === null ? sql`` : sql`fetch first ${sql.lit(maxRows)} rows with ties`}`
  }
  const range = all([...afterCursor(order, column, after), ...orderIndexConditions(search)])
  const limit = sql`order by ${column} ${way}, listing_id ${way} limit ${maxRows}`
  return sql`select s.*, ${column} as key from ${sql.table(table)} s where ${range} ${limit}`
}
