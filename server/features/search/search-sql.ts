import { sql, type RawBuilder } from 'kysely'
import type { MaterialId } from '#contract/values/materials.ts'
import { squaresOf, squaresRound, type Area, type Spot } from '#domain/search/uk-map.ts'
import { toInterval } from '#domain/duration.ts'
import type { Cursor, Sort } from '#server/features/search/search-cursor.ts'

// The pieces that searches are put together of. `s` is a row of listing_search or of listing_prices, `key` what it is sorted by.

export type Search = {
  text?: string | undefined
  material_id?: MaterialId | undefined
  transfer_method_id?: number | undefined
  min_price?: number | undefined
  max_price?: number | undefined
  /** Where distances are measured from. */
  near?: Spot | undefined
  radius_miles?: number | undefined
  /** In degrees: south, west, north, east. */
  box?: { south: number; west: number; north: number; east: number } | undefined
  /** A duration such as '24h'. */
  ending_within?: string | undefined
  sort: Sort
}

export type Match = { id: string; key: string; miles: number | null; latitude: number; longitude: number }

export type Sql = RawBuilder<unknown>

// as a sub-select: app_now() is volatile, and an index cannot be searched by what may change from row to row
export const now = sql`(select app_now())`
export const all = (conditions: readonly Sql[]): Sql => (conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`)

const time = (micros: string) => sql`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`
const number = (text: string) => sql`${text}::bigint`
const inMicros = (key: Sql) => sql`(extract(epoch from ${key}) * 1000000)::bigint::text`
const asText = (key: Sql) => sql`${key}::text`

export type Ordered = {
  table: 'listing_search' | 'listing_prices'
  column: Sql
  descending: boolean
  read: (text: string) => Sql
  write: (key: Sql) => Sql
}

// Bids move a listing in the orders of price and of bids while somebody pages through them: it may then be met twice or not
// at all, as with any list that is sorted by what changes. The other orders hold still.
const sorts: Record<Exclude<Sort, 'nearest'>, Ordered> = {
  ending_soonest: { table: 'listing_search', column: sql`expires_at`, descending: false, read: time, write: inMicros },
  newest: { table: 'listing_search', column: sql`created_at`, descending: true, read: time, write: inMicros },
  price_low: { table: 'listing_prices', column: sql`price`, descending: false, read: number, write: asText },
  price_high: { table: 'listing_prices', column: sql`price`, descending: true, read: number, write: asText },
  most_bids: { table: 'listing_prices', column: sql`bid_count`, descending: true, read: number, write: asText },
}

const place = ({ x, y }: Spot) => sql`point(${x}::float8, ${y}::float8)`

export function orderedBy({ sort, near }: Search): Ordered {
  if (sort !== 'nearest') return sorts[sort]
  if (!near) throw new Error('nearest to nothing')
  return {
    table: 'listing_search',
    column: sql`(spot <-> ${place(near)})`,
    descending: false,
    read: (text) => sql`${text}::float8`,
    write: asText,
  }
}

export const direction = ({ descending }: Ordered): Sql => (descending ? sql`desc` : sql`asc`)

/** What comes after a page: the whole order, ties by id, so that nothing is skipped or shown twice. */
export const comesAfter = ({ descending, read }: Ordered, column: Sql, after: Cursor | undefined): Sql[] =>
  after ? [sql`(${column}, listing_id) ${descending ? sql`<` : sql`>`} (${read(after.key)}, ${after.id}::uuid)`] : []

export const milesFrom = ({ near }: Search): Sql => (near ? sql`(s.spot <-> ${place(near)})` : sql`null::float8`)

export const priceRange = ({ min_price, max_price }: Search): Sql[] => [
  ...(min_price === undefined ? [] : [sql`price >= ${min_price}`]),
  ...(max_price === undefined ? [] : [sql`price <= ${max_price}`]),
]

export const endingRange = ({ ending_within }: Search): Sql[] =>
  ending_within === undefined ? [] : [sql`expires_at <= ${now} + ${toInterval(ending_within)}::interval`]

/** The same as its index holds it, which tells materials apart. */
export const endingIndex = (search: Search): Sql[] => {
  const range = endingRange(search)
  return range.length > 0 && search.material_id ? [sql`material_id = ${search.material_id}`, ...range] : range
}

export const inCircle = ({ near, radius_miles }: Search): Sql[] =>
  near && radius_miles !== undefined ? [sql`s.spot <@ circle(${place(near)}, ${radius_miles}::float8)`] : []

/** Everything that a row must meet, said so that no index is used for it: which one is, each way of searching says itself. */
export function conditions(search: Search, table: Ordered['table']): Sql[] {
  const { text, material_id, transfer_method_id, near, radius_miles, box } = search
  // the words of a row of listing_prices are looked up last, one by one
  const words = table === 'listing_search' ? sql`s.words` : sql`(select w.words from listing_search w where w.listing_id = s.listing_id)`
  return [
    sql`s.expires_at > ${now}`,
    ...endingRange(search),
    ...priceRange(search),
    ...(material_id ? [sql`s.material_id = ${material_id}`] : []),
    ...(transfer_method_id ? [sql`s.transfer_method_id = ${transfer_method_id}`] : []),
    ...(near && radius_miles !== undefined ? [sql`(s.spot <-> ${place(near)}) <= ${radius_miles}::float8`] : []),
    ...(box ? [sql`s.latitude between ${box.south} and ${box.north} and s.longitude between ${box.west} and ${box.east}`] : []),
    ...(text === undefined ? [] : [sql`${words} @@ ${textQuery(text)}`]),
  ].map((condition) => sql`(${condition}) is true`)
}

/** All of the words, whatever their endings; the last one may still be being typed. */
export function textQuery(text: string): Sql {
  const words = text.match(/[\p{L}\p{N}]+(?:\.\p{N}+)*/gu) ?? []
  const last = words.at(-1)
  const isUnfinished = last !== undefined && last.length >= 3 && text.endsWith(last)
  return sql`to_tsquery('english', ${words.map((word) => spellingsOf(word, isUnfinished && word === last ? ':*' : '')).join(' & ')})`
}

/** 'No.1' is one word where a seller wrote it so, and two in the name of the material. */
const spellingsOf = (word: string, more: string): string =>
  /^\p{L}+\./u.test(word) ? `(${word}${more} | (${word.replaceAll('.', ' & ')}${more}))` : `${word}${more}`

/** What the index of words can find by itself. */
export function wordsIndex({ text, material_id }: Search): Sql[] {
  const parts = [...(text === undefined ? [] : [textQuery(text)]), ...(material_id ? [sql`${`'m:${material_id}'`}::tsquery`] : [])]
  return parts.length > 0 ? [sql`words @@ (${sql.join(parts, sql` && `)})`] : []
}

/** What the indexes of squares can. */
export function squaresIndex({ near, radius_miles }: Search, areaOfBox: Area | undefined): Sql[] {
  const area = near && radius_miles !== undefined ? squaresRound(near, radius_miles) : areaOfBox && squaresOf(areaOfBox)
  return area ? [sql`map_square(spot, ${sql.lit(area.side)}) = any(${area.squares}::int[])`] : []
}
