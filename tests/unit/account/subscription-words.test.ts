import assert from 'node:assert/strict'
import { test } from 'node:test'
import { offerOf } from '#web/features/subscription/offer.ts'
import { daysLeft, planWords } from '#web/features/subscription/plan-words.ts'

const gbp = (value: number) => ({ value, currency: 'GBP' as const })
const wish = { price: gbp(16500), trial_months: 6, trialEnds: null, coupon: null, credit: gbp(0) }
const onTrial = { ...wish, trialEnds: new Date('2027-05-15T10:00:00.000Z') }
const half = { code: 'HALF', says: 'Half off the first payment', duration: 'once' as const, first_payment: gbp(8250) }

test('an offer says what is taken today and what after it', () => {
  assert.deepEqual(offerOf(wish), {
    headline: { price: '£165.00', per: 'a month', instead: undefined },
    trial: undefined,
    dueToday: 16500,
    lines: [
      ['Today', '£165.00'],
      ['Then', '£165.00 a month'],
    ],
  })
  assert.deepEqual(offerOf(onTrial), {
    headline: { price: '£165.00', per: 'a month', instead: undefined },
    trial: '6 months free, then £165.00 a month from 15 May 2027',
    dueToday: 0,
    lines: [
      ['Today', '£0.00'],
      ['15 May 2027', '£165.00'],
    ],
  })
})

test('a coupon for the first payment says what the months after it cost', () => {
  const { headline, dueToday, lines } = offerOf({ ...wish, coupon: half })
  assert.deepEqual([headline.price, headline.per, headline.instead, dueToday], ['£82.50', 'for the first month', '£165.00', 8250])
  assert.deepEqual(lines.at(-1), ['Then', '£165.00 a month'])
})

test('a coupon that outlasts the trial: headline and lines say one price', () => {
  const { headline, trial, dueToday, lines } = offerOf({ ...onTrial, coupon: { ...half, duration: 'repeating' } })
  assert.deepEqual([headline.price, trial, dueToday], ['£82.50', '6 months free, then £82.50 a month from 15 May 2027', 0])
  assert.deepEqual(lines.slice(1), [
    ['15 May 2027', '£82.50'],
    ['When the coupon ends', '£165.00 a month'],
  ])
  assert.deepEqual(offerOf({ ...onTrial, coupon: { ...half, duration: 'forever' } }).lines.at(-1), ['Then', '£82.50 a month'])
})

test('credit is taken off the first payment, and never gives money back', () => {
  assert.deepEqual(offerOf({ ...wish, credit: gbp(16000) }).lines, [
    ['Today', '£5.00'],
    ['Credit that is used first', '£160.00'],
    ['Then', '£165.00 a month'],
  ])
  assert.equal(offerOf({ ...wish, credit: gbp(20000) }).dueToday, 0)
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
