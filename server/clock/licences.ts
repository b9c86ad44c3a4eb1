import { sql } from 'kysely'
import { toInterval } from '#domain/duration.ts'
import type { Db } from '#server/db/db.ts'
import { JOBS_CHANNEL } from '#server/jobs/queue.ts'

// RULES §7: whose licence ends is told 60, 30 and 7 days before. Any number of processes look; a row for each licence and span is
// written by the first, and the e-mail is queued with it.

/** Answers how many e-mails it queued. */
export async function warnOfLicences(db: Db, spans: readonly string[]): Promise<number> {
  const { rows } = await sql`
    with clock as materialized (
      select app_now() as now
    ), due as (
      select d.id, d.user_id, s.span
      from clock, unnest(${spans}::text[], ${spans.map(toInterval)}::interval[]) as s (span, lasts), merchant_documents d
      join users u on u.id = d.user_id
      where d.status = 'approved' and d.kind = 'scrap_dealer_licence'
        and d.expires_at > now and d.expires_at <= now + s.lasts
        -- one that is followed by another is no loss
        and u.licence_status = 'approved' and u.licence_expires_at = d.expires_at
        -- whoever had it approved within the span was told its end then
        and d.reviewed_at <= d.expires_at - s.lasts
        and u.deleted_at is null
        and not exists (select from licence_notices n where n.document_id = d.id and n.span = s.span)
    ), told as (
      insert into licence_notices (document_id, span)
      select id, span from due
      on conflict do nothing
      returning document_id
    )
    insert into jobs (kind, payload)
    -- several spans at once, after a standstill, are one e-mail
    select distinct 'send_licence_warning', jsonb_build_object('user_id', d.user_id, 'document_id', d.id)
    from told
    join merchant_documents d on d.id = told.document_id
    returning id`.execute(db)
  if (rows.length > 0) await sql`select pg_notify(${JOBS_CHANNEL}, '')`.execute(db)
  return rows.length
}
