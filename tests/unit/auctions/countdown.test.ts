import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countdown, refreshEveryMs, timeLeftMs, urgency } from '#domain/listings/countdown.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

// SPEC §9: 'Xd Xh Xm'; under one minute 'Xh Xm Xs'; expired '0h 0m'
const shown: [leftMs: number, text: string, says: string][] = [
  [14 * day, '14d 0h 0m', 'fourteen days'],
  [2 * day + 3 * hour + 4 * minute + 59 * second, '2d 3h 4m', 'seconds are left out'],
  [day, '1d 0h 0m', 'one day'],
  [day - 1, '0d 23h 59m', 'under a day the days stay, as 0d'],
  [3 * hour + 5 * minute, '0d 3h 5m', 'three hours and five minutes'],
  [hour - 1, '0d 0h 59m', 'under an hour'],
  [minute, '0d 0h 1m', 'one minute'],
  [minute - 1, '0h 0m 59s', 'under one minute'],
  [second, '0h 0m 1s', 'one second'],
  [1, '0h 0m 0s', 'the last second'],
  [0, '0h 0m', 'expired'],
  [-day, '0h 0m', 'expired long ago'],
]

for (const [leftMs, text, says] of shown) test(`${says}: '${text}'`, () => assert.equal(countdown(leftMs), text))

test('what is left is the end less now', () => {
  assert.equal(timeLeftMs(new Date('2026-03-02T12:00:00Z'), new Date('2026-03-02T11:59:00Z')), minute)
})

const refreshes: [leftMs: number, everyMs: number, says: string][] = [
  [3 * day, minute, 'by default every 60 s'],
  [6 * minute, minute, 'six minutes before the end still every 60 s'],
  [5 * minute + 20 * second, 20 * second, 'just before the last five minutes at their beginning'],
  [5 * minute, second, 'in the last five minutes every second'],
  [1, second, 'to the end'],
  [0, minute, 'and no longer after it'],
]

for (const [leftMs, everyMs, says] of refreshes)
  test(`a countdown is refreshed ${says}`, () => assert.equal(refreshEveryMs(leftMs), everyMs))

const urgencies: [leftMs: number, colour: 'amber' | 'red' | null, says: string][] = [
  [hour, null, 'an hour before the end'],
  [hour - 1, 'amber', 'under an hour'],
  [5 * minute, 'amber', 'five minutes before the end'],
  [5 * minute - 1, 'red', 'under five minutes'],
  [1, 'red', 'to the end'],
  [0, null, 'after the end'],
]

for (const [leftMs, colour, says] of urgencies)
  test(`a countdown is ${colour ?? 'neither amber nor red'} ${says}`, () => assert.equal(urgency(leftMs), colour))
