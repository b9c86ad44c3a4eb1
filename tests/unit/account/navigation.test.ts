import assert from 'node:assert/strict'
import { test } from 'node:test'
import { places, placeOf, type Place } from '#contract/values/places.ts'
import { afterLogin, settle, type Traveller } from '#domain/navigation.ts'

const user = (changes: { onboarded?: boolean; temporary?: boolean; market?: boolean; deleted?: boolean }): Traveller => ({
  onboarded: changes.onboarded ?? true,
  is_using_temporary_password: changes.temporary ?? false,
  permissions: { market_view_enquiry: { enabled: changes.market ?? true } },
  deletion: changes.deleted ? { restore_until: '2026-01-01T00:00:00Z' } : null,
})

const booleans = [true, false]
const everybody: [string, Traveller | null][] = [
  ['visitor', null],
  ...booleans.flatMap((onboarded) =>
    booleans.flatMap((temporary) =>
      booleans.flatMap((market) =>
        booleans.map((deleted): [string, Traveller] => [
          JSON.stringify({ onboarded, temporary, market, deleted }),
          user({ onboarded, temporary, market, deleted }),
        ]),
      ),
    ),
  ),
]
const everywhere = Object.keys(places) as Place[]

test('every route × every kind of user settles, and stays where it settled', () => {
  for (const [who, traveller] of everybody) {
    for (const place of everywhere) {
      const end = settle(place, traveller)
      assert.equal(settle(end, traveller), end, `${who} at ${place} goes on from ${end}`)
    }
  }
})

const onboardedWith = user({ market: true })
const onboardedWithout = user({ market: false })
const unfinished = user({ onboarded: false, market: true })
const unfinishedSeller = user({ onboarded: false, market: false })
const temporary = user({ temporary: true })

// RULES §1: these need a login and no more
const accountPages: Place[] = [
  'account-view-edit',
  'account-change-password',
  'account-merchant-documents',
  'account-notification-preferences',
  'account-material-preferences',
]

// SPEC §2 "Navigation rules", row by row
const rows: [string, Place, Traveller | null, Place][] = [
  ['auth route, temporary password → change-password', 'my-listings', temporary, 'account-change-password'],
  [
    'auth route, temporary password and unfinished onboarding → change-password',
    'market',
    user({ temporary: true, onboarded: false }),
    'account-change-password',
  ],
  ['dashboard, temporary password → change-password', 'dashboard', temporary, 'account-change-password'],
  ['listings, temporary password → change-password', 'listings', temporary, 'account-change-password'],
  ['login, temporary password → change-password', 'login', temporary, 'account-change-password'],
  ['a link from an email, temporary password → stays', 'verify-email', temporary, 'verify-email'],
  ['change-password itself, temporary password → stays', 'account-change-password', temporary, 'account-change-password'],
  ['auth route, onboarding unfinished → register → onboarding', 'my-listings', unfinished, 'onboarding'],
  ['auth route, visitor → login', 'activity', null, 'login'],
  ['account area, visitor → login', 'account-subscriptions', null, 'login'],
  ['subscriptions, onboarding unfinished → onboarding', 'account-subscriptions', unfinished, 'onboarding'],
  ['account → its first page, onboarding unfinished', 'account', unfinished, 'account-view-edit'],
  ...accountPages.flatMap((place): [string, Place, Traveller | null, Place][] => [
    [`${place}, onboarding unfinished → stays (RULES §1)`, place, unfinished, place],
    [`${place}, visitor → login`, place, null, 'login'],
    [`${place}, temporary password → change-password`, place, temporary, 'account-change-password'],
  ]),
  ['login with unfinished onboarding → onboarding', 'login', unfinished, 'onboarding'],
  ['login when onboarded, market_view_enquiry → market', 'login', onboardedWith, 'market'],
  ['login when onboarded, without it → dashboard', 'login', onboardedWithout, 'dashboard'],
  ['register when onboarded, market_view_enquiry → market', 'register', onboardedWith, 'market'],
  ['register when onboarded, without it → dashboard', 'register', onboardedWithout, 'dashboard'],
  ['onboarding, visitor → register', 'onboarding', null, 'register'],
  ['onboarding when complete, market_view_enquiry → dashboard', 'onboarding', onboardedWith, 'dashboard'],
  ['onboarding when complete, without it → market', 'onboarding', onboardedWithout, 'market'],
  ['register when authenticated but not onboarded → dashboard → onboarding', 'register', unfinished, 'onboarding'],
  ['register when authenticated but not onboarded → market → register → onboarding', 'register', unfinishedSeller, 'onboarding'],
  ['dashboard, not onboarded → onboarding', 'dashboard', unfinished, 'onboarding'],
  ['dashboard, visitor → stays', 'dashboard', null, 'dashboard'],
  ['provider return, visitor → register', 'provider-return', null, 'register'],
  ['provider re-authorisation, not onboarded → register → onboarding', 'provider-reauth', unfinished, 'onboarding'],
  ['market without the permission is a page, not an error', 'market', onboardedWithout, 'market'],
  ['listings need no login', 'listings', null, 'listings'],
  ['a deleted account can only be restored', 'market', user({ deleted: true }), 'restore-account'],
  ['a visitor has nothing to restore', 'restore-account', null, 'login'],
]

for (const [says, place, traveller, end] of rows) test(`guard: ${says}`, () => assert.equal(settle(place, traveller), end))

const logins: [string, Traveller, Place | undefined, Place][] = [
  ['a temporary password goes to change-password, whatever was remembered', temporary, 'activity', 'account-change-password'],
  ['the remembered page comes first', onboardedWith, 'activity', 'activity'],
  ['without one: market', onboardedWith, undefined, 'market'],
  ['without one and without the permission: dashboard', onboardedWithout, undefined, 'dashboard'],
  ['unfinished onboarding goes to onboarding', unfinished, undefined, 'onboarding'],
  ['unfinished onboarding goes back to an account page', unfinished, 'account-view-edit', 'account-view-edit'],
]

for (const [says, traveller, remembered, end] of logins)
  test(`after login: ${says}`, () => assert.equal(afterLogin(traveller, remembered), end))

test('a path is known by its place, with or without a trailing slash, and by nothing else', () => {
  assert.equal(placeOf('/account/view-edit/'), 'account-view-edit')
  assert.equal(placeOf('/'), 'dashboard')
  for (const path of ['//evil.test', '/.env', '/docs', '/accounts', 'https://evil.test/']) assert.equal(placeOf(path), undefined)
})
