import { sql } from 'kysely'
import type { Db } from '#server/db/db.ts'
import { JOBS_CHANNEL } from '#server/jobs/queue.ts'

/**
 * One e-mail for each user with a saved search that a new listing meets: listing_alerts holds whom it was told to, so that running
 * again tells nobody twice. Every search is compared by the database at once, those for other materials not at all.
 */
export async function queueAlerts(db: Db, listingId: string): Promise<void> {
  await sql`
    with matched as (
      select s.user_id, min(s.name) as search
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
      group by s.user_id
    ), told as (
      insert into listing_alerts (user_id, listing_id)
      select user_id, ${listingId}::uuid from matched
      on conflict do nothing
      returning user_id
    )
    insert into jobs (kind, payload)
    select 'send_listing_alert', jsonb_build_object('user_id', user_id, 'listing_id', ${listingId}::uuid, 'search', search)
    from matched
    join told using (user_id)`.execute(db)
  await sql`select pg_notify(${JOBS_CHANNEL}, '')`.execute(db)
}
