import { bankHolidays } from '#domain/bank-holidays.ts'
import { londonOffsetMs } from '#domain/london-clock.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const unitMs = { s: 1_000, m: 60_000, h: HOUR, d: DAY } as const

/**
 * The instant a duration setting such as '5s', '30m', '24h', '14d' or '3bd' after `from`. Days are 24 hours, as in a
 * countdown; working days keep the time of day that the clocks of London show.
 */
export function addDuration(from: Date, duration: string): Date {
  const [, count, unit] = /^(\d{1,5})(s|m|h|d|bd)$/.exec(duration) ?? []
  if (!count || !unit) throw new Error(`'${duration}' is not a duration such as 5s, 30m, 24h, 14d or 3bd`)
  if (unit === 'bd') return addWorkingDays(from, Number(count))
  return new Date(from.getTime() + Number(count) * unitMs[unit as keyof typeof unitMs])
}

/** Whether a time that began then has not run out yet. */
export const isWithin = (duration: string, since: Date, now: Date): boolean => now.getTime() < addDuration(since, duration).getTime()

/** Counting begins at `from` if that is a working day in London, else at the same time of the next one. */
function addWorkingDays(from: Date, count: number): Date {
  // London's date and time of day, written as if London were in UTC: there every day has 24 hours
  let clock = from.getTime() + londonOffsetMs(from)
  while (!isWorkingDay(clock)) clock += DAY
  for (let counted = 0; counted < count;) {
    clock += DAY
    if (isWorkingDay(clock)) counted += 1
  }
  // clocks change on Sundays: on a working day every time of day is there, and there once
  return new Date(clock - londonOffsetMs(new Date(clock)))
}

function isWorkingDay(clock: number): boolean {
  const date = new Date(clock)
  const isWeekend = date.getUTCDay() === 0 || date.getUTCDay() === 6
  return !isWeekend && !Object.hasOwn(bankHolidays, date.toISOString().slice(0, 10))
}
