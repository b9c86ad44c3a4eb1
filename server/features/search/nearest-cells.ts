import { sql } from 'kysely'
import { cellsOfRing, ringOf } from '#domain/search/uk-cells.ts'
import type { Cursor } from '#server/features/search/search-cursor.ts'
import { afterCursor, all, filterConditions, sortOrder, type Match, type SearchQuery } from '#server/features/search/search-sql.ts'

export type CellLimits = {
  /** Cells looked up first: what a page takes in a market of 100,000. */
  firstCells: number
  /** Cells looked up at the second try, if the first one shows that so many would fill the page. */
  maxCells: number
  /** Rows read in the cells, whether they match or not. */
  maxRows: number
}

// Measured with a million listings (benchmarks/search.ts): a cell takes about 2 µs, a row in it 1 µs.
const defaultCellLimits: CellLimits = { firstCells: 100, maxCells: 2_000, maxRows: 2_500 }

/**
 * Strategy: look up grid cells, for a later page of the nearest. Computes which cells of the grid lie just beyond the last listing of
 * the previous page and looks up the listings in them, nearest cell first.
 *
 * Chosen for `nearest` with a cursor, because the spatial index can only be walked from the nearest listing on, which takes longer
 * with every page. Measured with a million listings: page 1 takes 3.6 ms, page 50 3.9 ms.
 *
 * Undefined if the cells do not fill the page, because listings or matches are too far apart.
 */
export async function findInCells(query: SearchQuery, limits: CellLimits = defaultCellLimits): Promise<Match[] | undefined> {
  const { search, page } = query
  const { after, limit } = page
  if (search.sort !== 'nearest' || !after) return undefined
  const first = await matchesInCells(query, after, { cells: limits.firstCells, maxRows: limits.maxRows })
  if (first.length === limit) return first
  const cells = Math.ceil(((limits.firstCells * limit) / first.length) * UNEVEN_DENSITY)
  if (cells > limits.maxCells) return undefined
  const second = await matchesInCells(query, after, { cells, maxRows: limits.maxRows })
  return second.length === limit ? second : undefined
}

const UNEVEN_DENSITY = 1.5

async function matchesInCells(
  { db, search, page }: SearchQuery,
  after: Cursor,
  { cells, maxRows }: { cells: number; maxRows: number },
): Promise<Match[]> {
  if (!search.near) return []
  const order = sortOrder(search)
  const ring = ringOf(Number(after.key), cells)
  const groups = cellsOfRing(search.near, ring).map((group) => `{${group.join()}}`)
  // groups are looked up one by one until there are enough rows; the cells of a group are at one distance and sorted by id together
  const { rows } = await sql<Match>`
    select s.listing_id as id, ${order.write(sql`s.key`)} as key, s.key as miles, s.latitude, s.longitude
    from (
      select s.*, ${order.column} as key, ring.nth
      from unnest(${groups}::text[]) with ordinality as ring (cells, nth)
      join listing_search s on map_cell(s.latitude, s.longitude) = any(ring.cells::int[])
      where ${all([sql`${order.column} <= ${ring.to}::float8`, ...afterCursor(order, order.column, after)])}
      order by ring.nth
      fetch first ${sql.lit(maxRows)} rows with ties
    ) s
    where ${all(filterConditions(search, order.table))}
    order by s.nth, s.key, s.listing_id
    limit ${page.limit}`.execute(db)
  return rows
}
