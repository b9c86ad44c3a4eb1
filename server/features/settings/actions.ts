import { settings, type Setting, type SettingKey } from '#contract/settings.ts'
import type { DbOrTx } from '#server/db.ts'

/** Reads a setting at the moment of use: the sandbox's SETTINGS variable, else its row, else its default. */
export type ReadSetting = <K extends SettingKey>(db: DbOrTx, key: K) => Promise<Setting<K>>

export const settingsReader =
  (overrides: ReadonlyMap<SettingKey, unknown>): ReadSetting =>
  async (db, key) => {
    const { holds, default: standard } = settings[key]
    if (overrides.has(key)) return holds.parse(overrides.get(key)) as never
    const row = await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst()
    return holds.parse(row ? row.value : standard) as never
  }
