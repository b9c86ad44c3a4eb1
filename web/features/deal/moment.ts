// deadlines count London's working days, and e-mails and lists tell them by its clock
const inLondon = { hour: '2-digit', minute: '2-digit', timeZone: 'Europe/London' } as const
const soon = new Intl.DateTimeFormat('en-GB', { weekday: 'short', ...inLondon })
const later = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', ...inLondon })
const past = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...inLondon })

const WEEK_MS = 6 * 86_400_000

/** 'Tue 16:00' within the week, 'Tue 24 Nov, 16:00' beyond it. */
export const until = (at: string, now: string): string =>
  (Date.parse(at) - Date.parse(now) < WEEK_MS ? soon : later).format(new Date(at)).replace(/^(\w+), /, '$1 ')

/** '12 Nov 14:05'. */
export const when = (at: string): string => past.format(new Date(at)).replace(', ', ' ')
