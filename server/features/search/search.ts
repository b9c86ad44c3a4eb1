import { sql } from 'kysely'
import { mapSpot, MIDDLE, type Area } from '#domain/search/uk-map.ts'
import type { DbOrTx } from '#server/db/db.ts'
import { findInCells, type Cells } from '#server/features/search/search-cells.ts'
import type { Cursor } from '#server/features/search/search-cursor.ts'
import {
  all,
  comesAfter,
  conditions,
  direction,
  endingIndex,
  endingRange,
  inCircle,
  milesFrom,
  now,
  orderedBy,
  priceRange,
  squaresIndex,
  wordsIndex,
  type Match,
  type Search,
  type Sql,
} from '#server/features/search/search-sql.ts'

// Finds Active listings in one of the orders, whatever is asked of them together. Walking along the order's index is quick when
// matches are frequent, collecting the matches by another index is quick when they are rare, and neither is when it is the
// other way round. So we walk a bounded way first; only if that did not fill the page are matches rare enough to be collected.

type Page = { after: Cursor | undefined; limit: number }

export type Patience = {
  /** Rows walked along the order before matches count as rare. */
  walk: number
  /** Rows that a range of prices or ends may hold to be collected. */
  range: number
  /** Rows collected by words and squares before we go back to walking, to the end if need be. */
  collect: number
  /** Places looked up for a later page of the nearest. */
  cells?: Cells
}

// Measured with a million listings (benchmarks/search.ts): a row walked takes about 2 µs, a row collected 4. Matches that are too rare
// for a walk of 10,000 are at most 2,500 in a million, so the collecting, which grows with the market, is the lesser part of both.
const patience: Patience = { walk: 10_000, range: 6_000, collect: 60_000 }

export async function findMatches(db: DbOrTx, search: Search, page: Page, limits: Patience = patience): Promise<Match[]> {
  // a narrow range is collected before anything else: counting it takes no time
  const ranges = hasRangeOffOrder(search) ? await lookAhead(db, search, page, { walked: 0, range: limits.range }) : undefined
  const narrow = ranges && rangeWay(search, ranges, limits.range)
  if (narrow) return (await collect(db, search, page, narrow)) ?? []
  const beyond = search.sort === 'nearest' && page.after && (await findInCells(db, search, { ...page, after: page.after }, limits.cells))
  if (beyond) return beyond
  const longest = longestWalk(search, limits)
  const near = await walk(db, search, page, longest)
  if (near.length === page.limit) return near
  // as densely as matches lay so far: a page that is nearly full is sooner full than all that would have to be collected is read
  const further = (longest * page.limit) / near.length
  const goOn = () => walkOn(db, search, page, near, Math.ceil(further * SLACK))
  const isNearlyFull = search.sort !== 'nearest' && further <= longest * NEARLY
  const nearly = isNearlyFull ? await goOn() : []
  if (nearly.length === page.limit) return nearly
  const ahead = await lookAhead(db, search, page, { walked: longest, range: limits.range, ranges })
  if (ahead.isAtEnd) return near
  const squares = squaresIndex(search, areaOfBox(search))
  // of a frequent material far more is collected than matches
  const isWorthIt = !isNearlyFull && squares.length === 0 && ahead.materials > limits.range && further <= limits.walk * 2
  const whole = isWorthIt ? await goOn() : []
  if (whole.length === page.limit) return whole
  // few squares need no words, whose index would be read for nothing
  const index = ahead.squares <= limits.range ? squares : [...wordsIndex(search), ...squares]
  const way =
    rangeWay(search, ahead, limits.range) ?? (index.length > 0 ? { by: 'words' as const, index, most: limits.collect } : undefined)
  const rare = way && (await collect(db, search, page, way))
  return rare ?? walk(db, search, page, null)
}

const hasRangeOffOrder = (search: Search) =>
  (priceRange(search).length > 0 && search.sort !== 'price_low' && search.sort !== 'price_high') ||
  (endingRange(search).length > 0 && search.sort !== 'ending_soonest')

/** By prices or by ends, if so few listings lie in their range. */
function rangeWay({ text, material_id, radius_miles }: Search, { prices, endings }: Ahead, most: number): Way | undefined {
  // words are not kept with the prices, and looking up those of one listing takes as long as collecting ten
  const isLookedUp = text !== undefined && material_id === undefined && radius_miles === undefined
  if (prices <= (isLookedUp ? most / 10 : most) && prices <= endings) return { by: 'prices' }
  return endings <= most ? { by: 'endings' } : undefined
}

const NEARLY = 1.5
// matches do not lie evenly
const SLACK = 1.5

function longestWalk(search: Search, { walk: most }: Patience): number {
  if (search.text === undefined) return most
  // a row whose words must be looked up takes three times as long
  if (orderedBy(search).table === 'listing_prices') return Math.ceil(most / 3)
  // words of one material are few to collect
  return search.material_id ? Math.ceil(most / 4) : most
}

/** Along the index of the order, from where the page before ended. */
async function walk(db: DbOrTx, search: Search, page: Page, most: number | null): Promise<Match[]> {
  const order = orderedBy(search)
  const way = direction(order)
  const passing = sql`select s.* from (${along(search, page, most)}) s where ${all(conditions(search, order.table))}`
  // at one distance there are as many listings as a yard has: all of them are read before they are put in order
  const found =
    search.sort === 'nearest'
      ? sql`select * from (${passing} and ${all(comesAfter(order, sql`key`, page.after))} order by key fetch first ${sql.lit(page.limit)} rows with ties) s`
      : passing
  const { rows } = await sql<Match>`
    select s.listing_id as id, ${order.write(sql`s.key`)} as key, ${milesFrom(search)} as miles, s.latitude, s.longitude
    from (${found}) s
    order by s.key ${way}, s.listing_id ${way}
    limit ${page.limit}`.execute(db)
  return rows
}

/** From the last match that was found; the nearest can only be walked to from the beginning. */
async function walkOn(db: DbOrTx, search: Search, page: Page, near: readonly Match[], most: number): Promise<Match[]> {
  const last = near.at(-1)
  if (search.sort === 'nearest' || !last) return walk(db, search, page, most)
  return [...near, ...(await walk(db, search, { after: last, limit: page.limit - near.length }, most))]
}

function along(search: Search, { after }: Page, most: number | null): Sql {
  const order = orderedBy(search)
  const { table, column } = order
  const way = direction(order)
  if (search.sort === 'nearest') {
    const farEnough = after ? [sql`${column} >= ${order.read(after.key)}`] : []
    return sql`
      select s.*, ${column} as key
      from listing_search s
      where ${all([...inCircle(search), ...farEnough])}
      order by ${column}
      ${most === null ? sql`` : sql`fetch first ${sql.lit(most)} rows with ties`}`
  }
  const range = all([...comesAfter(order, column, after), ...bounds(search)])
  const limit = sql`order by ${column} ${way}, listing_id ${way} limit ${most}`
  return sql`select s.*, ${column} as key from ${sql.table(table)} s where ${range} ${limit}`
}

/** The conditions that the index of the order itself can hold to. */
function bounds(search: Search): Sql[] {
  const { sort, material_id } = search
  if (sort === 'price_low' || sort === 'price_high') return priceRange(search)
  if (sort !== 'ending_soonest') return []
  return [sql`expires_at > ${now}`, ...endingRange(search), ...(material_id ? [sql`material_id = ${material_id}`] : [])]
}

type Ahead = { isAtEnd: boolean; prices: number; endings: number; squares: number; materials: number }
type Look = { walked: number; range: number; ranges?: Ahead | undefined }

/** Whether the walk saw all there was, and how many listings the ranges hold: index entries alone, and no more than count. */
async function lookAhead(db: DbOrTx, search: Search, { after }: Page, { walked, range, ranges }: Look): Promise<Ahead> {
  const order = orderedBy(search)
  const ahead =
    search.sort === 'nearest'
      ? sql`select from listing_search s where ${all(inCircle(search))} limit ${walked}`
      : sql`select from ${sql.table(order.table)} where ${all([...comesAfter(order, order.column, after), ...bounds(search)])} limit ${walked}`
  const held = (table: string, column: string | null, conditionsOfRange: readonly Sql[]) =>
    conditionsOfRange.length > 0
      ? sql`(select count(*)::int from (select from ${sql.table(table)} where ${all(conditionsOfRange)} ${column === null ? sql`` : sql`order by ${sql.ref(column)}`} limit ${range + 1}) t)`
      : sql`${range + 1}::int`
  const endings = endingIndex(search)
  const material = search.material_id ? [sql`material_id = ${search.material_id}`] : []
  const { rows } = await sql<Ahead>`
    select (select count(*) from (${ahead}) t) < ${walked} as "isAtEnd",
           ${ranges ? sql`${ranges.prices}::int` : held('listing_prices', 'price', priceRange(search))} as prices,
           ${ranges ? sql`${ranges.endings}::int` : held('listing_search', 'expires_at', endings.length > 0 ? [sql`expires_at > ${now}`, ...endings] : [])} as endings,
           ${held('listing_search', null, walked > 0 ? squaresIndex(search, areaOfBox(search)) : [])} as squares,
           ${material.length > 0 && walked > 0 ? held('listing_search', 'expires_at', material) : sql`0`} as materials`.execute(db)
  return rows[0] ?? { isAtEnd: true, prices: 0, endings: 0, squares: 0, materials: 0 }
}

type Way = { by: 'prices' | 'endings' } | { by: 'words'; index: Sql[]; most: number }

/** Every match, and then the order. Nothing if there are too many. */
async function collect(db: DbOrTx, search: Search, page: Page, way: Way): Promise<Match[] | undefined> {
  const order = orderedBy(search)
  const table = way.by === 'prices' ? 'listing_prices' : 'listing_search'
  const index = way.by === 'words' ? way.index : way.by === 'prices' ? priceRange(search) : endingIndex(search)
  const most = way.by === 'words' ? way.most : null
  // the planner is not to know that only some are wanted: it would walk through another index for them
  const { rows } = await sql<Match & { collected: number }>`
    with found as materialized (
      select s.listing_id, ${order.column} as key, ${milesFrom(search)} as miles, s.latitude, s.longitude
      from ${sql.table(table)} s
      where ${all([...index, ...conditions(search, table)])}
    ), taken as materialized (
      select * from found limit ${most === null ? null : most + 1}
    ), page as (
      select *
      from taken
      where ${all(comesAfter(order, sql`key`, page.after))}
      order by key ${direction(order)}, listing_id ${direction(order)}
      limit ${page.limit}
    )
    select counted.collected, page.listing_id as id, ${order.write(sql`page.key`)} as key, page.miles, page.latitude, page.longitude
    from (select count(*)::int as collected from taken) counted
    left join page on true
    order by page.key ${direction(order)}, page.listing_id ${direction(order)}`.execute(db)
  if (most !== null && (rows[0]?.collected ?? 0) > most) return undefined
  return rows.filter(({ id }) => id !== null)
}

/** A box of degrees on the map. Parallels bend there, least at the map's own meridian: what is next to it reaches furthest south. */
function areaOfBox({ box }: Search): Area | undefined {
  if (!box) return undefined
  const { south, west, north, east } = box
  const inmost = Math.min(Math.max(MIDDLE.longitude, west), east)
  const spots = [south, north].flatMap((latitude) => [west, inmost, east].map((longitude) => mapSpot(latitude, longitude)))
  const xs = spots.map(({ x }) => x)
  const ys = spots.map(({ y }) => y)
  return { west: Math.min(...xs), south: Math.min(...ys), east: Math.max(...xs), north: Math.max(...ys) }
}
