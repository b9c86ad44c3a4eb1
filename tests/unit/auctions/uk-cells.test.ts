import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '#tests/support/properties.ts'
import { cellsOfRing, ringOf } from '#domain/search/uk-cells.ts'
import { mapSpot, milesBetween, type Spot } from '#domain/search/uk-map.ts'

const anywhere = fc.record({
  latitude: fc.double({ min: 49.8, max: 60.9, noNaN: true }),
  longitude: fc.double({ min: -8.2, max: 1.8, noNaN: true }),
})

const milesTo = (near: Spot, cell: number) => milesBetween(near, mapSpot(Math.floor(cell / 10_000) / 100, ((cell % 10_000) - 5_000) / 100))

const ROWS = 1_201
const COLUMNS = 1_151
const cellAt = (nth: number) => (4_900 + Math.floor(nth / COLUMNS)) * 10_000 + (nth % COLUMNS) - 900 + 5_000

/** Where every cell of the UK is: 1.4 million numbers, twice. */
const xs = new Float64Array(ROWS * COLUMNS)
const ys = new Float64Array(ROWS * COLUMNS)
for (let nth = 0; nth < xs.length; nth++) {
  const { x, y } = mapSpot((4_900 + Math.floor(nth / COLUMNS)) / 100, ((nth % COLUMNS) - 900) / 100)
  xs[nth] = x
  ys[nth] = y
}

function* cellsWithin(near: Spot, { from, to }: { from: number; to: number }): Generator<number> {
  const spot = { x: 0, y: 0 }
  for (let nth = 0; nth < xs.length; nth++) {
    spot.x = xs[nth] ?? 0
    spot.y = ys[nth] ?? 0
    const miles = milesBetween(near, spot)
    if (miles >= from && miles <= to) yield cellAt(nth)
  }
}

test('a ring of any place and width has each of its cells once, the nearest first', () => {
  fc.assert(
    fc.property(
      anywhere,
      fc.double({ min: 0, max: 400, noNaN: true }),
      fc.integer({ min: 1, max: 5_000 }),
      ({ latitude, longitude }, from, count) => {
        const near = mapSpot(latitude, longitude)
        const ring = ringOf(from, count)
        const cells = cellsOfRing(near, ring).flat()
        const ours = new Set(cells)
        assert.equal(ours.size, cells.length)
        for (const cell of cellsWithin(near, ring)) assert.ok(ours.has(cell), `${cell} is missing`)
        const miles = cells.map((cell) => milesTo(near, cell))
        assert.ok(miles.every((each, nth) => each >= (miles[nth - 1] ?? 0) && each >= ring.from - 1e-5 && each <= ring.to + 1e-5))
        assert.ok(cells.length < count * 1.3 + 60, `${cells.length} for ${count}`)
      },
    ),
    { numRuns: 10 },
  )
})

test('a ring beyond the UK has no cells', () => {
  for (const from of [1_500, 9_999]) assert.deepEqual(cellsOfRing(mapSpot(53.48, -2.24), ringOf(from, 2_000)), [])
})

test('cells at the same distance are in one group', () => {
  // on the map's central meridian east is as far as west
  const cells = cellsOfRing(mapSpot(53.48, -2), { from: 0, to: 3 })
  assert.deepEqual(cells[0], [53_480_000 + 4_800])
  assert.ok(cells.slice(1).some((some) => some.length === 2))
  for (const some of cells) {
    const [one = NaN, ...others] = some.map((cell) => milesTo(mapSpot(53.48, -2), cell))
    for (const other of others) assert.ok(Math.abs(one - other) < 1e-6)
  }
})
