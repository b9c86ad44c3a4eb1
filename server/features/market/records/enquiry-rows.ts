import { sql } from 'kysely'
import type { EnquiryStatus } from '#contract/market/conversations.ts'
import type { BusinessActivity } from '#contract/values/business.ts'
import type { MaterialId } from '#contract/values/materials.ts'
import type { DbOrTx, Tx } from '#server/db/db.ts'
import { isUuid } from '#server/http/uuid.ts'

/** An enquiry with its poster and the viewer's own conversation about it. */
export type EnquiryRow = LockedEnquiry & {
  member: MemberFacts
  conversation_id: string | null
  holder_id: string | null
  /** From where the viewer searched. */
  miles: number | null
  now: Date
}

export type LockedEnquiry = {
  id: string
  poster_id: string
  status: EnquiryStatus
  ended_by: 'poster' | 'time' | null
  title: string
  description: string
  material_id: MaterialId
  weight_kg: number | null
  available_from: string | null
  address_line_1: string
  address_line_2: string | null
  town: string
  county: string | null
  post_code: string
  latitude: number
  longitude: number
  district: string
  district_latitude: number
  district_longitude: number
  ends_at: Date
  offer_count: number
  created_at: Date
}

/** A member as the market shows them, in JSON. */
export type MemberFacts = {
  id: string
  company_name: string
  business_activity: BusinessActivity | null
  member_since: string
  has_licence: boolean
}

/** Of `users` under an alias. */
export const memberFacts = (alias: string) =>
  sql<MemberFacts>`json_build_object(
    'id', ${sql.ref(`${alias}.id`)}, 'company_name', ${sql.ref(`${alias}.company_name`)},
    'business_activity', ${sql.ref(`${alias}.business_activity`)}, 'member_since', ${sql.ref(`${alias}.created_at`)},
    'has_licence', ${sql.ref(`${alias}.licence_status`)} = 'approved'
      and coalesce(${sql.ref(`${alias}.licence_expires_at`)} > app_now(), true))`

const columns = sql.raw(`e.id, e.poster_id, e.status, e.ended_by, e.title, e.description, e.material_id, e.weight_kg, e.available_from,
  e.address_line_1, e.address_line_2, e.town, e.county, e.post_code, e.latitude, e.longitude, e.district, e.district_latitude,
  e.district_longitude, e.ends_at, e.offer_count, e.created_at`)

/** Selects enquiries `e` as a viewer sees them; the caller adds the conditions. */
export const enquiriesSeenBy = (viewerId: string, miles = sql`null::float8`) => sql`
  select ${columns}, ${memberFacts('poster')} as member, mine.id as conversation_id, d.holder_id, ${miles} as miles, app_now() as now
  from enquiries e
  join users poster on poster.id = e.poster_id
  left join enquiry_conversations mine on mine.enquiry_id = e.id and mine.merchant_id = ${viewerId}::uuid
  left join enquiry_deals d on d.enquiry_id = e.id`

/** One that the viewer may see: with the permission any, without it the own ones and those they have a conversation about. */
export async function findEnquiry(db: DbOrTx, id: string, viewer: { id: string; canView: boolean }): Promise<EnquiryRow | undefined> {
  if (!isUuid(id)) return undefined
  const { rows } = await sql<EnquiryRow>`
    ${enquiriesSeenBy(viewer.id)}
    where e.id = ${id}::uuid
      and (${viewer.canView} or e.poster_id = ${viewer.id}::uuid or mine.id is not null)`.execute(db)
  return rows[0]
}

/** First in every transaction that changes an enquiry or its offers; the clock is read after it. */
export async function lockEnquiry(tx: Tx, id: string): Promise<LockedEnquiry | undefined> {
  if (!isUuid(id)) return undefined
  const { rows } = await sql<LockedEnquiry>`select ${columns} from enquiries e where e.id = ${id}::uuid for no key update`.execute(tx)
  return rows[0]
}
