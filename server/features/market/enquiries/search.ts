import { sql, type RawBuilder } from 'kysely'
import type { EnquiryFilter, EnquiryMap } from '#contract/market/enquiries.ts'
import type { EnquiryAge } from '#contract/market/enquiry-values.ts'
import { MOST_MAP_POINTS } from '#contract/values/limits.ts'
import { materials, type MaterialId } from '#contract/values/materials.ts'
import { toInterval } from '#domain/duration.ts'
import { readNow } from '#server/db/clock.ts'
import type { DbOrTx } from '#server/db/db.ts'
import { enquiriesSeenBy, type EnquiryRow } from '#server/features/market/records/enquiry-rows.ts'
import type { ListCursor } from '#server/features/market/records/list-cursor.ts'
import { spotOfPostCode, textQuery } from '#server/features/search/public.ts'
import { refuseField } from '#server/http/errors.ts'

type Sql = RawBuilder<unknown>
type Page = { after: ListCursor | undefined; limit: number }

/** Open ones, the newest first. */
export async function searchEnquiries(db: DbOrTx, viewerId: string, filter: EnquiryFilter, { after, limit }: Page): Promise<EnquiryRow[]> {
  const { rows } = await sql<EnquiryRow>`
    ${enquiriesSeenBy(viewerId, milesOf(filter))}
    where ${all([...isOpen, ...conditionsOf(filter), ...olderThan(after)])}
    order by e.created_at desc, e.id desc
    limit ${limit}`.execute(db)
  return rows
}

export async function findOwnEnquiries(db: DbOrTx, viewerId: string, { after, limit }: Page): Promise<EnquiryRow[]> {
  const { rows } = await sql<EnquiryRow>`
    ${enquiriesSeenBy(viewerId)}
    where ${all([sql`e.poster_id = ${viewerId}::uuid`, ...olderThan(after)])}
    order by e.created_at desc, e.id desc
    limit ${limit}`.execute(db)
  return rows
}

type PointRow = Omit<EnquiryMap['points'][number], 'created_at' | 'material_group'> & { created_at: Date; material_id: MaterialId }

export async function mapEnquiries(db: DbOrTx, filter: EnquiryFilter): Promise<EnquiryMap> {
  const { rows } = await sql<PointRow>`
    select e.id, e.title, e.town, e.material_id, e.weight_kg, e.district_latitude as latitude, e.district_longitude as longitude, e.created_at
    from enquiries e
    join users poster on poster.id = e.poster_id
    where ${all([...isOpen, ...conditionsOf(filter)])}
    order by e.created_at desc, e.id desc
    limit ${MOST_MAP_POINTS + 1}`.execute(db)
  return {
    points: rows.slice(0, MOST_MAP_POINTS).map(({ material_id, created_at, ...row }) => ({
      ...row,
      material_group: materials[material_id].group,
      created_at: created_at.toISOString(),
    })),
    is_complete: rows.length <= MOST_MAP_POINTS,
    server_time: (await readNow(db)).toISOString(),
  }
}

const all = (conditions: readonly Sql[]): Sql => (conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`)

const isOpen = [sql`e.status = 'open'`, sql`e.ends_at > (select app_now())`, sql`poster.deleted_at is null and poster.suspended_at is null`]

const olderThan = (after: ListCursor | undefined): Sql[] =>
  after ? [sql`(e.created_at, e.id) < (timestamptz 'epoch' + ${after.millis}::bigint * interval '1 millisecond', ${after.id}::uuid)`] : []

function spotOf({ 'filter[post_code]': postCode }: EnquiryFilter): Sql | undefined {
  if (!postCode) return undefined
  const spot = spotOfPostCode(postCode)
  if (!spot) throw refuseField('filter[post_code]', 'This post code is not known. Enter one such as M1 4BT, or its first half.')
  return sql`point(${spot.x}::float8, ${spot.y}::float8)`
}

function milesOf(filter: EnquiryFilter): RawBuilder<unknown> {
  const spot = spotOf(filter)
  return spot ? sql`e.spot <-> ${spot}` : sql`null::float8`
}

function conditionsOf(filter: EnquiryFilter): Sql[] {
  const spot = spotOf(filter)
  const radius = filter['filter[radius_miles]']
  if (radius !== undefined && !spot) throw refuseField('filter[post_code]', 'Give a post code to search round.')
  const bounds = filter['filter[bounds]']
  return [
    ...(filter['filter[search]'] ? [sql`e.words @@ ${textQuery(filter['filter[search]'])}`] : []),
    ...(filter['filter[material_id]'] ? [sql`e.material_id = ${filter['filter[material_id]']}`] : []),
    ...(spot && radius !== undefined ? [sql`(e.spot <-> ${spot}) <= ${radius}::float8`] : []),
    // a rough weight that nobody gave may be any
    ...(filter['filter[min_weight_kg]'] === undefined ? [] : [sql`coalesce(e.weight_kg >= ${filter['filter[min_weight_kg]']}, true)`]),
    ...(filter['filter[max_weight_kg]'] === undefined ? [] : [sql`coalesce(e.weight_kg <= ${filter['filter[max_weight_kg]']}, true)`]),
    ...(filter['filter[age]'] ? [sql`e.created_at > (select app_now()) - ${ageOf(filter['filter[age]'])}::interval`] : []),
    ...(bounds ? [boundsOf(bounds)] : []),
  ]
}

const ageOf = (age: EnquiryAge) => toInterval(age)

function boundsOf(text: string): Sql {
  const [south = 0, west = 0, north = 0, east = 0] = text.split(',').map(Number)
  if (south >= north || west >= east) throw refuseField('filter[bounds]', 'south,west,north,east: the first two are the lesser ones')
  return sql`e.district_latitude between ${south} and ${north} and e.district_longitude between ${west} and ${east}`
}
