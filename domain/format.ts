import type { Pence, PriceBasis } from '#domain/money.ts'

// How money and moments are written, for pages, emails and papers alike. Amounts stay whole pence until here (SPEC §9).

const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' })

/** '£5,225.00'. */
export const formatPence = (pence: Pence): string => pounds.format(pence / 100)

/** '£5,225.00 / t', or '£5,225.00' for a lot. */
export const formatPrice = (pence: Pence, basis: PriceBasis): string =>
  basis === 'tonne' ? `${formatPence(pence)} / t` : formatPence(pence)

/** Money as the interface sends it. */
export const gbp = (value: Pence) => ({ value, currency: 'GBP' as const })

const KG_PER_TONNE = 1_000
const tonnes = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 3 })

/** '850 kg', '12.4 t'. */
export const formatWeight = (weight_kg: number): string =>
  weight_kg < KG_PER_TONNE ? `${weight_kg} kg` : `${tonnes.format(weight_kg / KG_PER_TONNE)} t`

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
