import { sql, type RawBuilder } from 'kysely'
import type { ReportType } from '#contract/people/chat.ts'
import { permissionsOf, tiers } from '#contract/values/permissions.ts'
import { hiddenStatuses } from '#domain/listings/visibility.ts'
import type { Db } from '#server/db/db.ts'
import { notFound } from '#server/http/errors.ts'

export type Report = { about: { type: ReportType; id: string }; reason: string }

const enquiryViewers = tiers.filter((tier) => permissionsOf(tier).market_view_enquiry.enabled)

type Subject = (userId: string, id: string) => RawBuilder<unknown>

/** What can be reported, as long as the reporter can see it. Anything else is not there. */
const subjects: Record<ReportType, Subject> = {
  user: (userId, id) => sql`select from users where id = ${id} and id <> ${userId}`,
  listing: (userId, id) => sql`
    select from listings l
    where l.id = ${id}
      and (l.status not in (${sql.join(hiddenStatuses)})
        or exists (select from bid_standings s where s.listing_id = l.id and s.bidder_id = ${userId}))`,
  chat: (userId, id) => sql`select from chat_threads where id = ${id} and ${userId}::uuid in (owner_id, other_id)`,
  enquiry: (userId, id) => sql`
    select from enquiries e
    where e.id = ${id} and e.poster_id <> ${userId}
      and (exists (select from users u where u.id = ${userId} and u.tier in (${sql.join(enquiryViewers)}))
        or exists (select from enquiry_conversations c where c.enquiry_id = e.id and c.merchant_id = ${userId}))`,
  enquiry_conversation: (userId, id) =>
    sql`select from enquiry_conversations where id = ${id} and ${userId}::uuid in (poster_id, merchant_id)`,
  chat_message: (userId, id) => sql`
    select from chat_messages m
    join chat_threads t on t.id = m.thread_id
    where m.id = ${id} and m.sender_id <> ${userId} and ${userId}::uuid in (t.owner_id, t.other_id)`,
}

/** The same thing reported again keeps the first report. */
export async function report(db: Db, reporterId: string, { about, reason }: Report): Promise<{ id: string; created_at: Date }> {
  const { rows: seen } = await sql`${subjects[about.type](reporterId, about.id)}`.execute(db)
  if (seen.length === 0) throw notFound()
  await db
    .insertInto('reports')
    .values({ reporter_id: reporterId, about_type: about.type, about_id: about.id, reason })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return db
    .selectFrom('reports')
    .select(['id', 'created_at'])
    .where('reporter_id', '=', reporterId)
    .where('about_type', '=', about.type)
    .where('about_id', '=', about.id)
    .executeTakeFirstOrThrow()
}
