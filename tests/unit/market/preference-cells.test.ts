import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cellOfPreference, cellsAround } from '#domain/market/preference-cells.ts'
import { milesBetween } from '#domain/search/uk-map.ts'

const coordinate = fc.double({ min: -450, max: 450, noNaN: true })
const spot = fc.record({ x: coordinate, y: coordinate })

test('a preference whose circle holds a place is filed where that place looks', () => {
  fc.assert(
    fc.property(
      spot,
      fc.double({ min: 1, max: 500, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 7, noNaN: true }),
      (centre, radius, share, angle) => {
        const place = { x: centre.x + Math.cos(angle) * radius * share, y: centre.y + Math.sin(angle) * radius * share }
        assert.ok(milesBetween(centre, place) <= radius * 1.000001)
        assert.ok(cellsAround(place).includes(cellOfPreference(centre, radius)))
      },
    ),
    { numRuns: 5_000 },
  )
})

test('a preference without a radius is found from everywhere, and a far one from nowhere', () => {
  const place = { x: 10, y: 10 }
  assert.ok(cellsAround(place).includes(cellOfPreference(null, null)))
  assert.ok(!cellsAround(place).includes(cellOfPreference({ x: 100, y: 10 }, 20)))
})

test('few cells are looked up, each once, and each fits the database’s integer', () => {
  const cells = cellsAround({ x: -123.4, y: 398.7 })
  assert.ok(cells.length <= 1_200, String(cells.length))
  assert.equal(new Set(cells).size, cells.length)
  assert.ok(cells.every((cell) => Number.isInteger(cell) && cell >= 0 && cell < 2 ** 31))
})
