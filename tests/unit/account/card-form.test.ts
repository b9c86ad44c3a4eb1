import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expiryOf, groupExpiry, groupNumber, placeAfter } from '#web/bank-card/card-digits.ts'
import { intentOf, outcomeOfError, outcomeOfIntent } from '#web/bank-card/card-outcome.ts'

const secrets = [
  ['pi_3Mtw_secret_Yrl', { form: 'payment', id: 'pi_3Mtw' }],
  ['seti_1Mm8_secret_Q2a', { form: 'setup', id: 'seti_1Mm8' }],
  ['pin_1_secret_2', undefined],
  ['set_1_secret_2', undefined],
  ['cs_test_a1_secret_2', undefined],
  ['_secret_2', undefined],
  ['', undefined],
] as const

for (const [secret, intent] of secrets) {
  test(`the form follows the prefix of the client secret: '${secret}' is ${intent?.form ?? 'neither'}`, () => {
    assert.deepEqual(intentOf(secret), intent)
  })
}

test('a card number is grouped as it is printed', () => {
  assert.equal(groupNumber('4242'), '4242')
  assert.equal(groupNumber('42424'), '4242 4')
  assert.equal(groupNumber('4242-4242 4242x4242'), '4242 4242 4242 4242')
  assert.equal(groupNumber('378282246310005'), '3782 822463 10005')
  assert.equal(groupNumber('3782822'), '3782 822')
  assert.equal(groupNumber('4'.repeat(30)), '4444 4444 4444 4444 444')
})

test('an expiry date is a month and a year, however it is typed', () => {
  for (const [typed, shown] of [
    ['1', '1'],
    ['12', '12'],
    ['4', '04'],
    ['123', '12 / 3'],
    ['1230', '12 / 30'],
    ['12/2030', '12 / 30'],
    ['430', '04 / 30'],
    ['12 / 30', '12 / 30'],
  ] as const)
    assert.equal(groupExpiry(typed), shown, typed)
  assert.deepEqual(expiryOf('12 / 30'), { exp_month: '12', exp_year: '2030' })
  assert.deepEqual(expiryOf('4/31'), { exp_month: '04', exp_year: '2031' })
  assert.equal(expiryOf('12 / 3'), undefined)
})

test('the caret stays after the digit that was typed', () => {
  assert.equal(placeAfter('4242 4242', 4), 4)
  assert.equal(placeAfter('4242 4242', 5), 6)
  assert.equal(placeAfter('4242', 9), 4)
})

test('what a provider says of a card stands under the field that it is about', () => {
  assert.deepEqual(outcomeOfError({ code: 'expired_card', message: 'Your card has expired.' }), {
    end: 'refused',
    field: 'expiry',
    message: 'Your card has expired.',
  })
  assert.equal(outcomeOfError({ code: 'card_declined', message: 'No' }).end, 'refused')
  assert.deepEqual(outcomeOfIntent({ status: 'succeeded', payment_method: { id: 'pm_1' } }), { end: 'confirmed', paymentMethod: 'pm_1' })
  assert.deepEqual(outcomeOfIntent({ status: 'requires_action', next_action: { redirect_to_url: { url: 'http://bank' } } }), {
    end: 'authenticate',
    url: 'http://bank',
  })
})

test('a card whose first answer was lost counts as confirmed when it is sent again', () => {
  const error = {
    code: 'setup_intent_unexpected_state',
    message: 'already succeeded',
    setup_intent: { status: 'succeeded', payment_method: 'pm_1' },
  }
  assert.deepEqual(outcomeOfError(error), { end: 'confirmed', paymentMethod: 'pm_1' })
})
