import { createCipheriv, createECDH, createHmac, createPrivateKey, randomBytes, sign, type KeyObject } from 'node:crypto'

// Web push without a library: the message as RFC 8291 encrypts it (aes128gcm of RFC 8188, one record), and the proof of who sends it
// of RFC 8292 (VAPID).

const CURVE = 'prime256v1'
const RECORD_BYTES = 4_096
// a record holds the text, a byte that ends it and the tag; push services take 4,096 bytes with the header of 86
export const MOST_PUSH_BYTES = RECORD_BYTES - 86 - 17

export type PushKeys = { p256dh: string; auth: string }

const hmac = (key: Buffer, ...parts: (Buffer | string)[]) => {
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(part)
  return mac.digest()
}

/** HKDF for one block, which is all that is needed: the extract step is the caller's. */
const expand = (pseudoRandomKey: Buffer, info: Buffer | string, length: number) =>
  hmac(pseudoRandomKey, Buffer.concat([Buffer.from(info), Buffer.from([1])])).subarray(0, length)

/** What both sides derive of the shared secret; the receiver calls it too. */
export function contentKeys({ secret, auth, salt, receiver, sender }: Record<'secret' | 'auth' | 'salt' | 'receiver' | 'sender', Buffer>) {
  const input = expand(hmac(auth, secret), Buffer.concat([Buffer.from('WebPush: info\0'), receiver, sender]), 32)
  const pseudoRandomKey = hmac(salt, input)
  return {
    key: expand(pseudoRandomKey, 'Content-Encoding: aes128gcm\0', 16),
    nonce: expand(pseudoRandomKey, 'Content-Encoding: nonce\0', 12),
  }
}

export function encryptPush(text: string, { p256dh, auth }: PushKeys): Buffer {
  const receiver = Buffer.from(p256dh, 'base64url')
  const ephemeral = createECDH(CURVE)
  const sender = ephemeral.generateKeys()
  const salt = randomBytes(16)
  const { key, nonce } = contentKeys({
    secret: ephemeral.computeSecret(receiver),
    auth: Buffer.from(auth, 'base64url'),
    salt,
    receiver,
    sender,
  })
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  // 2 ends the last record
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.update(Buffer.from([2])), cipher.final(), cipher.getAuthTag()])
  const header = Buffer.alloc(5)
  header.writeUInt32BE(RECORD_BYTES)
  header.writeUInt8(sender.length, 4)
  return Buffer.concat([salt, header, sender, encrypted])
}

export type VapidKeys = { publicKey: string; privateKey: string; subject: string }

/** Whether two keys belong together, as raw points and numbers in base64url. */
export function isKeyPair({ publicKey, privateKey }: Pick<VapidKeys, 'publicKey' | 'privateKey'>): boolean {
  try {
    return publicKeyOf(Buffer.from(privateKey, 'base64url')) === publicKey.replace(/=+$/, '')
  } catch {
    return false
  }
}

/** A pair that is always the same for one secret: every process of a sandbox has it. */
export function derivedKeys(secret: string, subject: string): VapidKeys {
  for (let nth = 0; ; nth++) {
    const number = createHmac('sha256', secret).update(`vapid ${nth}`).digest()
    try {
      return { publicKey: publicKeyOf(number), privateKey: number.toString('base64url'), subject }
    } catch {
      // not a number of the curve: one in four billion is not
    }
  }
}

function publicKeyOf(privateKey: Buffer): string {
  const pair = createECDH(CURVE)
  pair.setPrivateKey(privateKey)
  return pair.getPublicKey().toString('base64url')
}

const VALID_FOR_SECONDS = 12 * 3_600

/** The `Authorization` header for one push service. */
export function vapidHeader({ publicKey, privateKey, subject }: VapidKeys, endpoint: string, now: Date): string {
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now.getTime() / 1_000) + VALID_FOR_SECONDS, sub: subject }
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`
  const signature = sign('sha256', Buffer.from(signed), { key: keyObject(publicKey, privateKey), dsaEncoding: 'ieee-p1363' })
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`
}

function keyObject(publicKey: string, privateKey: string): KeyObject {
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d: privateKey }, format: 'jwk' })
}
