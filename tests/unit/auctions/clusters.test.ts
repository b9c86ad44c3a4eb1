import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clustersOf } from '#web/map/clusters.ts'

test('markers on the map never cover one another, and none is lost', () => {
  const points = Array.from({ length: 400 }, (_, nth) => ({ x: (nth * 37) % 1_000, y: (nth * 91) % 600 }))
  const clusters = clustersOf(points, (point) => point)
  assert.equal(clusters.flatMap((cluster) => cluster.points).length, points.length)
  for (const { at } of clusters) {
    const covered = clusters.filter((other) => Math.abs(other.at.x - at.x) < 80 && Math.abs(other.at.y - at.y) < 44)
    assert.equal(covered.length, 1)
  }
})
