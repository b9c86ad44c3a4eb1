import { sql } from 'kysely'
import { cellsOfRing, ringOf } from '#domain/search/uk-cells.ts'
import type { DbOrTx } from '#server/db/db.ts'
import type { Cursor } from '#server/features/search/search-cursor.ts'
import { all, comesAfter, conditions, orderedBy, type Match, type Search } from '#server/features/search/search-sql.ts'

// The index of places is walked from the nearest listing on, however far out a page begins. A page after the first is looked up by
// the places beyond the last one of the page before, where listings are dense enough to fill it so.

export type Cells = {
  /** Looked up first: what a page takes in a market of a hundred thousand. */
  first: number
  /** And at the most, if the first ones show that so many would do. */
  most: number
  /** Rows read there, whether they match or not. */
  rows: number
}

// Measured with a million listings (benchmarks/search.ts): a cell takes about 2 µs, a row in it 1.
const enough: Cells = { first: 100, most: 2_000, rows: 2_500 }

type Page = { after: Cursor; limit: number }

/** The page, if the cells beyond its beginning fill it; nothing where listings or matches are too far apart for that. */
export async function findInCells(db: DbOrTx, search: Search, page: Page, limits: Cells = enough): Promise<Match[] | undefined> {
  const some = await inCells(db, search, page, limits.first, limits.rows)
  if (some.length === page.limit) return some
  const needed = Math.ceil(((limits.first * page.limit) / some.length) * 1.5)
  if (needed > limits.most) return undefined
  const more = await inCells(db, search, page, needed, limits.rows)
  return more.length === page.limit ? more : undefined
}

async function inCells(db: DbOrTx, search: Search, { after, limit }: Page, cells: number, most: number): Promise<Match[]> {
  if (!search.near) return []
  const order = orderedBy(search)
  const ring = ringOf(Number(after.key), cells)
  const together = cellsOfRing(search.near, ring).map((some) => `{${some.join()}}`)
  // cells are asked one after the other until the page is full; those at the same distance together, because ids go across them
  const { rows } = await sql<Match>`
    select s.listing_id as id, ${order.write(sql`s.key`)} as key, s.key as miles, s.latitude, s.longitude
    from (
      select s.*, ${order.column} as key, ring.nth
      from unnest(${together}::text[]) with ordinality as ring (cells, nth)
      join listing_search s on map_cell(s.latitude, s.longitude) = any(ring.cells::int[])
      where ${all([sql`${order.column} <= ${ring.to}::float8`, ...comesAfter(order, order.column, after)])}
      order by ring.nth
      fetch first ${sql.lit(most)} rows with ties
    ) s
    where ${all(conditions(search, order.table))}
    order by s.nth, s.key, s.listing_id
    limit ${limit}`.execute(db)
  return rows
}
