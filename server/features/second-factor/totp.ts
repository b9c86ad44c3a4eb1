import { createHmac, timingSafeEqual } from 'node:crypto'

// Codes by RFC 6238 as every authenticator app makes them: SHA-1, six digits, 30 seconds.

const STEP_MS = 30_000
const DIGITS = 6
// a telephone's clock may be wrong by one code
const DRIFT = [0, -1, 1]

export const stepAt = (now: Date): number => Math.floor(now.getTime() / STEP_MS)

export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0x0f
  const number = mac.readUInt32BE(offset) & 0x7f_ff_ff_ff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** Which 30 seconds a code belongs to; none if it is not of this moment. */
export function stepOf(secret: Buffer, code: string, now: Date): number | undefined {
  const given = Buffer.from(code)
  const drift = DRIFT.find((steps) => timingSafeEqual(given, Buffer.from(codeAt(secret, stepAt(now) + steps))))
  return drift === undefined ? undefined : stepAt(now) + drift
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => letters[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** What a QR code holds. */
export const otpauthUrl = (email: string, secret: string): string =>
  `otpauth://totp/Yardbid:${encodeURIComponent(email)}?secret=${secret}&issuer=Yardbid&algorithm=SHA1&digits=${DIGITS}&period=${STEP_MS / 1_000}`
