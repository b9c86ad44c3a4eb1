import { sql, type RawBuilder } from 'kysely'
import type { MaterialId } from '#contract/values/materials.ts'
import { toInterval } from '#domain/duration.ts'
import { areaOfBox, type Box, type Spot } from '#domain/search/uk-map.ts'
import { squaresOfArea, squaresOfCircle } from '#domain/search/uk-squares.ts'
import type { DbOrTx } from '#server/db/db.ts'
import type { Cursor, Page, Sort } from '#server/features/search/search-cursor.ts'

// The SQL fragments that strategies share. `s` is a row of listing_search or of listing_prices, `key` the value it is sorted by.

export type Search = {
  text?: string | undefined
  material_id?: MaterialId | undefined
  transfer_method_id?: number | undefined
  min_price?: number | undefined
  max_price?: number | undefined
  /** Where distances are measured from. */
  near?: Spot | undefined
  radius_miles?: number | undefined
  box?: Box | undefined
  /** A duration such as '24h'. */
  ending_within?: string | undefined
  sort: Sort
}

export type SearchQuery = { db: DbOrTx; search: Search; page: Page }

export type Match = { id: string; key: string; miles: number | null; latitude: number; longitude: number }

export type Sql = RawBuilder<unknown>

// as a sub-select: app_now() is volatile, and an index cannot be searched by a value that may change from row to row
export const now = sql`(select app_now())`
export const all = (conditions: readonly Sql[]): Sql => (conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`)

const timeOfMicros = (micros: string) => sql`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`
const bigintOf = (text: string) => sql`${text}::bigint`
const microsOf = (key: Sql) => sql`(extract(epoch from ${key}) * 1000000)::bigint::text`
const textOf = (key: Sql) => sql`${key}::text`
const pointOf = ({ x, y }: Spot) => sql`point(${x}::float8, ${y}::float8)`

export type SortOrder = {
  table: 'listing_search' | 'listing_prices'
  column: Sql
  descending: boolean
  /** The key of a cursor as a value of the column, and the other way round. */
  read: (text: string) => Sql
  write: (key: Sql) => Sql
}

// Bids change the place of a listing in the orders of price and of bids: a user who pages through one may see a listing twice or not
// at all, as in any list that is sorted by a changing value. The other orders do not change.
const sortOrders: Record<Exclude<Sort, 'nearest'>, SortOrder> = {
  ending_soonest: { table: 'listing_search', column: sql`expires_at`, descending: false, read: timeOfMicros, write: microsOf },
  newest: { table: 'listing_search', column: sql`created_at`, descending: true, read: timeOfMicros, write: microsOf },
  price_low: { table: 'listing_prices', column: sql`price`, descending: false, read: bigintOf, write: textOf },
  price_high: { table: 'listing_prices', column: sql`price`, descending: true, read: bigintOf, write: textOf },
  most_bids: { table: 'listing_prices', column: sql`bid_count`, descending: true, read: bigintOf, write: textOf },
}

export function sortOrder({ sort, near }: Search): SortOrder {
  if (sort !== 'nearest') return sortOrders[sort]
  if (!near) throw new Error('a search for the nearest needs a place to measure from')
  const column = sql`(spot <-> ${pointOf(near)})`
  return { table: 'listing_search', column, descending: false, read: (text) => sql`${text}::float8`, write: textOf }
}

export const direction = ({ descending }: SortOrder): Sql => (descending ? sql`desc` : sql`asc`)

/** The rows after a cursor. Rows with the same key are in the order of their ids, so no page skips or repeats a listing. */
export const afterCursor = ({ descending, read }: SortOrder, column: Sql, after: Cursor | undefined): Sql[] =>
  after ? [sql`(${column}, listing_id) ${descending ? sql`<` : sql`>`} (${read(after.key)}, ${after.id}::uuid)`] : []

export const distanceMiles = ({ near }: Search): Sql => (near ? sql`(s.spot <-> ${pointOf(near)})` : sql`null::float8`)

/** Every filter of a search, written as `(…) is true` so that no index is used for it: each strategy names the index it uses. */
export function filterConditions(search: Search, table: SortOrder['table']): Sql[] {
  const { text, material_id, transfer_method_id, near, radius_miles, box } = search
  // listing_prices has no words: they are looked up row by row, so this condition comes last
  const words = table === 'listing_search' ? sql`s.words` : sql`(select w.words from listing_search w where w.listing_id = s.listing_id)`
  return [
    sql`s.expires_at > ${now}`,
    ...endConditions(search),
    ...priceConditions(search),
    ...(material_id ? [sql`s.material_id = ${material_id}`] : []),
    ...(transfer_method_id ? [sql`s.transfer_method_id = ${transfer_method_id}`] : []),
    ...(near && radius_miles !== undefined ? [sql`(s.spot <-> ${pointOf(near)}) <= ${radius_miles}::float8`] : []),
    ...(box ? [sql`s.latitude between ${box.south} and ${box.north} and s.longitude between ${box.west} and ${box.east}`] : []),
    ...(text === undefined ? [] : [sql`${words} @@ ${textQuery(text)}`]),
  ].map((condition) => sql`(${condition}) is true`)
}

/** All of the words, in any inflection. The last word may be unfinished, because the user is still typing it. */
export function textQuery(text: string): Sql {
  const words = text.match(/[\p{L}\p{N}]+(?:\.\p{N}+)*/gu) ?? []
  const last = words.at(-1)
  const isUnfinished = last !== undefined && last.length >= 3 && text.endsWith(last)
  return sql`to_tsquery('english', ${words.map((word) => spellingsOf(word, isUnfinished && word === last ? ':*' : '')).join(' & ')})`
}

/** 'No.1' is one word where a seller wrote it so, and two in the name of the material. */
const spellingsOf = (word: string, suffix: string): string =>
  /^\p{L}+\./u.test(word) ? `(${word}${suffix} | (${word.replaceAll('.', ' & ')}${suffix}))` : `${word}${suffix}`

// Conditions that an index answers. Each list is empty if the search has no such filter.

export const priceConditions = ({ min_price, max_price }: Search): Sql[] => [
  ...(min_price === undefined ? [] : [sql`price >= ${min_price}`]),
  ...(max_price === undefined ? [] : [sql`price <= ${max_price}`]),
]

export const endConditions = ({ ending_within }: Search): Sql[] =>
  ending_within === undefined ? [] : [sql`expires_at <= ${now} + ${toInterval(ending_within)}::interval`]

/** A range of ends, within the material if there is one: listing_search_material has both columns. */
export const endIndexConditions = (search: Search): Sql[] => {
  const range = endConditions(search)
  return range.length > 0 && search.material_id ? [sql`material_id = ${search.material_id}`, ...range] : range
}

export const circleConditions = ({ near, radius_miles }: Search): Sql[] =>
  near && radius_miles !== undefined ? [sql`s.spot <@ circle(${pointOf(near)}, ${radius_miles}::float8)`] : []

/** What the index of the sort order itself answers; `nearest` has its circle. */
export function orderIndexConditions(search: Search): Sql[] {
  const { sort, material_id } = search
  if (sort === 'price_low' || sort === 'price_high') return priceConditions(search)
  if (sort !== 'ending_soonest') return []
  return [sql`expires_at > ${now}`, ...endConditions(search), ...(material_id ? [sql`material_id = ${material_id}`] : [])]
}

export function wordIndexConditions({ text, material_id }: Search): Sql[] {
  const parts = [...(text === undefined ? [] : [textQuery(text)]), ...(material_id ? [sql`${`'m:${material_id}'`}::tsquery`] : [])]
  return parts.length > 0 ? [sql`words @@ (${sql.join(parts, sql` && `)})`] : []
}

export function squareIndexConditions({ near, radius_miles, box }: Search): Sql[] {
  const cover = near && radius_miles !== undefined ? squaresOfCircle(near, radius_miles) : box && squaresOfArea(areaOfBox(box))
  return cover ? [sql`map_square(spot, ${sql.lit(cover.side)}) = any(${cover.squares}::int[])`] : []
}
