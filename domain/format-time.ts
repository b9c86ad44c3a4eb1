// How dates and times are written, for pages, emails and papers alike. The first page shows none, and does not load this.

/** A date or time by London's clock, whatever the machine's or the reader's zone. */
export const inLondon = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', ...options })

const longDay = inLondon({ day: 'numeric', month: 'long', year: 'numeric' })
// Canada writes the date as ISO 8601 does
const isoDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London', year: 'numeric', month: '2-digit', day: '2-digit' })
const shortDay = inLondon({ day: 'numeric', month: 'short', year: 'numeric' })

/** '15 November 2026'. */
export const formatDay = (at: Date): string => longDay.format(at)

/** '2026-11-15', as forms and files write it. */
export const formatIsoDay = (at: Date): string => isoDay.format(at)

/** '15 Nov 2026'. */
export const formatShortDay = (at: Date): string => shortDay.format(at)

const WEEK_MS = 6 * 86_400_000
const weekday = inLondon({ weekday: 'short' })
const dayOfMonth = inLondon({ day: 'numeric', month: 'short' })
const clock = inLondon({ hour: '2-digit', minute: '2-digit' })

/** '24 Nov 16:00'. */
export const formatMoment = (at: Date): string => `${dayOfMonth.format(at)} ${clock.format(at)}`

const longWeekday = inLondon({ weekday: 'long', day: 'numeric', month: 'long' })

/** 'Tuesday 24 November at 16:00', for when people meet. */
export const formatAppointment = (at: Date): string => `${longWeekday.format(at)} at ${clock.format(at)}`

const clockWithSeconds = inLondon({ hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** '16:38:57'. */
export const formatClock = (at: Date): string => clockWithSeconds.format(at)

/** 'Tue 16:00' within a week, '24 Nov 16:00' beyond it. */
export const formatDeadline = (at: Date, now: Date): string =>
  at.getTime() - now.getTime() < WEEK_MS ? `${weekday.format(at)} ${clock.format(at)}` : formatMoment(at)
