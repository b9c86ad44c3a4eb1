import { sql } from 'kysely'
import { toInterval } from '#domain/duration.ts'
import type { Db } from '#server/db/db.ts'
import { notifyEach } from '#server/features/notifications/public.ts'

// RULES §7: whose licence ends is told 60, 30 and 7 days before. Any number of processes look; a row for each licence and span is
// written by the first, with the notification.

/** Answers how many were told. */
export const warnOfLicences = (db: Db, spans: readonly string[]): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string; user_id: string; span: string; expires_at: Date; days: number }>`
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
        returning document_id, span
      )
      -- several spans at once, after a standstill, are one notification
      select d.id, d.user_id, min(told.span) as span, d.expires_at,
             ceil(extract(epoch from d.expires_at - clock.now) / 86400)::int as days
      from clock, told
      join merchant_documents d on d.id = told.document_id
      group by d.id, clock.now`.execute(tx)
    await notifyEach(
      tx,
      'licence',
      rows.map(({ id, user_id, span, expires_at, days }) => ({
        to: user_id,
        source: `licence:${id}:${span}`,
        facts: { document: 'scrap_dealer_licence', outcome: 'ends', expires_at: expires_at.toISOString(), days },
        link: '/account/merchant-documents',
      })),
    )
    return rows.length
  })
