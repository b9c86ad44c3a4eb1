import { sql } from 'kysely'
import {
  afterCursor,
  all,
  circleConditions,
  endIndexConditions,
  now,
  orderIndexConditions,
  priceConditions,
  sortOrder,
  squareIndexConditions,
  type SearchQuery,
  type Sql,
} from '#server/features/search/search-sql.ts'

/** How many listings each index would have to read for a search, counted up to a limit. Without such a filter: more than the limit. */
export type CandidateCounts = {
  /** The walk has read all listings that come after the cursor. */
  isAtEnd: boolean
  /** In the price range. */
  prices: number
  /** In the range of ends. */
  endings: number
  /** In the squares that cover the area. */
  squares: number
  /** Of the material; 0 without one. */
  materials: number
}

type CountRequest = {
  /** Rows that the walk was allowed to read; 0 before a walk, when only the ranges of prices and ends are counted. */
  walkedRows: number
  /** Counting stops after one more than this. */
  maxCount: number
  /** Counts of the ranges, if they were counted before. */
  ranges?: CandidateCounts | undefined
}

/** Counts the candidates of every index that a search could be collected by. Reads index entries only, no rows. */
export async function countCandidates(
  { db, search, page: { after } }: SearchQuery,
  { walkedRows, maxCount, ranges }: CountRequest,
): Promise<CandidateCounts> {
  const order = sortOrder(search)
  const ahead =
    search.sort === 'nearest'
      ? sql`select from listing_search s where ${all(circleConditions(search))} limit ${walkedRows}`
      : sql`select from ${sql.table(order.table)} where ${all([...afterCursor(order, order.column, after), ...orderIndexConditions(search)])} limit ${walkedRows}`
  const count = (table: string, column: string | null, conditions: readonly Sql[]) =>
    conditions.length > 0
      ? sql`(select count(*)::int from (select from ${sql.table(table)} where ${all(conditions)} ${column === null ? sql`` : sql`order by ${sql.ref(column)}`} limit ${maxCount + 1}) t)`
      : sql`${maxCount + 1}::int`
  const ends = endIndexConditions(search)
  const material = search.material_id ? [sql`material_id = ${search.material_id}`] : []
  const { rows } = await sql<CandidateCounts>`
    select (select count(*) from (${ahead}) t) < ${walkedRows} as "isAtEnd",
           ${ranges ? sql`${ranges.prices}::int` : count('listing_prices', 'price', priceConditions(search))} as prices,
           ${ranges ? sql`${ranges.endings}::int` : count('listing_search', 'expires_at', ends.length > 0 ? [sql`expires_at > ${now}`, ...ends] : [])} as endings,
           ${count('listing_search', null, walkedRows > 0 ? squareIndexConditions(search) : [])} as squares,
           ${material.length > 0 && walkedRows > 0 ? count('listing_search', 'expires_at', material) : sql`0`} as materials`.execute(db)
  return rows[0] ?? { isAtEnd: true, prices: 0, endings: 0, squares: 0, materials: 0 }
}
