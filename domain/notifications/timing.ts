import type { NotificationKind } from '#contract/values/notification-kinds.ts'
import { fromLondonMinute, toLondonMinute } from '#domain/london-clock.ts'
import { kinds, type Digest } from '#domain/notifications/kinds.ts'

/** '22:00' to '06:00' by London's clock. */
export type QuietHours = { from: string; to: string } | null

const DAY_MS = 86_400_000
const DAILY_AT = '07:00'
/** After an email of a digest, the next one waits this long. */
const digestEveryMs: Record<Digest, number> = { matches: 3_600_000, messages: 900_000 }

type Email = {
  kind: NotificationKind
  now: Date
  quietHours: QuietHours
  /** The setting: matches once a day. */
  isDaily: boolean
  /** When an email of the same digest went out last, and when the next one is due already. */
  lastSentAt: Date | null
  nextDueAt: Date | null
}

/** When a notification is due by email. RULES §6: quiet hours hold it, but not payment. */
export function emailDueAt({ kind, now, quietHours, isDaily, lastSentAt, nextDueAt }: Email): Date {
  const { digest, ignoresQuietHours } = kinds[kind]
  if (!digest) return ignoresQuietHours ? now : afterQuietHours(now, quietHours)
  if (nextDueAt) return nextDueAt
  if (isDaily && digest === 'matches') return nextAt(now, DAILY_AT)
  const earliest = lastSentAt ? lastSentAt.getTime() + digestEveryMs[digest] : 0
  return afterQuietHours(new Date(Math.max(now.getTime(), earliest)), quietHours)
}

export const pushDueAt = (kind: NotificationKind, now: Date, quietHours: QuietHours): Date =>
  kinds[kind].ignoresQuietHours ? now : afterQuietHours(now, quietHours)

/** The moment itself, or the end of the quiet hours that it falls into. */
export function afterQuietHours(at: Date, quietHours: QuietHours): Date {
  if (!quietHours) return at
  const { from, to } = quietHours
  const clock = toLondonMinute(at).slice('yyyy-mm-ddT'.length)
  const isQuiet = from < to ? from <= clock && clock < to : from <= clock || clock < to
  return isQuiet ? nextAt(at, to) : at
}

/** The next time that London's clocks show this. */
function nextAt(after: Date, clock: string): Date {
  const today = toLondonMinute(after).slice(0, 'yyyy-mm-dd'.length)
  const then = fromLondonMinute(`${today}T${clock}`)
  if (then > after) return then
  const tomorrow = new Date(Date.parse(`${today}T12:00Z`) + DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length)
  return fromLondonMinute(`${tomorrow}T${clock}`)
}

/** Whether it speaks of a time that is over: an email that was held must not ask to bid on what has ended. */
export const isOver = (facts: object, now: Date): boolean =>
  'ends_at' in facts && typeof facts.ends_at === 'string' && new Date(facts.ends_at) <= now
