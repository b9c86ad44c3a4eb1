import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isStrongPassword, passwordRules } from '#contract/values/password.ts'
import { isCommonPassword, isOwnEmail } from '#domain/password.ts'

test('the checklist has the five points of SPEC §5', () => {
  assert.deepEqual(
    passwordRules.map(({ label }) => label),
    ['At least 8 characters', '1 uppercase letter', '1 special character', '1 number', '1 lowercase letter'],
  )
})

const strength: [string, boolean[]][] = [
  ['', [false, false, false, false, false]],
  ['abcdefg', [false, false, false, false, true]],
  ['abcdefgh', [true, false, false, false, true]],
  ['ABCDEFGH', [true, true, false, false, false]],
  ['Abcdefg1', [true, true, false, true, true]],
  ['Abcdef1!', [true, true, true, true, true]],
  ['Ab1! cd ef', [true, true, true, true, true]],
  ['Kupfer£9x', [true, true, true, true, true]],
  ['Übermäßig-7', [true, true, true, true, true]],
  ['12345678', [true, false, false, true, false]],
]

for (const [password, points] of strength) {
  test(`'${password}' meets ${points.filter(Boolean).length} of the five points`, () => {
    assert.deepEqual(
      passwordRules.map(({ holds }) => holds(password)),
      points,
    )
    assert.equal(isStrongPassword(password), points.every(Boolean))
  })
}

for (const password of [
  'Password1!',
  'P@ssw0rd!',
  'Pa$$w0rd1',
  'Welcome2026!',
  'Qwerty123!',
  'LetMeIn1!',
  'Liverpool1!',
  'Yardbid2026!',
  'Summer2026!',
]) {
  test(`'${password}' is one that everybody tries`, () => assert.equal(isCommonPassword(password), true))
}

for (const password of ['Yardbid-demo-1', 'Copper-Bright-7', 'correct Horse 9 battery!', 'Tr0ub4dor&3x']) {
  test(`'${password}' is not`, () => assert.equal(isCommonPassword(password), false))
}

test('the own e-mail is not a password', () => {
  assert.equal(isOwnEmail('Smith.Metals1@example.test', 'smith.metals1@example.test'), true)
  assert.equal(isOwnEmail('Smithmetals1!', 'smithmetals@example.test'), true)
  assert.equal(isOwnEmail('Copper-Bright-7', 'smithmetals@example.test'), false)
})
