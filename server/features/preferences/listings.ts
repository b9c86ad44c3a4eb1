import { sql } from 'kysely'
import { tiers } from '#contract/values/permissions.ts'
import type { PriceBasis } from '#domain/money.ts'
import type { Db } from '#server/db/db.ts'
import { notify } from '#server/features/notifications/public.ts'
import { findMatching } from '#server/features/preferences/matching.ts'

const READERS_AT_ONCE = 1_000

type Row = {
  seller_id: string
  title: string
  material_id: string
  weight_kg: number | null
  town: string
  price: number
  price_basis: PriceBasis
  expires_at: Date
  x: number
  y: number
}

/** The job of a listing that becomes Active: members whose preferences match are told, whatever their plan. */
export async function matchListing(db: Db, listingId: string): Promise<void> {
  const { rows } = await sql<Row>`
    select l.seller_id, l.title, l.material_id, l.weight_kg, l.town, f.price, l.price_basis, l.expires_at, f.spot[0] as x, f.spot[1] as y
    from listings l
    join listing_search f on f.listing_id = l.id
    where l.id = ${listingId} and l.expires_at > app_now()`.execute(db)
  const [listing] = rows
  if (!listing) return
  const { seller_id, title, material_id, weight_kg, town, price, price_basis, expires_at, x, y } = listing
  const readers = await findMatching(db, { material_id, weight_kg, place: { x, y }, exceptId: seller_id, tiers })
  for (let at = 0; at < readers.length; at += READERS_AT_ONCE) {
    await notify(db, {
      kind: 'listing_matched',
      to: readers.slice(at, at + READERS_AT_ONCE),
      // the same source as a saved search that finds it: nobody is told twice of one listing
      source: `listing:${listingId}`,
      facts: { title, town, price, price_basis, weight_kg, ends_at: expires_at.toISOString() },
      listingId,
    })
  }
}

const SHOWN = 6
// of each material, those that end first: enough to find some within the radius
const LOOKED_AT = 300

/** Active listings that match somebody's preferences, ending soonest first. */
export async function findForYou(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select f.listing_id as id
    from material_preferences p
    cross join lateral unnest(p.material_ids) as wanted (material_id)
    cross join lateral (
      select s.listing_id, s.expires_at, s.spot
      from listing_search s
      where s.material_id = wanted.material_id and s.expires_at > (select app_now())
      order by s.expires_at, s.listing_id
      limit ${LOOKED_AT}
    ) as f
    join listings l on l.id = f.listing_id
    where p.user_id = ${userId} and l.seller_id <> ${userId}
      and coalesce((f.spot <-> p.spot) <= p.radius_miles, true)
      and coalesce(l.weight_kg >= p.min_weight_kg, true)
    order by f.expires_at, f.listing_id
    limit ${SHOWN}`.execute(db)
  return rows.map(({ id }) => id)
}
