import { sql } from 'kysely'
import type { DbOrTx, Db } from '#server/db/db.ts'
import { findListings } from '#server/features/listings/public.ts'
import type { Cursor } from '#server/features/search/search-cursor.ts'
import type { SearchPage } from '#server/features/search/search-listings.ts'
import { all, now, textQuery, type Search, type Sql } from '#server/features/search/search-sql.ts'

// What has ended grows for ever and is looked at rarely: it is walked through from the last end, a bounded way for each page. A page
// for which that was not far enough is short, and its cursor goes on from there.

const LONGEST_WALK = 5_000

type Asked = { search: Search; after: Cursor | undefined; limit: number; viewerId: string | null }
type Ended = Cursor & { miles: number | null }

export async function searchEnded(
  { db, searchDb }: { db: Db; searchDb: Db },
  { search, after, limit, viewerId }: Asked,
): Promise<SearchPage> {
  const found = await findEnded(searchDb, search, after, limit + 1)
  const shown = found.slice(0, limit)
  const rows = await findListings(
    db,
    shown.map(({ id }) => id),
    viewerId,
  )
  return {
    rows,
    miles: new Map(shown.flatMap(({ id, miles }) => (miles === null ? [] : [[id, miles]]))),
    next: found.length > limit ? shown.at(-1) : await endOfWalk(searchDb, after),
  }
}

const key = sql`(extract(epoch from expires_at) * 1000000)::bigint::text`

// one that was withdrawn early shows once its end would have come
const walk = (after: Cursor | undefined): Sql => sql`
  select *
  from listings
  where status not in ('Active', 'Processing', 'HasAdminIssue', 'RemovedByAdmin')
    and expires_at <= ${now}
    and ${after ? sql`(expires_at, id) < (timestamptz 'epoch' + ${after.key}::bigint * interval '1 microsecond', ${after.id}::uuid)` : sql`true`}
  order by expires_at desc, id desc
  limit ${LONGEST_WALK}`

async function findEnded(db: DbOrTx, search: Search, after: Cursor | undefined, limit: number): Promise<Ended[]> {
  const { text, material_id, transfer_method_id, min_price, max_price, near, radius_miles } = search
  const spot = sql`map_spot(round(latitude::numeric, 2)::float8, round(longitude::numeric, 2)::float8)`
  const price = sql`coalesce(current_price, start_price)`
  const miles = near ? sql`(${spot} <-> point(${near.x}::float8, ${near.y}::float8))` : sql`null::float8`
  const wanted = [
    ...(material_id ? [sql`material_id = ${material_id}`] : []),
    ...(transfer_method_id ? [sql`transfer_method_id = ${transfer_method_id}`] : []),
    ...(min_price === undefined ? [] : [sql`${price} >= ${min_price}`]),
    ...(max_price === undefined ? [] : [sql`${price} <= ${max_price}`]),
    ...(radius_miles === undefined ? [] : [sql`${miles} <= ${radius_miles}::float8`]),
    ...(text === undefined ? [] : [sql`search_words(concat_ws(' ', title, grade, town, description), material_id) @@ ${textQuery(text)}`]),
  ]
  const { rows } = await sql<Ended>`
    select id, ${key} as key, ${miles} as miles
    from (${walk(after)}) l
    where ${all(wanted)}
    order by expires_at desc, id desc
    limit ${limit}`.execute(db)
  return rows
}

/** Where a walk that filled no page stopped; nothing if that was the end of all. */
async function endOfWalk(db: DbOrTx, after: Cursor | undefined): Promise<Cursor | undefined> {
  const { rows } = await sql<Cursor>`
    select id, ${key} as key
    from (${walk(after)}) l
    order by expires_at desc, id desc
    offset ${LONGEST_WALK - 1}`.execute(db)
  return rows[0]
}
