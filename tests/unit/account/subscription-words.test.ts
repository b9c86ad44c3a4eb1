import assert from 'node:assert/strict'
import { test } from 'node:test'
import { offerOf, trialOffered } from '#web/features/subscription/offer.ts'
import { daysLeft, planWords } from '#web/features/subscription/plan-words.ts'

const gbp = (value: number) => ({ value, currency: 'GBP' as const })
const terms = { trial_available_until: '2027-01-01T00:00:00.000Z', trial_months: 6, server_time: '2026-11-15T10:00:00.000Z' }
const wish = { price: gbp(16500), trial_months: 6, trialEnds: null, coupon: null }
const onTrial = { ...wish, trialEnds: new Date('2027-05-15T10:00:00.000Z') }
const half = { code: 'HALF', says: 'Half off the first payment', first_payment: gbp(8250) }

for (const [says, changes, hadTrial, end] of [
  ['in the future: offered', {}, false, '2027-05-15T10:00:00.000Z'],
  ['at the end of a month: clamped', { server_time: '2026-08-31T10:00:00.000Z' }, false, '2027-02-28T10:00:00.000Z'],
  ['null: none', { trial_available_until: null }, false, undefined],
  ['at this very moment: none', { trial_available_until: terms.server_time }, false, undefined],
  ['in the future, to somebody who had one: none', {}, true, undefined],
] as const) {
  test(`a trial is offered while trial_available_until is in the future; ${says}`, () => {
    assert.equal(trialOffered({ ...terms, ...changes }, hadTrial)?.toISOString(), end)
  })
}

test('an offer says what is taken today and what after it', () => {
  assert.deepEqual(offerOf(wish), { today: '£165.00', next: ['Then', '£165.00 a month'], trial: undefined })
  assert.deepEqual(offerOf(onTrial), {
    today: '£0.00',
    next: ['15 May 2027', '£165.00'],
    trial: '6 months free, then £165.00 a month from 15 May 2027',
  })
})

test('a coupon changes the first payment, after the trial or today', () => {
  assert.deepEqual(offerOf({ ...wish, coupon: half }).next, ['Without the coupon', '£165.00 a month'])
  assert.equal(offerOf({ ...wish, coupon: half }).today, '£82.50')
  assert.deepEqual(offerOf({ ...onTrial, coupon: half }).next, ['15 May 2027', '£82.50'])
  assert.equal(offerOf({ ...wish, coupon: { code: 'HALF', says: 'Half off' } }).today, '£165.00 less the coupon')
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
    const standing = planWords({ ...running, ...changes })
    assert.deepEqual([standing.label, standing.says], [label, says])
  })
}

test('the days that are left are whole days', () => {
  assert.equal(daysLeft('2026-11-17T09:59:00Z', '2026-11-15T10:00:00Z'), '1 day left')
  assert.equal(daysLeft('2026-11-15T12:00:00Z', '2026-11-15T10:00:00Z'), 'less than a day left')
})
