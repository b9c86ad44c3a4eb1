import { sql } from 'kysely'
import { hiddenStatuses } from '#domain/listings/visibility.ts'
import type { Db } from '#server/db/db.ts'
import type { StreamTopics } from '#server/live/followers.ts'
import type { LiveRow } from '#server/live/present.ts'

// What is kept for those who come back, and for how long.

const PAGE = 500
const KEPT_FOR = '1 hour'
// more than this is quicker read anew than told again
const MOST_BEHIND = 200_000
const SWEPT_AT_ONCE = 5_000

type Page = { rows: LiveRow[]; isMore: boolean } | 'lost'

/** What came after `from`, up to `upTo`, of what is wanted; or that some of it is no longer kept. */
export async function readKept(db: Db, { listingIds, isAll, isMarket, me }: StreamTopics, from: number, upTo: number): Promise<Page> {
  if (from > upTo || upTo - from > MOST_BEHIND) return 'lost'
  const { rows } = await sql<LiveRow & { oldest: string | null }>`
    select kept.oldest, e.*
    from (select min(id) as oldest from live_events) as kept
    left join lateral (
      select id, listing_id, user_id, kind, payload, at
      from live_events
      where id > ${from} and id <= ${upTo}
        and case
          when kind = 'enquiry' then ${isMarket}
          when user_id is null then ${isAll} or listing_id = any(${listingIds}::uuid[])
          else user_id = ${me?.userId ?? null}::uuid
        end
      order by id
      limit ${PAGE}
    ) as e on true`.execute(db)
  const oldest = rows[0]?.oldest
  if (oldest ? from < Number(oldest) - 1 : from > 0) return 'lost'
  const found = rows.filter(({ id }) => id !== null)
  return { rows: found, isMore: found.length === PAGE }
}

/** How new the followed listings are that everybody may see. */
export async function readVersions(db: Db, ids: readonly string[]): Promise<Record<string, number>> {
  if (ids.length === 0) return {}
  const rows = await db
    .selectFrom('listings')
    .select(['id', 'version'])
    .where('id', 'in', [...ids])
    .where('status', 'not in', hiddenStatuses)
    .execute()
  return Object.fromEntries(rows.map(({ id, version }) => [id, version]))
}

/** One process at a time; the newest row stays, so that what was swept can be told from what never was. */
export async function sweepKept(db: Db): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      with turn as materialized (
        select pg_try_advisory_xact_lock(7261005) as is_mine
      ), oldest as (
        select id, at
        from live_events
        where (select is_mine from turn)
        order by id
        limit ${SWEPT_AT_ONCE}
      )
      delete from live_events
      using oldest
      where live_events.id = oldest.id
        and oldest.at < app_now() - ${KEPT_FOR}::interval
        and oldest.id < (select max(id) from live_events)`.execute(db)
    if (numAffectedRows < SWEPT_AT_ONCE) return
  }
}
