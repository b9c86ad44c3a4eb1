import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16

export type Sealing = {
  /** `owner` belongs to it: a secret that is moved to another's row does not open. */
  seal: (secret: Buffer, owner: string) => Buffer
  /** Nothing if it was sealed by another server's secret. */
  open: (sealed: Buffer, owner: string) => Buffer | undefined
}

/** AES-256-GCM with a key derived from SESSION_SECRET. */
export function sealingWith(serverSecret: string): Sealing {
  const key = Buffer.from(hkdfSync('sha256', serverSecret, '', 'yardbid second factor', 32))
  return {
    seal(secret, owner) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner))
      return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed, owner) {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(owner))
        .setAuthTag(sealed.subarray(-TAG_BYTES))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
      } catch {
        return undefined
      }
    },
  }
}
