import { notificationChannels, type NotificationChannel, type NotificationKind } from '#contract/values/notification-kinds.ts'
import { kinds } from '#domain/notifications/kinds.ts'

/** What a user has chosen, where it differs from the defaults. */
export type ChosenChannels = Partial<Record<NotificationKind, Partial<Record<NotificationChannel, boolean>>>>

/** Locked ones are on; the others as chosen, else as the kind has them. */
export function channelsOf(kind: NotificationKind, chosen: ChosenChannels): Record<NotificationChannel, boolean> {
  const { channels, locked = [] } = kinds[kind]
  const isOn = (channel: NotificationChannel) => locked.includes(channel) || (chosen[kind]?.[channel] ?? channels[channel])
  return Object.fromEntries(notificationChannels.map((channel) => [channel, isOn(channel)])) as Record<NotificationChannel, boolean>
}
