import type pg from 'pg'

// RULES §4: a listing that cannot be closed or moved on is set aside, and tried again with a growing pause.

const FIRST_PAUSE_SECONDS = 2
const LONGEST_PAUSE_SECONDS = 3_600

/** For a query of listings by this alias. */
export const notSetAside = (listing: string): string =>
  `not exists (select from set_aside_listings s where s.listing_id = ${listing}.id and s.next_try_at > (select app_now()))`

/** Answers how often it has failed by now. */
export async function setAside(client: pg.ClientBase, listingId: string, error: unknown): Promise<number> {
  const { rows } = await client.query<{ attempts: number }>(
    `insert into set_aside_listings as s (listing_id, last_failed_at, next_try_at, last_error)
     select $1, clock.now, clock.now + make_interval(secs => $3), $2
     from (select app_now() as now offset 0) as clock
     on conflict (listing_id) do update
     set attempts = s.attempts + 1,
         last_failed_at = excluded.last_failed_at,
         next_try_at = excluded.last_failed_at + make_interval(secs => least($4, $3 * 2 ^ least(s.attempts, 20))),
         last_error = excluded.last_error
     returning attempts`,
    [listingId, String(error).slice(0, 1_000), FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS],
  )
  return rows[0]?.attempts ?? 1
}

/** In the transaction that moved them. */
export async function noLongerSetAside(client: pg.ClientBase, listingIds: readonly string[]): Promise<void> {
  if (listingIds.length > 0) await client.query('delete from set_aside_listings where listing_id = any($1::uuid[])', [listingIds])
}
