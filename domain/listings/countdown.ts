const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const LAST_MINUTES = 5 * MINUTE

export const timeLeftMs = (expires_at: Date, now: Date): number => expires_at.getTime() - now.getTime()

/** SPEC §9: 'Xd Xh Xm', under one minute 'Xh Xm Xs', expired '0h 0m'. Rounded down: never promise more than is left. */
export function countdown(leftMs: number): string {
  if (leftMs <= 0) return '0h 0m'
  if (leftMs < MINUTE) return `0h 0m ${Math.floor(leftMs / SECOND)}s`
  return `${Math.floor(leftMs / DAY)}d ${Math.floor((leftMs % DAY) / HOUR)}h ${Math.floor((leftMs % HOUR) / MINUTE)}m`
}

/** SPEC §9: every 60 s; every second in the last five minutes, which one refresh is moved up to meet. */
export function refreshEveryMs(leftMs: number): number {
  if (leftMs <= 0) return MINUTE
  return leftMs <= LAST_MINUTES ? SECOND : Math.min(MINUTE, leftMs - LAST_MINUTES)
}

/** Amber under an hour, red under five minutes; what has ended hurries nobody. */
export function urgency(leftMs: number): 'amber' | 'red' | null {
  if (leftMs <= 0 || leftMs >= HOUR) return null
  return leftMs < LAST_MINUTES ? 'red' : 'amber'
}
