import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { NotificationFacts } from '#domain/notifications/kinds.ts'
import { toInterval } from '#domain/duration.ts'
import { warnOfLicences } from '#server/clock/licences.ts'
import type { Db } from '#server/db/db.ts'
import { logFault } from '#server/db/outage.ts'
import { notifyEach } from '#server/features/notifications/public.ts'
import { tellOutbid } from '#server/features/bids/public.ts'
import { readSteps, type ReadSetting } from '#server/features/settings/public.ts'

// RULES §6: who watches a listing is told an hour and ten minutes before its end. Any number of processes look; a row for each user,
// listing and span is written by the first, with the notification.

const LOOK_EVERY_MS = 5_000

type Ending = Omit<NotificationFacts['ending_soon'], 'ends_at'> & { user_id: string; listing_id: string; span: string; expires_at: Date }

/** Answers how many were told. */
export const remindWatchers = (db: Db, spans: readonly string[]): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<Ending>`
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
        returning user_id, listing_id, span
      )
      -- both spans at once, after a standstill, are one notification
      select told.user_id, told.listing_id, min(told.span) as span, l.title, l.town, coalesce(l.current_price, l.start_price) as price,
             l.price_basis, l.bid_count, l.expires_at
      from told
      join listings l on l.id = told.listing_id
      join users u on u.id = told.user_id and u.deleted_at is null and u.suspended_at is null
      group by told.user_id, told.listing_id, l.id`.execute(tx)
    await notifyEach(
      tx,
      'ending_soon',
      rows.map(({ user_id, listing_id, span, expires_at, ...facts }) => ({
        to: user_id,
        source: `ending:${listing_id}:${span}`,
        facts: { ...facts, ends_at: expires_at.toISOString() },
        listingId: listing_id,
      })),
    )
    return rows.length
  })

export type Reminders = { stop(): Promise<void> }

export function startReminders({ db, readSetting, log }: { db: Db; readSetting: ReadSetting; log: FastifyBaseLogger }): Reminders {
  let looking: Promise<unknown> = Promise.resolve()
  const look = async () => {
    try {
      while (await tellOutbid(db, await readSteps(db, readSetting))) continue
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
