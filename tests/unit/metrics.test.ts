import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counter, exposition, gauge, histogram } from '#server/metrics/exposition.ts'
import { parseExposition } from '#tests/support/metrics.ts'

test('a counter adds up by its labels', () => {
  const bids = counter({ name: 'bids_total', help: 'Bids.', labels: ['outcome'] })
  bids.add({ outcome: 'accepted' })
  bids.add({ outcome: 'accepted' }, 4)
  bids.add({ outcome: 'refused' })
  assert.equal(
    bids.text(),
    '# HELP bids_total Bids.\n# TYPE bids_total counter\nbids_total{outcome="accepted"} 5\nbids_total{outcome="refused"} 1\n',
  )
})

test('a histogram counts into cumulative buckets, a value at a bound into that bucket', () => {
  const seconds = histogram({ name: 'seconds', help: 'Time.', labels: ['route'], buckets: [0.1, 1] })
  for (const value of [0.05, 0.1, 0.5, 7]) seconds.observe({ route: '/a' }, value)
  assert.deepEqual(seconds.text().split('\n').slice(2, -1), [
    'seconds_bucket{route="/a",le="0.1"} 2',
    'seconds_bucket{route="/a",le="1"} 3',
    'seconds_bucket{route="/a",le="+Inf"} 4',
    'seconds_sum{route="/a"} 7.65',
    'seconds_count{route="/a"} 4',
  ])
})

test('labels and help with quotes, backslashes and line breaks are escaped', () => {
  const text = gauge('odd', 'a\\b\nc', [{ labels: { name: 'a"b\\c\nd' }, value: 1 }]).text()
  assert.equal(text, '# HELP odd a\\\\b\\nc\n# TYPE odd gauge\nodd{name="a\\"b\\\\c\\nd"} 1\n')
  parseExposition(text)
})

test('a metric with too many series counts the rest under one', () => {
  const many = counter({ name: 'many_total', help: 'Many.', labels: ['id'] })
  for (let nth = 0; nth < 5_000; nth++) many.add({ id: String(nth) })
  const read = parseExposition(exposition([many]))
  assert.equal(read.samples.length, 2_001)
  assert.equal(read.sum('many_total', { id: 'other' }), 3_000)
  assert.equal(read.sum('many_total'), 5_000)
})
