import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bankHolidays } from '#domain/bank-holidays.ts'
import { addDuration } from '#domain/working-days.ts'

const rows: [from: string, duration: string, to: string, says: string][] = [
  ['2026-03-02T12:00:00.250Z', '5s', '2026-03-02T12:00:05.250Z', 'seconds'],
  ['2026-03-02T12:00:00Z', '30m', '2026-03-02T12:30:00Z', 'minutes'],
  ['2026-03-02T12:00:00Z', '24h', '2026-03-03T12:00:00Z', 'hours'],
  ['2026-03-02T12:00:00Z', '14d', '2026-03-16T12:00:00Z', 'days'],
  ['2026-03-28T12:00:00Z', '1d', '2026-03-29T12:00:00Z', 'a day is 24 hours when the clocks change too'],
  ['2026-03-02T12:00:00Z', '0s', '2026-03-02T12:00:00Z', 'nothing'],

  ['2026-03-02T10:15:30.250Z', '3bd', '2026-03-05T10:15:30.250Z', 'Monday + 3 is Thursday at the same time'],
  ['2026-03-06T16:00:00Z', '1bd', '2026-03-09T16:00:00Z', 'Friday + 1 is Monday'],
  ['2026-03-06T16:00:00Z', '5bd', '2026-03-13T16:00:00Z', 'Friday + 5 is the next Friday'],
  ['2026-03-04T16:00:00Z', '10bd', '2026-03-18T16:00:00Z', 'ten working days are two weeks'],
  ['2026-03-07T09:00:00Z', '1bd', '2026-03-10T09:00:00Z', 'from Saturday counting begins on Monday: + 1 is Tuesday'],
  ['2026-03-08T09:00:00Z', '1bd', '2026-03-10T09:00:00Z', 'from Sunday likewise'],
  ['2026-03-02T12:00:00Z', '0bd', '2026-03-02T12:00:00Z', 'no working day from a working day is now'],
  ['2026-03-07T12:00:00Z', '0bd', '2026-03-09T12:00:00Z', 'no working day from a Saturday is Monday'],

  ['2026-04-02T11:00:00Z', '1bd', '2026-04-07T11:00:00Z', 'Maundy Thursday + 1 is the Tuesday after Easter'],
  ['2026-04-03T11:00:00Z', '1bd', '2026-04-08T11:00:00Z', 'from Good Friday counting begins on Tuesday: + 1 is Wednesday'],
  ['2026-12-24T10:00:00Z', '1bd', '2026-12-29T10:00:00Z', "Christmas Eve 2026 + 1 skips Boxing Day's substitute on Monday"],
  ['2027-12-24T10:00:00Z', '1bd', '2027-12-29T10:00:00Z', 'Christmas 2027 has two substitute days'],
  ['2027-12-31T10:00:00Z', '1bd', '2028-01-04T10:00:00Z', "New Year's Day 2028 is kept on Monday 3 January"],

  ['2026-03-27T15:00:00Z', '1bd', '2026-03-30T14:00:00Z', '15:00 GMT on Friday + 1 is 15:00 BST on Monday'],
  ['2026-10-23T14:00:00Z', '1bd', '2026-10-26T15:00:00Z', '15:00 BST on Friday + 1 is 15:00 GMT on Monday'],
  ['2026-03-27T00:30:00Z', '1bd', '2026-03-29T23:30:00Z', 'half past midnight stays so when summer time begins'],
  ['2026-10-22T23:30:00Z', '1bd', '2026-10-26T00:30:00Z', 'half past midnight stays so when summer time ends'],
  ['2026-03-29T00:30:00Z', '1bd', '2026-03-30T23:30:00Z', 'from the Sunday the clocks change, before they do'],
  ['2026-03-29T01:30:00Z', '1bd', '2026-03-31T01:30:00Z', 'from the Sunday the clocks change, after they did'],
  ['2026-07-03T22:30:00Z', '1bd', '2026-07-06T22:30:00Z', '23:30 on a summer Friday is still Friday in London'],
  ['2026-07-03T23:30:00Z', '1bd', '2026-07-06T23:30:00Z', '00:30 on a summer Saturday is Saturday in London, though Friday in UTC'],
]

for (const [from, duration, to, says] of rows)
  test(`${duration}: ${says}`, () => assert.equal(addDuration(new Date(from), duration).toISOString(), new Date(to).toISOString()))

for (const duration of ['', '3', 'bd', '3 bd', '-1d', '1.5h', '3w', '3BD', '100000bd'])
  test(`'${duration}' is not a duration`, () => assert.throws(() => addDuration(new Date(), duration), /is not a duration such as/))

// Banking and Financial Dealings Act 1971 and the proclamations made each year, worked out anew
const years = [2025, 2026, 2027, 2028, 2029, 2030]

for (const year of years) {
  test(`the bank holidays of ${year} are those that Easter and the calendar give`, () => {
    assert.deepEqual(
      Object.keys(bankHolidays).filter((date) => date.startsWith(`${year}-`)),
      holidaysOf(year),
    )
  })
}

test('no other year is half known, and no bank holiday is on a weekend', () => {
  const dates = Object.keys(bankHolidays)
  assert.equal(dates.length, years.length * 8)
  for (const date of dates) assert.ok(![0, 6].includes(weekday(Date.parse(date))), date)
})

const DAY = 86_400_000
const weekday = (at: number) => new Date(at).getUTCDay()

function holidaysOf(year: number): string[] {
  const easter = easterSunday(year)
  const fixed = [Date.UTC(year, 0, 1), Date.UTC(year, 11, 25), Date.UTC(year, 11, 26)]
  const mondays = [mondayFrom(Date.UTC(year, 4, 1)), mondayFrom(Date.UTC(year, 4, 25)), mondayFrom(Date.UTC(year, 7, 25))]
  const kept = new Set([easter - 2 * DAY, easter + DAY, ...mondays, ...fixed.filter((at) => !isWeekend(at))])
  // a holiday on a weekend is kept on the next weekday that is not one already
  for (let at of fixed.filter(isWeekend)) {
    while (isWeekend(at) || kept.has(at)) at += DAY
    kept.add(at)
  }
  return [...kept].sort((a, b) => a - b).map((at) => new Date(at).toISOString().slice(0, 10))
}

const isWeekend = (at: number) => weekday(at) === 0 || weekday(at) === 6
const mondayFrom = (at: number) => at + ((8 - weekday(at)) % 7) * DAY

// the anonymous Gregorian computus
function easterSunday(year: number): number {
  const a = year % 19
  const [b, c] = [Math.floor(year / 100), year % 100]
  const g = Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3)
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const days = h + l - 7 * m + 114
  return Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1)
}
