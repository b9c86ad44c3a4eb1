import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '#tests/support/properties.ts'
import { mapSpot, milesBetween } from '#domain/search/uk-map.ts'
import { squaresOfCircle } from '#domain/search/uk-squares.ts'
import { spotOfPostCode } from '#server/features/search/districts.ts'

type Place = { latitude: number; longitude: number }

/** Miles along the surface of the globe. */
function haversine(one: Place, other: Place): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const north = Math.sin(radians(other.latitude - one.latitude) / 2)
  const east = Math.sin(radians(other.longitude - one.longitude) / 2)
  return 2 * 3958.8 * Math.asin(Math.sqrt(north ** 2 + Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * east ** 2))
}

const inTheUk = fc.record({
  latitude: fc.double({ min: 49.8, max: 60.9, noNaN: true }),
  longitude: fc.double({ min: -8.2, max: 1.8, noNaN: true }),
})

test('a distance on the map differs from the distance on the ground by at most 0.2 %', () => {
  fc.assert(
    fc.property(inTheUk, inTheUk, (one, other) => {
      const ground = haversine(one, other)
      const map = milesBetween(mapSpot(one.latitude, one.longitude), mapSpot(other.latitude, other.longitude))
      assert.ok(Math.abs(map - ground) <= ground * 0.002 + 1e-6, `${map} for ${ground}`)
    }),
  )
})

test('the squares of a circle contain every spot within it, and are at most 400', () => {
  fc.assert(
    fc.property(inTheUk, inTheUk, fc.double({ min: 1, max: 500, noNaN: true }), (middle, other, miles) => {
      const [at, spot] = [mapSpot(middle.latitude, middle.longitude), mapSpot(other.latitude, other.longitude)]
      const covered = squaresOfCircle(at, miles)
      if (!covered) return assert.ok(miles > 150)
      const { side, squares } = covered
      assert.ok(squares.length <= 400)
      if (milesBetween(at, spot) > miles) return
      assert.ok(squares.includes((Math.floor(spot.x / side) + 1_000) * 10_000 + Math.floor(spot.y / side) + 5_000))
    }),
  )
})

test('a post code in any spelling is found at its district', () => {
  for (const [text, district] of [
    ['M1 4BT', 'M1'],
    ['m14bt', 'M1'],
    [' LS1 4AP ', 'LS1'],
    ['M14', 'M14'],
    ['EC1A 1BB', 'EC1A'],
    ['SW1', 'SW1'],
  ] as const)
    assert.deepEqual(spotOfPostCode(text), spotOfPostCode(district), text)
  assert.notDeepEqual(spotOfPostCode('M14'), spotOfPostCode('M1'))
  for (const text of ['', 'ZZ1', 'Leeds', '12345', 'M1 4B', "M1'--"]) assert.equal(spotOfPostCode(text), undefined, text)
})
