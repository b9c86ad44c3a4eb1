import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '#tests/support/properties.ts'
import { amendedAmounts, type AmendLine } from '#domain/sales/amend.ts'

const sale = { goods: 1_000_000, vat_rate: 20, charges_vat: true, weight_kg: 10_000, grade: 'Bright' }
const weight = (found: string, listed = '10000'): AmendLine => ({ type: 'weight', listed, found })
const contamination = (found: string, listed = '0'): AmendLine => ({ type: 'contamination', listed, found })
const grade = (price_effect?: number, found = 'No.1', listed = 'Bright'): AmendLine => ({ type: 'grade', listed, found, price_effect })

const amounts: [title: string, lines: AmendLine[], goods: number, vat: number, difference: number][] = [
  ['less weight', [weight('9500')], 950_000, 190_000, -60_000],
  ['more weight', [weight('10100')], 1_010_000, 202_000, 12_000],
  ['contamination', [contamination('2.5')], 975_000, 195_000, -30_000],
  ['a lower grade', [grade(-100_000)], 900_000, 180_000, -120_000],
  ['a better grade', [grade(50_000)], 1_050_000, 210_000, 60_000],
  ['contamination of the weight that was found', [weight('9500'), contamination('10')], 855_000, 171_000, -174_000],
  ['all three, in any order', [grade(-55_000), contamination('10'), weight('9500')], 800_000, 160_000, -240_000],
]
for (const [title, lines, goods, vat, difference] of amounts)
  test(`an amend for ${title} comes to ${goods} p`, () =>
    assert.deepEqual(amendedAmounts({ ...sale, lines }), { goods, vat, total: goods + vat, difference }))

test('an amend of a sale without VAT adds none', () =>
  assert.deepEqual(amendedAmounts({ ...sale, charges_vat: false, lines: [weight('5000')] }), {
    goods: 500_000,
    vat: 0,
    total: 500_000,
    difference: -500_000,
  }))

test('an amend is rounded once, after every line: half a penny goes to the even one', () => {
  const of = (goods: number, lines: AmendLine[]) => amendedAmounts({ ...sale, charges_vat: false, weight_kg: 2, goods, lines })
  assert.deepEqual(of(3, [weight('1', '2')]), { goods: 2, vat: 0, total: 2, difference: -1 }) // 1.5 p
  assert.deepEqual(of(5, [weight('1', '2')]), { goods: 2, vat: 0, total: 2, difference: -3 }) // 2.5 p
  assert.deepEqual(of(5, [weight('1', '2'), grade(1)]), { goods: 4, vat: 0, total: 4, difference: -1 }) // 3.5 p, not 2 p + 1 p
})

const refused: [title: string, lines: AmendLine[], at: string][] = [
  ['without lines', [], 'lines'],
  ['with two lines for the weight', [weight('9500'), weight('9400')], 'lines.1.type'],
  ['that starts from another weight', [weight('9500', '9900')], 'lines.0.listed'],
  ['that starts from another grade', [grade(-1, 'No.1', 'No.2')], 'lines.0.listed'],
  ['that starts from a contamination', [contamination('3', '1')], 'lines.0.listed'],
  ['with no weight', [weight('0')], 'lines.0.found'],
  ['with half a kilogram', [weight('9500.5')], 'lines.0.found'],
  ['with a negative weight', [weight('-1')], 'lines.0.found'],
  ['with words for a weight', [weight('9 t')], 'lines.0.found'],
  ['with nothing but contamination', [contamination('100')], 'lines.0.found'],
  ['with three decimal places', [contamination('2.125')], 'lines.0.found'],
  ['with a grade that is not named', [grade(-1, ' ')], 'lines.0.found'],
  ['with a grade without its effect', [grade()], 'lines.0.price_effect'],
  ['with half a penny', [grade(0.5)], 'lines.0.price_effect'],
  ['with an endless effect', [grade(Infinity)], 'lines.0.price_effect'],
  ['that leaves nothing', [grade(-1_000_000)], 'lines'],
  ['that leaves less than nothing', [grade(-1_000_001)], 'lines'],
  ['that leaves half a penny at most', [grade(-999_999), weight('9999')], 'lines'],
  ['above the largest payment', [grade(99_000_000)], 'lines'],
  ['that changes nothing', [weight('10000'), contamination('0'), grade(0)], 'lines'],
]
for (const [title, lines, at] of refused)
  test(`an amend ${title} is refused`, () => {
    const answer = amendedAmounts({ ...sale, lines })
    assert.ok('error' in answer, JSON.stringify(answer))
    assert.equal(answer.at, at)
  })

test('an amend up to the largest payment is allowed, and a penny more is refused', () => {
  const of = (effect: number) => amendedAmounts({ ...sale, charges_vat: false, lines: [grade(effect)] })
  assert.deepEqual(of(98_999_999), { goods: 99_999_999, vat: 0, total: 99_999_999, difference: 98_999_999 })
  assert.ok('error' in of(99_000_000))
})

test('a listing without a weight takes no weight line, and one without a grade takes a grade line from nothing', () => {
  const bare = { ...sale, weight_kg: null, grade: null }
  assert.ok('error' in amendedAmounts({ ...bare, lines: [weight('9500')] }))
  assert.ok('goods' in amendedAmounts({ ...bare, lines: [grade(-1, 'No.1', '')] }))
})

/** Written apart from the code under test: long division of a fraction, then a look at what is left over. */
function roundHalfEven(numerator: bigint, denominator: bigint): bigint {
  const floor = (numerator - (((numerator % denominator) + denominator) % denominator)) / denominator
  const rest = numerator - floor * denominator
  const half = denominator - rest
  if (rest === half) return floor % 2n === 0n ? floor : floor + 1n
  return rest > half ? floor + 1n : floor
}

test('an amend equals an independent calculation in fractions, to the penny, in 100,000 cases', () => {
  const some = fc.record({
    goods: fc.integer({ min: 1, max: 99_999_999 }),
    rate: fc.integer({ min: 0, max: 2_500 }),
    charges_vat: fc.boolean(),
    listed: fc.integer({ min: 1, max: 1_000_000 }),
    found: fc.option(fc.integer({ min: 1, max: 1_000_000 })),
    dirt: fc.option(fc.integer({ min: 0, max: 9_999 })),
    effect: fc.option(fc.integer({ min: -5_000_000, max: 5_000_000 })),
  })
  let computed = 0
  fc.assert(
    fc.property(some, ({ goods, rate, charges_vat, listed, found, dirt, effect }) => {
      const lines: AmendLine[] = []
      if (effect !== null) lines.push(grade(effect))
      if (dirt !== null) lines.push(contamination((dirt / 100).toFixed(2)))
      if (found !== null) lines.push(weight(String(found), String(listed)))
      const answer = amendedAmounts({ goods, vat_rate: rate / 100, charges_vat, weight_kg: listed, grade: 'Bright', lines })

      // one numerator over listed × 10,000, whatever lines there are
      const denominator = BigInt(listed) * 10_000n
      const scaled = BigInt(goods) * BigInt(found ?? listed) * BigInt(10_000 - (dirt ?? 0)) + BigInt(effect ?? 0) * denominator
      const expected = roundHalfEven(scaled, denominator)
      const vatOn = (amount: bigint) => (charges_vat ? roundHalfEven(amount * BigInt(rate), 10_000n) : 0n)
      const total = expected + vatOn(expected)
      const difference = total - BigInt(goods) - vatOn(BigInt(goods))
      if (lines.length === 0 || expected <= 0n || total > 99_999_999n || difference === 0n) return assert.ok('error' in answer)
      computed++
      assert.deepEqual(answer, {
        goods: Number(expected),
        vat: Number(total - expected),
        total: Number(total),
        difference: Number(difference),
      })
    }),
    { numRuns: 100_000 },
  )
  assert.ok(computed > 30_000, `${computed} were computed, the others refused`)
})
