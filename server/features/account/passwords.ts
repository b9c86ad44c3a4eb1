import { argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { limitConcurrency } from '#domain/limit-concurrency.ts'
import { refuse } from '#server/http/errors.ts'

export type PasswordCost = { memory: number; passes: number; parallelism: number }

// argon2id by OWASP's figures: 19 MiB, two passes, one lane. About 120 ms here.
const strongCost: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }
const TAG_BYTES = 32

const derive = promisify(argon2)

/**
 * Hashing runs on the four threads that files are read and images decoded on: two at once leave them the other two. Sixty wait about
 * four seconds; whoever comes after them is told at once.
 */
const inTurn = limitConcurrency({
  atOnce: 2,
  mostWaiting: 60,
  refuse: () => {
    throw refuse('unavailable', 'Many people are logging in at the moment. Please try again.', { retryAfterSeconds: 3 })
  },
})

const run = (password: string, nonce: Buffer, { memory, passes, parallelism }: PasswordCost, tagLength: number): Promise<Buffer> =>
  // NFKC: the same password typed on a phone and on a desk is the same characters
  inTurn(() => derive('argon2id', { message: Buffer.from(password.normalize('NFKC')), nonce, memory, passes, parallelism, tagLength }))

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

export async function hashPassword(password: string, cost = strongCost): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await run(password, nonce, cost, TAG_BYTES)
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(nonce)}$${unpadded(tag)}`
}

export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [, , , figures = '', nonce = '', tag = ''] = hash.split('$')
  const [memory = 0, passes = 0, parallelism = 0] = figures.split(',').map((figure) => Number(figure.slice(2)))
  const expected = Buffer.from(tag, 'base64')
  const given = await run(password, Buffer.from(nonce, 'base64'), { memory, passes, parallelism }, expected.length)
  return timingSafeEqual(given, expected)
}

export type Passwords = {
  hash: (password: string) => Promise<string>
  /** Takes as long for an unknown user as for a known one, and is never right for nobody. */
  isOf: (user: { password_hash: string } | undefined, password: string) => Promise<boolean>
}

/** How one server hashes new passwords and checks those it is given. */
export function openPasswords(cost = strongCost): Passwords {
  const nobodysHash = hashPassword(randomBytes(16).toString('hex'), cost)
  return {
    hash: (password) => hashPassword(password, cost),
    async isOf(user, password) {
      const matches = await isPassword(password, user?.password_hash ?? (await nobodysHash))
      return matches && user !== undefined
    },
  }
}

// no letters or figures that are read for one another over the telephone
const alphabet = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const pick = (count: number) => Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('')

/** 16 characters in groups: about 92 bits, and it can be read out. */
export const newTemporaryPassword = (): string => `${pick(4)}-${pick(4)}-${pick(4)}-${pick(4)}`
