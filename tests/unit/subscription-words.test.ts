import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysLeft } from '#web/features/payments/day.ts'
import { offerBegun, offerOf } from '#web/features/payments/offer.ts'
import { standingOf } from '#web/features/payments/standing.ts'

const gbp = (value: number) => ({ value, currency: 'GBP' as const })
const terms = {
  trial_available_until: '2027-01-01T00:00:00.000Z',
  trial_months: 6,
  subscription_price: gbp(16500),
  server_time: '2026-11-15T10:00:00.000Z',
}

test('a trial is offered while trial_available_until is in the future', () => {
  assert.equal(offerOf(terms, false, undefined).trial, '6 months free, then £165.00 a month from 15 May 2027')
  assert.equal(offerOf(terms, false, undefined).today, '£0.00')
})

test('no trial is offered when the date is null or past, or to somebody who had one', () => {
  for (const [changes, hadTrial] of [
    [{ trial_available_until: null }, false],
    [{ trial_available_until: '2026-11-15T10:00:00.000Z' }, false],
    [{}, true],
  ] as const) {
    const { trial, today, after } = offerOf({ ...terms, ...changes }, hadTrial, undefined)
    assert.deepEqual([trial, today, after], [undefined, '£165.00', '£165.00 a month'])
  }
})

test('the end of a trial is clamped to the end of its month', () => {
  assert.match(offerOf({ ...terms, server_time: '2026-08-31T10:00:00.000Z' }, false, undefined).trial ?? '', /from 28 February 2027$/)
})

test('a coupon changes the first payment, after the trial or today', () => {
  const coupon = { code: 'HALF', valid: true, says: 'Half off', percent_off: 50, amount_off: null, first_payment: gbp(8250) }
  assert.equal(offerOf(terms, true, coupon).today, '£82.50')
  assert.equal(offerOf(terms, false, coupon).after, '£82.50 on 15 May 2027, then £165.00 a month')
})

const running = {
  id: 'sub_1',
  tier: 'full' as const,
  status: 'active' as const,
  price: gbp(16500),
  interval: 'month' as const,
  trial_ends_at: null,
  current_period_end: '2026-12-15T09:00:00.000Z',
  next_payment: null,
  cancel_at_period_end: false,
  grace_ends_at: null,
  coupon: null,
  card: null,
  server_time: '2026-11-15T10:00:00.000Z',
}
const trial = { status: 'trialing', trial_ends_at: '2027-05-15T10:00:00.000Z' } as const

test('a subscription that was begun says what it will cost', () => {
  assert.equal(offerBegun({ ...running, ...trial, status: 'incomplete' }).trial, 'Free until 15 May 2027, then £165.00 a month')
  assert.equal(offerBegun({ ...running, next_payment: { amount: gbp(8250), at: running.server_time } }).today, '£82.50')
})

for (const [changes, label, says] of [
  [{}, 'Active', 'Renews on 15 December 2026.'],
  [trial, 'Free trial', '181 days left, until 15 May 2027.'],
  [{ cancel_at_period_end: true }, 'Cancelled', 'Full stays until 15 December 2026. Nothing more is taken.'],
  [{ ...trial, cancel_at_period_end: true }, 'Cancelled', 'Full stays until 15 December 2026. Nothing more is taken.'],
  [{ status: 'past_due', grace_ends_at: '2026-11-22T09:00:00.000Z' }, 'Payment failed', 'Full stays until 22 November 2026.'],
  [{ status: 'past_due' }, 'Payment failed', 'Full has ended.'],
  [{ status: 'incomplete' }, 'Not finished', 'Confirm a card, and Full begins.'],
  [{ status: 'canceled' }, 'Ended', 'Subscribe again whenever you like.'],
] as const) {
  test(`a subscription ${JSON.stringify(changes)} stands as '${label}'`, () => {
    const standing = standingOf({ ...running, ...changes })
    assert.deepEqual([standing.label, standing.says], [label, says])
  })
}

test('the days that are left are whole days', () => {
  assert.equal(daysLeft('2026-11-17T09:59:00Z', '2026-11-15T10:00:00Z'), '1 day left')
  assert.equal(daysLeft('2026-11-15T12:00:00Z', '2026-11-15T10:00:00Z'), 'less than a day left')
})
