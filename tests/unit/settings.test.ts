import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settings, type SettingKey } from '#contract/settings.ts'
import { toInterval } from '#domain/duration.ts'
import { addDuration } from '#domain/working-days.ts'

const MB = 1024 * 1024

// RULES §3, rule 2, in pounds: under … the step is …
const steps = (...rows: [below: number | null, step: number][]) =>
  rows.map(([below, step]) => ({ below: below && below * 100, step: step * 100 }))

// RULES §8, typed again from its text
const defaults: Record<SettingKey, unknown> = {
  subscription_price: 16500,
  trial_available_until: null,
  trial_months: 6,
  renewal_grace: '7d',
  listing_min_duration: '1h',
  listing_max_duration: '14d',
  listing_durations: [1, 3, 5, 7, 10, 14],
  withdraw_before: '12h',
  bid_steps_lot: steps([50, 1], [250, 5], [1000, 10], [2500, 25], [5000, 50], [10000, 100], [25000, 250], [100000, 500], [null, 1000]),
  bid_steps_tonne: steps([100, 1], [500, 2], [2000, 5], [5000, 10], [null, 25]),
  late_bid_window: '5m',
  late_bid_extension: '5m',
  late_bid_cap: '60m',
  processing_window: '30m',
  reservation_offer_window: '2bd',
  offer_window: '24h',
  offer_depth: 3,
  kyc_window: '3bd',
  vat_window: '3bd',
  invoice_window: '1bd',
  payment_window: '3bd',
  missed_payment_window: '7d',
  reinstate_window: '24h',
  documents_window: '5bd',
  collection_window: '2bd',
  delivery_window: '2bd',
  inspection_window: '3bd',
  amend_answer_window: '2bd',
  amend_papers_window: '2bd',
  amend_tolerance: 2.5,
  balance_window: '3bd',
  deferred_grace: '10bd',
  return_window: '5bd',
  return_confirm_window: '3bd',
  restore_window: '30d',
  vat_rate: 20,
  seller_fee: 0,
  holding_fee_rate: 1,
  holding_fee_min: 2500,
  holding_fee_max: 50000,
  holding_fee_seller_share: 50,
  card_payment_limit: 1000000,
  appointment_max_ahead: '14d',
  strikes_to_block: 3,
  strike_memory: '365d',
  chat_rate: 30,
  enquiry_lifetime: '14d',
  ending_soon: ['1h', '10m'],
  image_max_bytes: 20 * MB,
  video_max_bytes: 200 * MB,
  document_max_bytes: 20 * MB,
  upload_quota_bytes: 5 * 1024 * MB,
  email_changes_per_day: 5,
  licence_warnings: ['60d', '30d', '7d'],
}

const keys = Object.keys(settings) as SettingKey[]

test('the settings are those of RULES §8, and no other', () => assert.deepEqual(keys, Object.keys(defaults)))

for (const key of keys) {
  test(`${key} is ${JSON.stringify(defaults[key])} by default, which is something it holds`, () => {
    assert.deepEqual(settings[key].default, defaults[key])
    assert.deepEqual(settings[key].holds.parse(defaults[key]), defaults[key])
  })
}

const refused: [SettingKey, unknown, string][] = [
  ['subscription_price', 165.5, 'half a penny'],
  ['subscription_price', '16500', 'a number as text'],
  ['payment_window', 'soon', 'a word'],
  ['payment_window', '3 bd', 'a blank inside'],
  ['payment_window', '-3d', 'a time that runs backwards'],
  ['payment_window', '100000bd', 'longer than any sale'],
  ['late_bid_window', '1bd', 'working days counted back from an end'],
  ['restore_window', '20bd', 'working days that the database cannot count'],
  ['vat_rate', 120, 'more than all of it'],
  ['vat_rate', -1, 'less than nothing'],
  ['listing_durations', [], 'no duration to choose'],
  ['listing_durations', '1,3,5', 'a list as text'],
  ['ending_soon', ['1h', 'later'], 'a word in a list of durations'],
  ['trial_available_until', 'next year', 'a date that is none'],
  ['bid_steps_lot', [], 'no step at all'],
  ['bid_steps_lot', [{ below: 5000, step: 100 }], 'no step for the highest prices'],
  [
    'bid_steps_lot',
    [
      { below: null, step: 100 },
      { below: null, step: 500 },
    ],
    'two last rows',
  ],
  [
    'bid_steps_lot',
    [
      { below: 5000, step: 100 },
      { below: 5000, step: 200 },
      { below: null, step: 500 },
    ],
    'rows out of order',
  ],
  ['bid_steps_tonne', [{ below: null, step: 0 }], 'a step of nothing'],
]

for (const [key, value, what] of refused)
  test(`${key} refuses ${JSON.stringify(value)}: ${what}`, () => assert.equal(settings[key].holds.safeParse(value).success, false))

test('every window that somebody is given may be seconds in the sandbox and working days in earnest', () => {
  for (const key of keys.filter((key) => String(defaults[key]).endsWith('bd')))
    for (const value of ['5s', '30m', '24h', '14d', '3bd']) assert.equal(settings[key].holds.parse(value), value)
})

test('what a duration setting takes can be reckoned with', () => {
  const from = new Date('2026-03-02T12:00:00Z')
  const durations = keys.flatMap((key) => [defaults[key]].flat()).filter((value) => typeof value === 'string')
  for (const duration of durations) assert.ok(addDuration(from, duration) > from)
  assert.equal(toInterval(settings.restore_window.default), '30 days')
})
