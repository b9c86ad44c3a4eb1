import { formatMoment } from '#domain/format-time.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** 'Just now', '5 min ago', '3 h ago', then '24 Nov 16:00'. */
export function formatAgo(at: Date, now: Date): string {
  const ms = now.getTime() - at.getTime()
  if (ms < MINUTE_MS) return 'Just now'
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min ago`
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)} h ago`
  return formatMoment(at)
}
