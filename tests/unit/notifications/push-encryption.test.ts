import assert from 'node:assert/strict'
import { createECDH } from 'node:crypto'
import { test } from 'node:test'
import { isPushHost } from '#domain/notifications/push-hosts.ts'
import { contentKeys, derivedKeys, encryptPush, isKeyPair, MOST_PUSH_BYTES } from '#server/providers/push-encryption.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')

// RFC 8291, section 5 and appendix A
const example = {
  receiver: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  receiverPrivate: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  sender: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
}

test('the keys of a push message are those of the example of RFC 8291', () => {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(bytes(example.receiverPrivate))
  const [receiver, sender, auth, salt] = [example.receiver, example.sender, example.auth, example.salt].map(bytes) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ]
  assert.deepEqual(pair.getPublicKey(), receiver)
  const { key, nonce } = contentKeys({ secret: pair.computeSecret(sender), auth, salt, receiver, sender })
  assert.deepEqual([key.toString('base64url'), nonce.toString('base64url')], ['oIhVW04MRdy2XN9CiKLxTg', '4h_95klXJ5E_qnoN'])
})

test('the longest push message fits into what push services take', () => {
  const sent = encryptPush('x'.repeat(MOST_PUSH_BYTES), { p256dh: example.receiver, auth: example.auth })
  assert.equal(sent.length, 4_096)
})

test('a derived pair of keys is the same for the same secret and belongs together', () => {
  const keys = derivedKeys('secret', 'mailto:desk@yard.test')
  assert.deepEqual(keys, derivedKeys('secret', 'mailto:desk@yard.test'))
  assert.ok(isKeyPair(keys))
  assert.ok(!isKeyPair({ ...keys, publicKey: derivedKeys('other', '').publicKey }))
  assert.ok(!isKeyPair({ publicKey: '', privateKey: '' }))
})

const addresses: [string, boolean][] = [
  ['https://fcm.googleapis.com/fcm/send/a', true],
  ['https://updates.push.services.mozilla.com/wpush/v2/a', true],
  ['https://web.push.apple.com/a', true],
  ['https://sin.notify.windows.com/w/?token=a', true],
  ['http://fcm.googleapis.com/a', false],
  ['https://fcm.googleapis.com:444/a', false],
  ['https://me@fcm.googleapis.com/a', false],
  ['https://fcm.googleapis.com.evil.test/a', false],
  ['https://evilnotify.windows.com/a', false],
  ['https://127.0.0.1/a', false],
  ['not an address', false],
]
for (const [address, isKnown] of addresses)
  test(`${address} is ${isKnown ? 'a' : 'no'} push address`, () => assert.equal(isPushHost(address), isKnown))
