import { sql } from 'kysely'
import type { MaterialPreferences, PreferencesForm } from '#contract/market/preferences.ts'
import { businessActivities, type BusinessActivity } from '#contract/values/business.ts'
import type { MaterialId } from '#contract/values/materials.ts'
import { cellOfPreference } from '#domain/market/preference-cells.ts'
import type { Spot } from '#domain/search/uk-map.ts'
import { now } from '#server/db/clock.ts'
import type { Db, DbOrTx, Tx } from '#server/db/db.ts'
import { lockUserBesideBids } from '#server/db/user.ts'
import { spotOfPostCode } from '#server/features/search/public.ts'
import { accountDeleted, refuse, refuseField } from '#server/http/errors.ts'
import type { SessionUser } from '#server/http/session.ts'

export const isTrade = ({ business_activity }: Pick<SessionUser, 'business_activity'>): boolean =>
  business_activity !== null && businessActivities[business_activity as BusinessActivity]?.side === 'trade'

export async function findPreferences(db: DbOrTx, user: SessionUser): Promise<MaterialPreferences> {
  const row = await db.selectFrom('material_preferences').selectAll().where('user_id', '=', user.id).executeTakeFirst()
  const shown = await db.selectFrom('tradespeople_on_map').select('user_id').where('user_id', '=', user.id).executeTakeFirst()
  return {
    material_ids: (row?.material_ids ?? []) as MaterialId[],
    min_weight_kg: row?.min_weight_kg ?? null,
    radius_miles: row?.radius_miles ?? null,
    post_code: row?.post_code ?? null,
    alerts: row?.alerts ?? true,
    show_on_map: isTrade(user) ? shown !== undefined : null,
    updated_at: row ? new Date(row.updated_at).toISOString() : null,
  }
}

/** Saves them, and files them where matching looks. */
export async function savePreferences(db: Db, user: SessionUser, form: PreferencesForm): Promise<void> {
  const material_ids = [...new Set(form.material_ids)]
  const post_code = form.post_code?.toUpperCase() || null
  const spot = post_code === null ? null : spotOfPostCode(post_code)
  if (spot === undefined) throw refuseField('post_code', 'This post code is not known. Enter one such as M1 4BT, or its first half.')
  if (form.show_on_map === true && !isTrade(user))
    throw refuse('invalid', 'Only tradespeople are shown on the map.', {
      errors: { show_on_map: ['Only tradespeople are shown on the map.'] },
    })
  const point = spot ? sql<Spot>`point(${spot.x}::float8, ${spot.y}::float8)` : null
  const columns = {
    material_ids,
    min_weight_kg: form.min_weight_kg ?? null,
    radius_miles: form.radius_miles ?? null,
    post_code,
    spot: point,
    alerts: form.alerts,
  }
  await db.transaction().execute(async (tx) => {
    if ((await lockUserBesideBids(tx, user.id)).isDeleted) throw accountDeleted()
    await tx
      .insertInto('material_preferences')
      .values({ user_id: user.id, ...columns })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...columns, updated_at: sql`app_now()` }))
      .execute()
    await tx.updateTable('users').set({ material_preferences_saved_at: now }).where('id', '=', user.id).execute()
    await tx.deleteFrom('preference_cells').where('user_id', '=', user.id).execute()
    if (form.alerts && material_ids.length > 0) {
      const { min_weight_kg, radius_miles } = columns
      const cell = cellOfPreference(spot, radius_miles)
      await tx
        .insertInto('preference_cells')
        .values(material_ids.map((material_id) => ({ material_id, cell, user_id: user.id, spot: point, radius_miles, min_weight_kg })))
        .execute()
    }
    if (form.show_on_map !== undefined) await showOnMap(tx, user.id, form.show_on_map)
  })
}

async function showOnMap(tx: Tx, userId: string, isShown: boolean): Promise<void> {
  if (!isShown) return void (await tx.deleteFrom('tradespeople_on_map').where('user_id', '=', userId).execute())
  await tx
    .insertInto('tradespeople_on_map')
    .values({ user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** When an account is erased. */
export async function erasePreferences(tx: Tx, userId: string): Promise<void> {
  for (const table of ['material_preferences', 'preference_cells', 'tradespeople_on_map'] as const)
    await tx.deleteFrom(table).where('user_id', '=', userId).execute()
}
