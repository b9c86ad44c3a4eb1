import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notificationChannels, notificationKinds } from '#contract/values/notification-kinds.ts'
import { channelsOf } from '#domain/notifications/channels.ts'
import { groups, kinds } from '#domain/notifications/kinds.ts'
import { afterQuietHours, emailDueAt, isOver, type QuietHours } from '#domain/notifications/timing.ts'

const at = (text: string) => new Date(`${text}Z`)

test('every kind has a heading, words for the settings, and channels that fit each other', () => {
  assert.deepEqual(Object.keys(kinds), [...notificationKinds])
  for (const kind of notificationKinds) {
    const { group, label, about, channels, locked = [] } = kinds[kind]
    assert.ok(groups.includes(group) && label && about.endsWith('.'), kind)
    assert.ok(channels.in_app, `${kind} is in the list by default`)
    for (const channel of locked) assert.ok(channels[channel], `${kind}: what cannot be switched off is on`)
  }
})

test('payment is always sent by email, whatever was chosen; what is not locked follows the choice', () => {
  const off = { in_app: false, email: false, push: false }
  assert.deepEqual(channelsOf('payment', { payment: off }), { in_app: true, email: true, push: false })
  assert.deepEqual(channelsOf('outbid', { outbid: off }), off)
  assert.deepEqual(channelsOf('outbid', { outbid: { push: false } }), { in_app: true, email: true, push: false })
  assert.deepEqual(Object.keys(channelsOf('outbid', {})), [...notificationChannels])
})

const night: QuietHours = { from: '22:00', to: '06:00' }
const noon: QuietHours = { from: '12:00', to: '13:30' }
// London is an hour ahead of UTC until 25 October 2026
const quiet: [QuietHours, string, string][] = [
  [null, '2026-11-16T23:00', '2026-11-16T23:00'],
  [night, '2026-11-16T21:59', '2026-11-16T21:59'],
  [night, '2026-11-16T22:00', '2026-11-17T06:00'],
  [night, '2026-11-17T05:59', '2026-11-17T06:00'],
  [night, '2026-11-17T06:00', '2026-11-17T06:00'],
  [night, '2026-07-01T21:00', '2026-07-02T05:00'],
  [night, '2026-10-24T21:30', '2026-10-25T06:00'],
  [night, '2026-03-28T23:00', '2026-03-29T05:00'],
  [noon, '2026-11-16T12:00', '2026-11-16T13:30'],
  [noon, '2026-11-16T13:30', '2026-11-16T13:30'],
]
for (const [hours, from, until] of quiet)
  test(`with quiet hours ${hours ? `${hours.from}-${hours.to}` : 'off'} what is due at ${from} UTC is sent at ${until}`, () =>
    assert.deepEqual(afterQuietHours(at(from), hours), at(until)))

const now = at('2026-11-16T10:00')
const usual = { now, quietHours: null, isDaily: false, lastSentAt: null, nextDueAt: null }
const emails: [string, Parameters<typeof emailDueAt>[0], string][] = [
  ['sold goes at once', { ...usual, kind: 'sold' }, '2026-11-16T10:00'],
  ['sold waits for the end of quiet hours', { ...usual, kind: 'sold', quietHours: { from: '09:00', to: '11:00' } }, '2026-11-16T11:00'],
  ['payment does not wait', { ...usual, kind: 'payment', quietHours: { from: '09:00', to: '11:00' } }, '2026-11-16T10:00'],
  ['the first match goes at once', { ...usual, kind: 'listing_matched' }, '2026-11-16T10:00'],
  [
    'a match waits for an hour after the last one',
    { ...usual, kind: 'enquiry_matched', lastSentAt: at('2026-11-16T09:20') },
    '2026-11-16T10:20',
  ],
  ['a message waits for a quarter of an hour', { ...usual, kind: 'chat_message', lastSentAt: at('2026-11-16T09:50') }, '2026-11-16T10:05'],
  ['a match joins the digest that is due', { ...usual, kind: 'listing_matched', nextDueAt: at('2026-11-16T10:40') }, '2026-11-16T10:40'],
  ['with the daily digest a match waits for seven', { ...usual, kind: 'listing_matched', isDaily: true }, '2026-11-17T07:00'],
  ['with the daily digest a message does not', { ...usual, kind: 'chat_message', isDaily: true }, '2026-11-16T10:00'],
]
for (const [what, email, due] of emails) test(`an email: ${what}`, () => assert.deepEqual(emailDueAt(email), at(due)))

test('what ends is over at its end, what has none never', () => {
  assert.deepEqual(
    [isOver({ ends_at: now.toISOString() }, now), isOver({ ends_at: at('2026-11-16T10:01').toISOString() }, now), isOver({}, now)],
    [true, false, false],
  )
})
