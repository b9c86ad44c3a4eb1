import { codeAt, stepAt } from '#server/features/second-factor/totp.ts'
import type { Answer, Client } from '#tests/support/client.ts'
import type { Yard } from '#tests/support/yard.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** As an authenticator app reads it. */
export function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

export type Authenticator = {
  secret: string
  /** The code of the moment, or of so many 30 seconds later. */
  code(later?: number): Promise<string>
}

export const authenticator = (yard: Yard, secret: string): Authenticator => ({
  secret,
  async code(later = 0) {
    const { rows } = await yard.owner.query<{ now: Date }>('select app_now() as now')
    return codeAt(fromBase32(secret), stepAt(rows[0]?.now ?? new Date()) + later)
  },
})

export const SECOND_FACTOR = '/api/v1/auth/second-factor'

/** Sets one up; the code of the moment is used with it. */
export async function enrolled(yard: Yard, client: Client): Promise<Authenticator & { recoveryCodes: string[] }> {
  const begun = await client.post(SECOND_FACTOR)
  if (begun.status !== 201) throw new Error(`enrolling failed: ${JSON.stringify(begun.body)}`)
  const app = authenticator(yard, begun.body.data.secret)
  const confirmed = await client.post(`${SECOND_FACTOR}/confirm`, { otp: await app.code() })
  if (confirmed.status !== 200) throw new Error(`confirming failed: ${JSON.stringify(confirmed.body)}`)
  return { ...app, recoveryCodes: confirmed.body.data.recovery_codes }
}

export const logInWith = (client: Client, email: string, password: string, otp?: string): Promise<Answer> =>
  client.post('/auth/login', { email, password, ...(otp !== undefined && { otp }) })
