import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '#tests/support/properties.ts'
import { goodsAmount, owed, percentOf, type PriceBasis } from '#domain/money.ts'

const goods: [price: number, basis: PriceBasis, weight_kg: number | null, amount: number][] = [
  [520_000, 'lot', null, 520_000],
  [520_000, 'lot', 12_340, 520_000],
  [520_000, 'tonne', 1_000, 520_000],
  [520_000, 'tonne', 12_340, 6_416_800],
  [1, 'tonne', 500, 0], // 0.5 p: to the even 0
  [3, 'tonne', 500, 2], // 1.5 p: to the even 2
  [5, 'tonne', 500, 2], // 2.5 p: to the even 2
  [5, 'tonne', 501, 3],
  [99_999_999, 'tonne', 999_999, 99_999_899_000],
]
for (const [price, basis, weight, amount] of goods) {
  test(`goods at ${price} p by the ${basis}, ${weight} kg, come to ${amount} p`, () =>
    assert.equal(goodsAmount(price, basis, weight), amount))
}

const vat: [number, number, number][] = [
  [10_000, 20, 2_000],
  [12_345, 20, 2_469],
  [2, 20, 0],
  [3, 20, 1],
  [1_000, 2.5, 25],
  [100, 2.5, 2], // 2.5 p: to the even 2
  [140, 2.5, 4], // 3.5 p: to the even 4
]
for (const [amount, rate, expected] of vat)
  test(`${rate} % of ${amount} p is ${expected} p`, () => assert.equal(percentOf(amount, rate), expected))

test('VAT is owed only to a seller who is registered for it', () => {
  const sale = { basis: 'lot', weight_kg: null, vatRate: 20 } as const
  assert.deepEqual(owed(10_000, { ...sale, isVatRegistered: true }), { goods: 10_000, vat: 2_000, total: 12_000 })
  assert.deepEqual(owed(10_000, { ...sale, isVatRegistered: false }), { goods: 10_000, vat: 0, total: 10_000 })
})

test('rounding is never off by more than half a penny, and exact where there is nothing to round', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_999_999 }), fc.integer({ min: 1, max: 1_000_000 }), (price, weight) => {
      const difference = BigInt(goodsAmount(price, 'tonne', weight)) * 1_000n - BigInt(price) * BigInt(weight)
      assert.ok(difference >= -500n && difference <= 500n)
    }),
  )
})
