import { sql } from 'kysely'
import type { EnquiryStatus, OfferStatus } from '#contract/market/conversations.ts'
import type { MaterialId } from '#contract/values/materials.ts'
import type { DbOrTx, Tx } from '#server/db/db.ts'
import { memberFacts, type MemberFacts } from '#server/features/market/records/enquiry-rows.ts'
import type { ListCursor } from '#server/features/market/records/list-cursor.ts'
import { isUuid } from '#server/http/uuid.ts'

export type ConversationRow = {
  id: string
  enquiry_id: string
  poster_id: string
  merchant_id: string
  last_seq: number
  last_at: Date
  title: string
  status: EnquiryStatus
  ends_at: Date
  material_id: MaterialId
  town: string
  thumbnail_of: string | null
  holder_id: string | null
  other: MemberFacts
  last_body: string | null
  last_sender_id: string | null
  last_message_at: Date | null
  last_has_photos: boolean
  last_price: number | null
  open_price: number | null
  unread_count: number
  now: Date
}

const seenBy = (viewerId: string) => sql`
  select c.id, c.enquiry_id, c.poster_id, c.merchant_id, c.last_seq, c.last_at, e.title, e.status, e.ends_at, e.material_id, e.town,
         (select storage_object_id from enquiry_media m where m.enquiry_id = e.id order by position limit 1) as thumbnail_of,
         d.holder_id, ${memberFacts('other')} as other,
         last.body as last_body, last.sender_id as last_sender_id, last.created_at as last_message_at, last.price as last_price,
         coalesce(last.has_photos, false) as last_has_photos,
         (select price from enquiry_offers o where o.conversation_id = c.id and o.status = 'open' order by o.created_at desc limit 1) as open_price,
         (select count(*)::int from enquiry_messages m
          where m.conversation_id = c.id and m.read_at is null and m.sender_id <> ${viewerId}::uuid) as unread_count,
         app_now() as now
  from enquiry_conversations c
  join enquiries e on e.id = c.enquiry_id
  join users other on other.id = case when c.poster_id = ${viewerId}::uuid then c.merchant_id else c.poster_id end
  left join enquiry_deals d on d.enquiry_id = e.id
  left join lateral (
    select m.body, m.sender_id, m.created_at, o.price, exists (select from enquiry_message_media p where p.message_id = m.id) as has_photos
    from enquiry_messages m
    left join enquiry_offers o on o.id = m.offer_id
    where m.conversation_id = c.id and m.seq = c.last_seq
  ) as last on true`

/** Scope is part of the query: another's conversation is not there. */
const isOf = (viewerId: string) => sql`${viewerId}::uuid in (c.poster_id, c.merchant_id)`

export async function findConversation(db: DbOrTx, viewerId: string, id: string): Promise<ConversationRow | undefined> {
  if (!isUuid(id)) return undefined
  const { rows } = await sql<ConversationRow>`${seenBy(viewerId)} where c.id = ${id}::uuid and ${isOf(viewerId)}`.execute(db)
  return rows[0]
}

type PageRequest = { after: ListCursor | undefined; limit: number; enquiryId?: string }

/** The latest message first. */
export async function findConversations(
  db: DbOrTx,
  viewerId: string,
  { after, limit, enquiryId }: PageRequest,
): Promise<ConversationRow[]> {
  const { rows } = await sql<ConversationRow>`
    ${seenBy(viewerId)}
    where ${isOf(viewerId)}
      and ${enquiryId ? sql`c.enquiry_id = ${enquiryId}::uuid` : sql`true`}
      and ${after ? sql`(c.last_at, c.id) < (timestamptz 'epoch' + ${after.millis}::bigint * interval '1 millisecond', ${after.id}::uuid)` : sql`true`}
    order by c.last_at desc, c.id desc
    limit ${limit}`.execute(db)
  return rows
}

export async function countUnread(db: DbOrTx, viewerId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from enquiry_conversations c
    join enquiry_messages m on m.conversation_id = c.id and m.read_at is null and m.sender_id <> ${viewerId}::uuid
    where ${isOf(viewerId)}`.execute(db)
  return rows[0]?.count ?? 0
}

export type LockedConversation = { id: string; enquiry_id: string; poster_id: string; merchant_id: string; last_seq: number }

/** After the enquiry, where both are locked. */
export async function lockConversation(tx: Tx, viewerId: string, id: string): Promise<LockedConversation | undefined> {
  if (!isUuid(id)) return undefined
  const { rows } = await sql<LockedConversation>`
    select c.id, c.enquiry_id, c.poster_id, c.merchant_id, c.last_seq
    from enquiry_conversations c
    where c.id = ${id}::uuid and ${isOf(viewerId)}
    for no key update`.execute(tx)
  return rows[0]
}

/** The member's conversation about an enquiry, which it begins if there is none. Locked. */
export async function openConversation(
  tx: Tx,
  enquiry: { id: string; poster_id: string },
  merchantId: string,
): Promise<LockedConversation> {
  const { rows } = await sql<LockedConversation>`
    insert into enquiry_conversations (enquiry_id, poster_id, merchant_id)
    values (${enquiry.id}, ${enquiry.poster_id}, ${merchantId})
    on conflict (enquiry_id, merchant_id) do update set last_at = enquiry_conversations.last_at
    returning id, enquiry_id, poster_id, merchant_id, last_seq`.execute(tx)
  const [opened] = rows
  if (!opened) throw new Error('a conversation that was opened can be read')
  return opened
}

export type OfferRow = {
  id: string
  enquiry_id: string
  conversation_id: string
  maker_id: string
  price: number
  collect_at: Date | null
  status: OfferStatus
  decided_at: Date | null
  created_at: Date
}

const offerColumns = sql.raw(
  'o.id, o.enquiry_id, o.conversation_id, o.maker_id, o.price, o.collect_at, o.status, o.decided_at, o.created_at',
)

/** Only the two sides of its conversation know of an offer. */
export async function findOffer(db: DbOrTx, viewerId: string, id: string): Promise<OfferRow | undefined> {
  if (!isUuid(id)) return undefined
  const { rows } = await sql<OfferRow>`
    select ${offerColumns}
    from enquiry_offers o
    join enquiry_conversations c on c.id = o.conversation_id
    where o.id = ${id}::uuid and ${isOf(viewerId)}`.execute(db)
  return rows[0]
}

/** Newest first. */
export async function findOffers(db: DbOrTx, of: { conversationId: string } | { enquiryId: string }): Promise<OfferRow[]> {
  const { rows } = await sql<OfferRow>`
    select ${offerColumns}
    from enquiry_offers o
    where ${'conversationId' in of ? sql`o.conversation_id = ${of.conversationId}` : sql`o.enquiry_id = ${of.enquiryId}`}
    order by o.created_at desc, o.id desc`.execute(db)
  return rows
}

export type MessageRow = {
  id: string
  seq: number
  sender_id: string
  body: string
  created_at: Date
  read_at: Date | null
  photos: string[]
  offer_id: string | null
}

/** Between two numbers, both included, in their order. */
export async function findMessages(db: DbOrTx, conversationId: string, from: number, to: number): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select m.id, m.seq, m.sender_id, m.body, m.created_at, m.read_at, m.offer_id,
           array(select storage_object_id::text from enquiry_message_media p where p.message_id = m.id order by position) as photos
    from enquiry_messages m
    where m.conversation_id = ${conversationId} and m.seq between ${from} and ${to}
    order by m.seq`.execute(db)
  return rows
}

export type DealRow = {
  offer_id: string
  conversation_id: string
  poster_id: string
  holder_id: string
  accepted_by: string
  title: string
  material_id: MaterialId
  weight_kg: number | null
  price: number
  collect_at: Date | null
  agreed_at: Date
  counterparty: { id: string; company_name: string; contact_name: string; contact_number: string; email: string }
  address_line_1: string
  address_line_2: string | null
  town: string
  county: string | null
  post_code: string
  latitude: number
  longitude: number
}

/** What was agreed about an enquiry, for its two parties. */
export async function findDeal(db: DbOrTx, viewerId: string, enquiryId: string): Promise<DealRow | undefined> {
  const { rows } = await sql<DealRow>`
    select d.offer_id, d.conversation_id, d.poster_id, d.holder_id, d.accepted_by, d.title, d.material_id, d.weight_kg, d.price, d.collect_at,
           d.agreed_at,
           json_build_object('id', u.id, 'company_name', u.company_name, 'contact_name', concat_ws(' ', u.first_name, u.surname),
             'contact_number', u.contact_number, 'email', u.email) as counterparty,
           e.address_line_1, e.address_line_2, e.town, e.county, e.post_code, e.latitude, e.longitude
    from enquiry_deals d
    join enquiries e on e.id = d.enquiry_id
    join users u on u.id = case when d.poster_id = ${viewerId}::uuid then d.holder_id else d.poster_id end
    where d.enquiry_id = ${enquiryId} and ${viewerId}::uuid in (d.poster_id, d.holder_id)`.execute(db)
  return rows[0]
}
