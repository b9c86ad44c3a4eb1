import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastDayInWords, lastDayOf, licenceOf, type Licence, type LicencePaper } from '#domain/licence.ts'

const now = new Date('2030-06-15T12:00:00Z')
const past = new Date('2030-06-15T11:59:59Z')
const soon = new Date('2030-07-01T00:00:00Z')
const far = new Date('2032-07-01T00:00:00Z')
const paper = (status: LicencePaper['status'], expires_at: Date | null = null): LicencePaper => ({ status, expires_at })

const cases: [string, LicencePaper[], Licence][] = [
  ['without a paper there is no licence', [], { status: 'none', expires_at: null }],
  ['a paper that waits is a licence that waits', [paper('pending', far)], { status: 'pending', expires_at: null }],
  ['a rejected paper is a rejected licence', [paper('rejected', far)], { status: 'rejected', expires_at: null }],
  ['an approved one counts until its end', [paper('approved', soon)], { status: 'approved', expires_at: soon }],
  ['an approved one without an end counts for good', [paper('approved')], { status: 'approved', expires_at: null }],
  ['a valid one wins over one that waits', [paper('pending', far), paper('approved', soon)], { status: 'approved', expires_at: soon }],
  [
    'a valid one wins over one that was rejected',
    [paper('approved', soon), paper('rejected', far)],
    { status: 'approved', expires_at: soon },
  ],
  ['of two valid ones the longer counts', [paper('approved', soon), paper('approved', far)], { status: 'approved', expires_at: far }],
  ['one without an end is the longest', [paper('approved'), paper('approved', far)], { status: 'approved', expires_at: null }],
  ['one that waits wins over one that has lapsed', [paper('approved', past), paper('pending')], { status: 'pending', expires_at: null }],
  ['one that ends at this moment has lapsed', [paper('approved', now), paper('pending')], { status: 'pending', expires_at: null }],
  ['one that has lapsed keeps its end', [paper('approved', past), paper('rejected')], { status: 'approved', expires_at: past }],
  ['one that waits wins over one that was rejected', [paper('rejected'), paper('pending')], { status: 'pending', expires_at: null }],
]
for (const [what, papers, licence] of cases) {
  test(what, () => {
    assert.deepEqual(licenceOf(papers, now), licence)
    assert.deepEqual(licenceOf(papers.toReversed(), now), licence)
  })
}

test('a paper that ends at midnight in London counts to the day before, in summer too', () => {
  for (const [end, day, words] of [
    ['2030-04-01T00:00:00Z', '2030-04-01', '1 April 2030'],
    ['2030-03-31T23:00:00Z', '2030-03-31', '31 March 2030'],
    ['2030-01-01T00:00:00Z', '2029-12-31', '31 December 2029'],
  ] as const) {
    assert.equal(lastDayOf(new Date(end)), day)
    assert.equal(lastDayInWords(new Date(end)), words)
  }
})
