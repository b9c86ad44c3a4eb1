import { sql } from 'kysely'
import { hiddenStatuses } from '#domain/listings/visibility.ts'
import type { DbOrTx, Db } from '#server/db/db.ts'
import { findListings } from '#server/features/listings/public.ts'
import type { Cursor } from '#server/features/search/search-cursor.ts'
import type { SearchPage, SearchRequest } from '#server/features/search/search-listings.ts'
import { all, now, textQuery, type Search, type Sql } from '#server/features/search/search-sql.ts'

const MAX_WALKED_ROWS = 5_000

type EndedMatch = Cursor & { miles: number | null }

/**
 * Strategy: walk along the ended listings, the last end first. Chosen for `filter[status]=ended`, whatever the other filters are.
 *
 * Ended listings accumulate for ever and are searched rarely, so they have no search table and no index but that of their ends. A page
 * reads at most 5,000 of them. If these do not fill it, the page is short, and its cursor continues where the walk stopped.
 */
export async function searchEnded(
  { db, searchDb }: { db: Db; searchDb: Db },
  { search, after, limit, viewerId }: SearchRequest,
): Promise<SearchPage> {
  const matches = await findEnded(searchDb, search, after, limit + 1)
  const onPage = matches.slice(0, limit)
  const rows = await findListings(
    db,
    onPage.map(({ id }) => id),
    viewerId,
  )
  return {
    rows,
    miles: new Map(onPage.flatMap(({ id, miles }) => (miles === null ? [] : [[id, miles]]))),
    next: matches.length > limit ? onPage.at(-1) : await endOfWalk(searchDb, after),
  }
}

const key = sql`(extract(epoch from expires_at) * 1000000)::bigint::text`

// written out, so that the partial index on ended listings is used
const notEnded = sql.join(['Active', ...hiddenStatuses].map((status) => sql.lit(status)))

// a listing that was withdrawn early is shown after the end that it would have had
const walkedRows = (after: Cursor | undefined): Sql => sql`
  select *
  from listings
  where status not in (${notEnded})
    and expires_at <= ${now}
    and ${after ? sql`(expires_at, id) < (timestamptz 'epoch' + ${after.key}::bigint * interval '1 microsecond', ${after.id}::uuid)` : sql`true`}
  order by expires_at desc, id desc
  limit ${MAX_WALKED_ROWS}`

async function findEnded(db: DbOrTx, search: Search, after: Cursor | undefined, limit: number): Promise<EndedMatch[]> {
  const { text, material_id, transfer_method_id, min_price, max_price, near, radius_miles } = search
  const spot = sql`map_spot(round(latitude::numeric, 2)::float8, round(longitude::numeric, 2)::float8)`
  const price = sql`coalesce(current_price, start_price)`
  const miles = near ? sql`(${spot} <-> point(${near.x}::float8, ${near.y}::float8))` : sql`null::float8`
  const conditions = [
    ...(material_id ? [sql`material_id = ${material_id}`] : []),
    ...(transfer_method_id ? [sql`transfer_method_id = ${transfer_method_id}`] : []),
    ...(min_price === undefined ? [] : [sql`${price} >= ${min_price}`]),
    ...(max_price === undefined ? [] : [sql`${price} <= ${max_price}`]),
    ...(radius_miles === undefined ? [] : [sql`${miles} <= ${radius_miles}::float8`]),
    ...(text === undefined ? [] : [sql`search_words(concat_ws(' ', title, grade, town, description), material_id) @@ ${textQuery(text)}`]),
  ]
  const { rows } = await sql<EndedMatch>`
    select id, ${key} as key, ${miles} as miles
    from (${walkedRows(after)}) l
    where ${all(conditions)}
    order by expires_at desc, id desc
    limit ${limit}`.execute(db)
  return rows
}

/** Where a walk that did not fill its page stopped; undefined if it read the last ended listing. */
async function endOfWalk(db: DbOrTx, after: Cursor | undefined): Promise<Cursor | undefined> {
  const { rows } = await sql<Cursor>`
    select id, ${key} as key
    from (${walkedRows(after)}) l
    order by expires_at desc, id desc
    offset ${MAX_WALKED_ROWS - 1}`.execute(db)
  return rows[0]
}
