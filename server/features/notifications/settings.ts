import { sql } from 'kysely'
import type { z } from 'zod'
import type { newNotificationSettings, NotificationSettings } from '#contract/notifications.ts'
import { notificationChannels, notificationKinds, type NotificationKind } from '#contract/values/notification-kinds.ts'
import type { Role } from '#contract/values/permissions.ts'
import { channelsOf, type ChosenChannels } from '#domain/notifications/channels.ts'
import { kinds } from '#domain/notifications/kinds.ts'
import type { Db, DbOrTx } from '#server/db/db.ts'
import { refuse } from '#server/http/errors.ts'

type Reader = { id: string; role: Role | null }
type SettingsRow = { kinds: ChosenChannels; quiet_from: string | null; quiet_to: string | null; digest: boolean }

export async function readSettings(db: DbOrTx, reader: Reader): Promise<NotificationSettings> {
  const { rows } = await sql<SettingsRow>`
    select kinds, quiet_from::text, quiet_to::text, digest from notification_settings where user_id = ${reader.id}`.execute(db)
  const row = rows[0]
  const shown = notificationKinds.filter((kind) => reader.role === 'admin' || !kinds[kind].isForAdmins)
  return {
    kinds: Object.fromEntries(shown.map((kind) => [kind, presentKind(kind, row?.kinds ?? {})])),
    quiet_hours: row?.quiet_from && row.quiet_to ? { from: row.quiet_from.slice(0, 5), to: row.quiet_to.slice(0, 5) } : null,
    digest: row?.digest ?? false,
  }
}

function presentKind(kind: NotificationKind, chosen: ChosenChannels) {
  const { group, label, about, locked } = kinds[kind]
  return { ...channelsOf(kind, chosen), group, label, about, ...(locked && { locked: [...locked] }) }
}

/** A field that is left out keeps its value. */
export async function saveSettings(db: Db, reader: Reader, given: z.output<typeof newNotificationSettings>): Promise<NotificationSettings> {
  const chosen = chosenOf(given.kinds ?? {})
  const quiet = given.quiet_hours
  await sql`
    insert into notification_settings as s (user_id, kinds, quiet_from, quiet_to, digest)
    values (${reader.id}, ${JSON.stringify(chosen)}::jsonb, ${quiet?.from ?? null}, ${quiet?.to ?? null}, ${given.digest ?? false})
    on conflict (user_id) do update
    set kinds = s.kinds || (select coalesce(jsonb_object_agg(key, coalesce(s.kinds -> key, '{}') || value), '{}') from jsonb_each(excluded.kinds)),
        quiet_from = case when ${quiet !== undefined} then excluded.quiet_from else s.quiet_from end,
        quiet_to = case when ${quiet !== undefined} then excluded.quiet_to else s.quiet_to end,
        digest = case when ${given.digest !== undefined} then excluded.digest else s.digest end`.execute(db)
  await endCall(db, reader.id)
  return readSettings(db, reader)
}

function chosenOf(given: NonNullable<z.output<typeof newNotificationSettings>['kinds']>): ChosenChannels {
  const chosen: ChosenChannels = {}
  const errors: Record<string, string[]> = {}
  for (const kind of notificationKinds) {
    const row = given[kind]
    if (!row) continue
    for (const channel of notificationChannels) {
      const isOn = row[channel]
      if (isOn === undefined) continue
      if (!isOn && kinds[kind].locked?.includes(channel)) errors[`kinds.${kind}.${channel}`] = ['This cannot be switched off.']
      else chosen[kind] = { ...chosen[kind], [channel]: isOn }
    }
  }
  if (Object.keys(errors).length > 0) throw refuse('invalid', 'Some notifications cannot be switched off.', { errors })
  return chosen
}

/** The prompt to complete the settings does not come back. */
export async function endCall(db: DbOrTx, userId: string): Promise<void> {
  await sql`
    update users set notification_call_ended_at = app_now() where id = ${userId} and notification_call_ended_at is null`.execute(db)
}
