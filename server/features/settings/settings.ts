import { sql } from 'kysely'
import { settings, type Setting, type SettingKey } from '#contract/settings.ts'
import type { AuditTrail } from '#server/db/audit.ts'
import type { Db, DbOrTx, Tx } from '#server/db/db.ts'
import { refuseField } from '#server/http/errors.ts'

type Overrides = ReadonlyMap<SettingKey, unknown>

/** Reads a setting at the moment of use: the sandbox's SETTINGS variable, else its row, else its default. */
export type ReadSetting = {
  <K extends SettingKey>(db: DbOrTx, key: K): Promise<Setting<K>>
  /** What is used together is read together, by one query. */
  several<K extends SettingKey>(db: DbOrTx, keys: readonly K[]): Promise<{ [Key in K]: Setting<Key> }>
  /** The same with the time, by the same query. */
  withClock<K extends SettingKey>(db: DbOrTx, keys: readonly K[]): Promise<{ now: Date; values: { [Key in K]: Setting<Key> } }>
}

/**
 * Within a transaction by its connection, else by `own` ones: whoever reads a setting may hold a listing's lock, and must not wait
 * for a connection that somebody has who waits for that lock.
 */
export function settingsReader(overrides: Overrides, own?: Db): ReadSetting {
  const valuesOf = (keys: readonly SettingKey[], stored: ReadonlyMap<string, unknown>) => {
    const valueOf = (key: SettingKey) =>
      overrides.has(key) ? overrides.get(key) : stored.has(key) ? stored.get(key) : settings[key].default
    return Object.fromEntries(keys.map((key) => [key, settings[key].holds.parse(valueOf(key))])) as never
  }
  const chosen = (given: DbOrTx) => (given.isTransaction ? given : (own ?? given))
  const several: ReadSetting['several'] = async (given, keys) => {
    const asked = keys.filter((key) => !overrides.has(key))
    const rows =
      asked.length > 0 ? await chosen(given).selectFrom('settings').select(['key', 'value']).where('key', 'in', asked).execute() : []
    return valuesOf(keys, new Map(rows.map(({ key, value }) => [key, value])))
  }
  const withClock: ReadSetting['withClock'] = async (given, keys) => {
    const { rows } = await sql<{ now: Date; stored: Record<string, unknown> }>`
      select app_now() as now, coalesce((select jsonb_object_agg(key, value) from settings where key = any(${keys})), '{}') as stored`.execute(
      chosen(given),
    )
    const { now = new Date(NaN), stored = {} } = rows[0] ?? {}
    return { now, values: valuesOf(keys, new Map(Object.entries(stored))) }
  }
  const one = async <K extends SettingKey>(db: DbOrTx, key: K) => (await several(db, [key]))[key]
  return Object.assign(one, { several, withClock })
}

/** A setting by its key alone: the database was chosen before. */
export type SettingReader = <K extends SettingKey>(key: K) => Promise<Setting<K>>

/** For one operation: each setting is read once. */
export function readOnce(read: SettingReader): SettingReader {
  const known = new Map<SettingKey, Promise<unknown>>()
  return (key) => {
    const value = known.get(key) ?? read(key)
    known.set(key, value)
    return value as ReturnType<typeof read<typeof key>>
  }
}

export type ListedSetting = {
  key: SettingKey
  value: unknown
  default: unknown
  from: 'SETTINGS' | 'row' | 'default'
  /** Why a row written by other means than writeSetting cannot be read. */
  problem: string | null
}

/** Every setting in the order of RULES §8, with the value that is in force and where it comes from. */
export async function listSettings(db: DbOrTx, overrides: Overrides = new Map()): Promise<ListedSetting[]> {
  const rows = await db.selectFrom('settings').select(['key', 'value']).execute()
  const stored = new Map<string, unknown>(rows.map(({ key, value }) => [key, value]))
  return keys.map((key) => {
    const { holds, default: standard } = settings[key]
    const from = overrides.has(key) ? 'SETTINGS' : stored.has(key) ? 'row' : 'default'
    const value = { SETTINGS: overrides.get(key), row: stored.get(key), default: standard }[from]
    return { key, value, default: standard, from, problem: problemOf(holds.safeParse(value)) }
  })
}

/** Sets one setting for every process at once, and writes down who did. */
export async function writeSetting(db: Db, { key, value, audit }: { key: string; value: unknown; audit: AuditTrail }): Promise<void> {
  const known = knownKey(key)
  const parsed = settings[known].holds.safeParse(value)
  const problem = problemOf(parsed)
  if (problem !== null) throw refuseField('value', `${known}: ${problem}`)
  const json = JSON.stringify(parsed.data)
  await change(db, { key: known, act: 'set-setting', audit, after: parsed.data }, (tx) =>
    tx
      .insertInto('settings')
      .values({ key: known, value: json })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: json, updated_at: sql`app_now()` }))
      .execute(),
  )
}

/** Takes the row away, so that the default is in force again. */
export async function resetSetting(db: Db, { key, audit }: { key: string; audit: AuditTrail }): Promise<void> {
  const known = knownKey(key)
  await change(db, { key: known, act: 'reset-setting', audit, after: settings[known].default }, (tx) =>
    tx.deleteFrom('settings').where('key', '=', known).execute(),
  )
}

const keys = Object.keys(settings) as SettingKey[]

type Change = { key: SettingKey; act: string; audit: AuditTrail; after: unknown }

async function change(db: Db, { key, act, audit, after }: Change, write: (tx: Tx) => Promise<unknown>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // one change after another, a first row included: otherwise two at once note the same value before. Readers do not wait.
    await sql`lock table settings in share row exclusive mode`.execute(tx)
    const row = await tx.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst()
    const before = row ? row.value : settings[key].default
    await write(tx)
    await audit.write(tx, { act, details: { key, before, after } })
  })
}

function knownKey(key: string): SettingKey {
  if (!Object.hasOwn(settings, key)) throw refuseField('key', `There is no setting '${key}'`)
  return key as SettingKey
}

const problemOf = (parsed: { error?: { issues: { message: string }[] } | undefined }): string | null =>
  parsed.error?.issues[0]?.message ?? null
