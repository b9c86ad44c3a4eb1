import { sql } from 'kysely'
import type { Tier } from '#contract/values/permissions.ts'
import { cellsAround } from '#domain/market/preference-cells.ts'
import type { Spot } from '#domain/search/uk-map.ts'
import type { Db } from '#server/db/db.ts'

type Offered = {
  material_id: string
  weight_kg: number | null
  /** On the map. */
  place: Spot
  /** Who offers it, and everybody with a block in either direction, is not told. */
  exceptId: string
  tiers: readonly Tier[]
}

/** Members with alerts whose preferences match: material, weight (one that is not known matches) and distance. */
export async function findMatching(db: Db, { material_id, weight_kg, place, exceptId, tiers }: Offered): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    // the candidates are few and lie together in one index; a plan for all preferences or all users would read a hundred times as much
    await sql`set local enable_seqscan = off`.execute(tx)
    await sql`set local enable_hashjoin = off`.execute(tx)
    await sql`set local enable_mergejoin = off`.execute(tx)
    await sql`set local jit = off`.execute(tx)
    const { rows } = await sql<{ user_id: string }>`
      with near as materialized (
        select user_id
        from preference_cells p
        where p.material_id = ${material_id}
          and p.cell = any(${cellsAround(place)}::integer[])
          and coalesce((p.spot <-> point(${place.x}::float8, ${place.y}::float8)) <= p.radius_miles, true)
          and coalesce(p.min_weight_kg <= ${weight_kg}::integer, true)
      )
      select near.user_id
      from near
      join users u on u.id = near.user_id
      where u.id <> ${exceptId} and u.deleted_at is null and u.suspended_at is null and u.tier = any(${tiers}::text[])
        and not exists (select from user_blocks b where b.blocker_id = u.id and b.blocked_id = ${exceptId})
        and not exists (select from user_blocks b where b.blocker_id = ${exceptId} and b.blocked_id = u.id)`.execute(tx)
    return rows.map(({ user_id }) => user_id)
  })
}
