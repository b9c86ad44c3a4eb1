/** From one moment to another, in seconds since 1970. */
export type Period = { start: number; end: number }

/** The same day some months later at the same time; the month's last day where it has no such day. All in UTC. */
export function addMonths(from: number, months: number): number {
  const start = new Date(from * 1000)
  const target = new Date(start)
  target.setUTCDate(1)
  target.setUTCMonth(start.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate()
  target.setUTCDate(Math.min(start.getUTCDate(), lastDay))
  return Math.floor(target.getTime() / 1000)
}

/** The first moment after `after` that is a whole number of periods from the anchor: 31 Jan, 28 Feb, 31 Mar. */
export function nextCycle(anchor: number, after: number, interval = 1): number {
  let months = interval
  while (addMonths(anchor, months) <= after) months += interval
  return addMonths(anchor, months)
}
