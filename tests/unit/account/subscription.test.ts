import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMonths, discounted, freeTier, outlastsTrial, shownStatus, tierOf, trialEnd, type Standing } from '#domain/subscription.ts'

const months: [from: string, to: string][] = [
  ['2026-08-31T10:15:00.000Z', '2027-02-28T10:15:00.000Z'],
  ['2027-08-31T10:15:00.000Z', '2028-02-29T10:15:00.000Z'],
  ['2026-08-30T00:00:00.000Z', '2027-02-28T00:00:00.000Z'],
  ['2026-08-28T23:59:59.999Z', '2027-02-28T23:59:59.999Z'],
  ['2026-10-31T12:00:00.000Z', '2027-04-30T12:00:00.000Z'],
  ['2026-03-31T12:00:00.000Z', '2026-09-30T12:00:00.000Z'],
  ['2026-12-31T12:00:00.000Z', '2027-06-30T12:00:00.000Z'],
  ['2026-01-15T12:00:00.000Z', '2026-07-15T12:00:00.000Z'],
  ['2028-02-29T12:00:00.000Z', '2028-08-29T12:00:00.000Z'],
  ['2026-11-15T10:00:00.000Z', '2027-05-15T10:00:00.000Z'],
]
for (const [from, to] of months) {
  test(`40: a trial of 6 months from ${from} ends ${to}`, () => assert.equal(addMonths(new Date(from), 6).toISOString(), to))
}

const now = new Date('2026-11-15T10:00:00Z')
const later = new Date('2026-11-15T10:00:00.001Z')
const trials: [what: string, facts: Partial<Parameters<typeof trialEnd>[0]>, end: string | null][] = [
  ['the offer lasts', {}, '2027-05-15T10:00:00.000Z'],
  ['there is no offer', { availableUntil: null }, null],
  ['the offer is over', { availableUntil: new Date('2026-11-14T10:00:00Z') }, null],
  ['the offer ends this instant', { availableUntil: now }, null],
  ['the user has had one', { usedAt: new Date('2020-01-01T00:00:00Z') }, null],
  ['a trial has no months', { months: 0 }, null],
  ['a trial has one month', { months: 1 }, '2026-12-15T10:00:00.000Z'],
]
for (const [what, facts, end] of trials) {
  test(`40: when ${what}, a trial ends ${end ?? 'never, for there is none'}`, () =>
    assert.equal(trialEnd({ now, availableUntil: later, usedAt: null, months: 6, ...facts })?.toISOString() ?? null, end))
}

const standing: Standing = { status: 'active', awaits_confirmation: false, grace_ends_at: null, ended_at: null }
const tiers: [what: string, standing: Standing | undefined, tier: string, shown: string | undefined][] = [
  ['no subscription', undefined, 'basic', undefined],
  ['an active one', standing, 'full', 'active'],
  ['a trial', { ...standing, status: 'trialing' }, 'full', 'trialing'],
  ['a trial whose card is to be confirmed', { ...standing, status: 'trialing', awaits_confirmation: true }, 'basic', 'incomplete'],
  ['a first payment that is to be confirmed', { ...standing, status: 'incomplete', awaits_confirmation: true }, 'basic', 'incomplete'],
  ['a failed renewal within its grace', { ...standing, status: 'past_due', grace_ends_at: later }, 'full', 'past_due'],
  ['a failed renewal whose grace ends now', { ...standing, status: 'past_due', grace_ends_at: now }, 'basic', 'past_due'],
  ['a failed renewal given up within its grace', { ...standing, status: 'unpaid', grace_ends_at: later }, 'full', 'past_due'],
  ['one that is paused', { ...standing, status: 'paused' }, 'basic', 'past_due'],
  ['one that has ended', { ...standing, status: 'canceled', ended_at: now }, 'basic', 'canceled'],
  ['one that was never confirmed in time', { ...standing, status: 'incomplete_expired', ended_at: now }, 'basic', 'canceled'],
]
for (const [what, given, tier, shown] of tiers) {
  test(`43: with ${what} a merchant is ${tier}`, () => {
    assert.equal(tierOf(given, 'scrap_metal_dealer', now), tier)
    assert.equal(tierOf(given, 'electrician', now), tier === 'full' ? 'full' : 'seller')
    assert.equal(given && shownStatus(given), shown)
  })
}

test('without a trade one is a merchant', () =>
  assert.deepEqual([freeTier(null), freeTier(undefined), freeTier('other')], ['basic', 'basic', 'basic']))

const discounts: [Parameters<typeof discounted>[1], number][] = [
  [null, 16_500],
  [{ percent_off: 20, amount_off: null }, 13_200],
  [{ percent_off: 50, amount_off: null }, 8_250],
  [{ percent_off: 33.33, amount_off: null }, 11_001],
  [{ percent_off: 100, amount_off: null }, 0],
  [{ percent_off: null, amount_off: 1_000 }, 15_500],
  [{ percent_off: null, amount_off: 20_000 }, 0],
]
for (const [discount, left] of discounts) {
  test(`£165.00 with ${JSON.stringify(discount)} is ${left} pence`, () => assert.equal(discounted(16_500, discount), left))
}

for (const [duration, duration_in_months, does] of [
  ['once', null, false],
  ['repeating', 3, false],
  ['repeating', 6, false],
  ['repeating', 7, true],
  ['repeating', 12, true],
  ['forever', null, true],
] as const) {
  test(`a coupon ${duration} ${duration_in_months ?? ''} ${does ? 'lasts' : 'does not last'} beyond a trial of six months`, () => {
    assert.equal(outlastsTrial({ duration, duration_in_months }, 6), does)
  })
}
