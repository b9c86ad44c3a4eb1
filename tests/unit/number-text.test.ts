import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNumberText } from '#web/ui/fields/number-text.ts'

const money = { decimals: 2, isSigned: false }
const whole = { decimals: 0, isSigned: false }

const rows: [string, typeof money, string | undefined][] = [
  ['4200', money, '4200'],
  ['£4,200.00', money, '4200.00'],
  ['4,200', money, '4200'],
  ['4200 ', money, '4200'],
  ['\t£ 1,234,567.89\n', money, '1234567.89'],
  ['£5,225.00 / t', money, '5225.00'],
  ['1.239', money, '1.239'],
  ['1.', money, '1.'],
  ['', money, ''],
  ['4 200', money, '4200'],
  ['5\u00a0960.50', money, '5960.50'],
  ['4 20', money, undefined],
  ['4,20', money, undefined],
  ['4.200,00', money, undefined],
  ['1,2345', money, undefined],
  ['£', money, ''],
  ['-5', money, undefined],
  ['1e3', money, undefined],
  ['12 kg', money, undefined],
  ['1,240.00', whole, '1240'],
  ['1240.5', whole, undefined],
  ['-£4,200.00', { decimals: 2, isSigned: true }, '-4200.00'],
]

for (const [text, limits, expected] of rows) {
  test(`a number field reads ${JSON.stringify(text)}${limits === whole ? ' as a whole number' : ''} as ${expected ?? 'nothing'}`, () =>
    assert.equal(readNumberText(text, limits), expected))
}
