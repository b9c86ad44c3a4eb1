import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { sealingWith } from '#server/features/second-factor/sealed.ts'
import { codeAt, otpauthUrl, stepAt, stepOf, toBase32 } from '#server/features/second-factor/totp.ts'

// RFC 6238, appendix B, SHA-1: the last six of its eight digits
const secret = Buffer.from('12345678901234567890')
for (const [seconds, code] of [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const) {
  test(`the code at ${seconds} seconds is ${code}`, () => assert.equal(codeAt(secret, stepAt(new Date(seconds * 1_000))), code))
}

test('a code is good for its 30 seconds, those before and those after, and says which it is of', () => {
  const now = new Date(1_111_111_111_000)
  const step = stepAt(now)
  const found = [-2, -1, 0, 1, 2].map((drift) => stepOf(secret, codeAt(secret, step + drift), now))
  assert.deepEqual(found, [undefined, step - 1, step, step + 1, undefined])
})

// RFC 4648, section 10
for (const [text, base32] of [
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
] as const) {
  test(`'${text}' is ${base32} in base32`, () => assert.equal(toBase32(Buffer.from(text)), base32))
}

test('the address for the QR code names the account, and what apps take for granted', () => {
  const url = new URL(otpauthUrl('jo+1@yard.example', 'MZXW6YTB'))
  assert.deepEqual([url.protocol, url.host, url.pathname], ['otpauth:', 'totp', '/Yardbid:jo%2B1%40yard.example'])
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    secret: 'MZXW6YTB',
    issuer: 'Yardbid',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})

test('a sealed secret opens for its owner on servers with the same secret, and nowhere else', () => {
  const plain = randomBytes(20)
  const { seal, open } = sealingWith('one secret')
  const sealed = seal(plain, 'ann')
  assert.deepEqual([sealed.length, sealed.includes(plain)], [48, false])
  assert.deepEqual(sealingWith('one secret').open(sealed, 'ann'), plain)
  assert.equal(open(sealed, 'bob'), undefined)
  assert.equal(sealingWith('another secret').open(sealed, 'ann'), undefined)
  const changed = Buffer.from(sealed)
  changed.writeUInt8(changed.readUInt8(20) ^ 1, 20)
  assert.equal(open(changed, 'ann'), undefined)
  assert.notDeepEqual(seal(plain, 'ann'), sealed)
})
