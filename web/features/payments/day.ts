const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'Europe/London' })
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'Europe/London' })
const DAY_MS = 86_400_000

/** '15 May 2027'. */
export const dayOf = (at: string | Date): string => day.format(new Date(at))

/** '15 May 2027', '3 Sept 2027': for columns. */
export const shortDayOf = (at: string): string => shortDay.format(new Date(at))

/** '181 days left', '1 day left', 'less than a day left'; a day that has begun is not counted. */
export function daysLeft(until: string, now: string): string {
  const days = Math.floor((Date.parse(until) - Date.parse(now)) / DAY_MS)
  if (days < 1) return 'less than a day left'
  return `${days} ${days === 1 ? 'day' : 'days'} left`
}
