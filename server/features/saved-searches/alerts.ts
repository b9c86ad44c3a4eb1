import { sql } from 'kysely'
import type { NotificationFacts } from '#domain/notifications/kinds.ts'
import type { Db } from '#server/db/db.ts'
import { notifyEach } from '#server/features/notifications/public.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'

export const savedSearchJobs = ({ db }: { db: Db }): Pick<JobHandlers, 'match_saved_searches'> => ({
  match_saved_searches: ({ listing_id }) => tellOfMatches(db, listing_id),
})

type Match = Omit<NotificationFacts['listing_matched'], 'ends_at'> & { user_id: string; expires_at: Date; search: string }

/**
 * Everybody with a saved search that a new listing meets. Whoever was told of the listing already, by this or by their material
 * preferences, is not told again. Every search is compared by the database at once, those for other materials not at all.
 */
export async function tellOfMatches(db: Db, listingId: string): Promise<void> {
  const { rows } = await sql<Match>`
    select s.user_id, min(s.name) as search, l.title, l.town, f.price, l.price_basis, l.expires_at, l.weight_kg
    from listing_search f
    join listings l on l.id = f.listing_id
    join saved_searches s on s.alerts and (s.material_id = f.material_id or s.material_id is null)
    join users u on u.id = s.user_id
    where f.listing_id = ${listingId}
      and s.user_id <> l.seller_id
      and u.deleted_at is null and u.suspended_at is null
      and coalesce(s.transfer_method_id = f.transfer_method_id, true)
      and f.price >= coalesce(s.min_price, 0)
      and coalesce(f.price <= s.max_price, true)
      and coalesce(f.spot <-> s.spot <= s.radius_miles, true)
      and coalesce(f.words @@ s.words, true)
    group by s.user_id, l.id, f.price`.execute(db)
  for (let from = 0; from < rows.length; from += AT_ONCE)
    await notifyEach(
      db,
      'listing_matched',
      rows.slice(from, from + AT_ONCE).map(({ user_id, expires_at, ...facts }) => ({
        to: user_id,
        source: `listing:${listingId}`,
        facts: { ...facts, ends_at: expires_at.toISOString() },
        listingId,
      })),
    )
}

const AT_ONCE = 2_000
