import { inLondon } from '#domain/format-time.ts'

// Dates and times of day as London's clocks show them, whatever the zone of the machine or the reader.

const HOUR_MS = 3_600_000
const london = inLondon({ timeZoneName: 'longOffset' })

// 'GMT' in winter, 'GMT+01:00' in summer
export function londonOffsetMs(at: Date): number {
  const isSummer = london.formatToParts(at).some(({ type, value }) => type === 'timeZoneName' && value === 'GMT+01:00')
  return isSummer ? HOUR_MS : 0
}

/** '2026-11-15T16:38', as `<input type="datetime-local">` holds it. */
export const toLondonMinute = (at: Date): string =>
  new Date(at.getTime() + londonOffsetMs(at)).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)

/** The instant of such a minute; an invalid date for anything else. In the hour that comes twice in October it is the second. */
export function fromLondonMinute(minute: string): Date {
  const clock = new Date(`${minute}Z`)
  return Number.isNaN(clock.getTime()) ? clock : new Date(clock.getTime() - londonOffsetMs(clock))
}
