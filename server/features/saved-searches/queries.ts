import { sql } from 'kysely'
import type { SavedSearch } from '#contract/saved-searches.ts'
import type { DbOrTx } from '#server/db/db.ts'
import { searchOf, textQuery } from '#server/features/search/public.ts'

type Row = { id: string; name: string; filter: SavedSearch['filter']; alerts: boolean; created_at: Date }

/** Newest first. */
export async function findSavedSearches(db: DbOrTx, userId: string): Promise<SavedSearch[]> {
  const { rows } = await sql<Row>`
    select id, name, filter, alerts, created_at
    from saved_searches
    where user_id = ${userId}
    order by created_at desc, id desc`.execute(db)
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }))
}

/** With the columns that alerts compare a new listing with. */
export async function insertSavedSearch(
  db: DbOrTx,
  userId: string,
  { name, filter, alerts }: Pick<SavedSearch, 'name' | 'filter' | 'alerts'>,
): Promise<string> {
  const { text, material_id, transfer_method_id, min_price, max_price, near, radius_miles } = searchOf(filter)
  const { rows } = await sql<{ id: string }>`
    insert into saved_searches (user_id, name, filter, alerts, material_id, transfer_method_id, min_price, max_price, words, spot, radius_miles)
    values (${userId}, ${name}, ${JSON.stringify(filter, wellFormed)}::jsonb, ${alerts}, ${material_id ?? null}, ${transfer_method_id ?? null},
            ${min_price ?? null}, ${max_price ?? null}, ${text === undefined ? null : textQuery(text)},
            ${near ? sql`point(${near.x}::float8, ${near.y}::float8)` : null}, ${radius_miles ?? null})
    returning id`.execute(db)
  return rows[0]?.id ?? ''
}

export async function deleteSavedSearch(db: DbOrTx, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('saved_searches').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()
  return numDeletedRows > 0n
}

// half a character, which JSON can spell and jsonb does not take
const wellFormed = (_key: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)
