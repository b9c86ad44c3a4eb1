import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { toInterval } from '#domain/duration.ts'
import { warnOfLicences } from '#server/clock/licences.ts'
import type { Db } from '#server/db/db.ts'
import { logFault } from '#server/db/outage.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import { JOBS_CHANNEL } from '#server/jobs/queue.ts'

// RULES §6: who watches a listing is told an hour and ten minutes before its end. Any number of processes look; a row for each user,
// listing and span is written by the first, and the e-mail is queued with it.

const LOOK_EVERY_MS = 5_000

/** Answers how many e-mails it queued. */
export async function remindWatchers(db: Db, spans: readonly string[]): Promise<number> {
  const { rows } = await sql`
    with clock as materialized (
      select app_now() as now
    ), due as (
      select w.user_id, w.listing_id, s.span
      from clock, unnest(${spans}::text[], ${spans.map(toInterval)}::interval[]) as s (span, lasts), listings l, watches w
      where l.status = 'Active' and l.expires_at > now and l.expires_at <= now + s.lasts
        and w.listing_id = l.id
        -- whoever began to watch within the span knows
        and w.created_at <= l.expires_at - s.lasts
        and not exists (
          select from ending_soon_notices n where n.user_id = w.user_id and n.listing_id = w.listing_id and n.span = s.span
        )
    ), told as (
      insert into ending_soon_notices (user_id, listing_id, span)
      select user_id, listing_id, span from due
      on conflict do nothing
      returning user_id, listing_id
    )
    insert into jobs (kind, payload)
    -- both spans at once, after a standstill, are one e-mail
    select distinct 'send_ending_soon', jsonb_build_object('user_id', user_id, 'listing_id', listing_id)
    from told
    returning id`.execute(db)
  if (rows.length > 0) await sql`select pg_notify(${JOBS_CHANNEL}, '')`.execute(db)
  return rows.length
}

export type Reminders = { stop(): Promise<void> }

export function startReminders({ db, readSetting, log }: { db: Db; readSetting: ReadSetting; log: FastifyBaseLogger }): Reminders {
  let looking: Promise<unknown> = Promise.resolve()
  const look = async () => {
    try {
      await remindWatchers(db, await readSetting(db, 'ending_soon'))
      await warnOfLicences(db, await readSetting(db, 'licence_warnings'))
    } catch (error) {
      logFault(log, { err: error, event: 'reminders_fault' }, 'not everybody could be reminded, trying again')
    }
  }
  // one look after the other, however long one takes
  const timer = setInterval(() => (looking = looking.then(look)), LOOK_EVERY_MS)
  return {
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
}
