import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { hashPassword, isPassword, newTemporaryPassword, openPasswords } from '#server/features/account/passwords.ts'
import { isStrongPassword } from '#contract/values/password.ts'

test('a password is recognised, and nothing else is', async () => {
  const hash = await passwords.hash('Kupfer-Ä-9')
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.equal(await isPassword('Kupfer-Ä-9', hash), true)
  assert.equal(await isPassword('Kupfer-Ä-9'.normalize('NFD'), hash), true, 'however the keyboard composes it')
  assert.equal(await isPassword('Kupfer-A-9', hash), false)
  assert.notEqual(await passwords.hash('Kupfer-Ä-9'), hash, 'salted')
})

// checklist 13 speaks of time: what is counted is the work itself, which Node tells of every argon2 that is begun
const passwords = openPasswords()

test('an unknown user is hashed for once, like a known one, and is never let in', async () => {
  const known = { password_hash: await passwords.hash('Copper-Bright-7') }
  assert.deepEqual(await judged(known, 'Copper-Bright-7'), { isRight: true, hashes: 1 })
  assert.deepEqual(await judged(known, 'Copper-Bright-8'), { isRight: false, hashes: 1 })
  assert.deepEqual(await judged(undefined, 'Copper-Bright-7'), { isRight: false, hashes: 1 })
})

async function judged(user: { password_hash: string } | undefined, password: string) {
  let hashes = 0
  const counter = createHook({ init: (_id, type) => void (type === 'ARGON2REQUEST' && hashes++) }).enable()
  const isRight = await passwords.isOf(user, password)
  counter.disable()
  return { isRight, hashes }
}

test('a temporary password is strong by the checklist but for a sign, and never the same', () => {
  const made = new Set(Array.from({ length: 200 }, newTemporaryPassword))
  assert.equal(made.size, 200)
  for (const password of made) assert.match(password, /^[a-zA-Z2-9]{4}(?:-[a-zA-Z2-9]{4}){3}$/)
  assert.ok([...made].filter(isStrongPassword).length > 150)
})

test('23: files are read while passwords are hashed, however many wait for it', async () => {
  // as long as it takes: the read would otherwise wait for one of four threads
  const slow = { memory: 19_456, passes: 8, parallelism: 1 }
  let hashed = 0
  const hashes = Array.from({ length: 5 }, async () => {
    await hashPassword('Copper-Bright-7', slow)
    hashed += 1
  })
  await readFile(import.meta.filename)
  assert.equal(hashed, 0)
  await Promise.all(hashes)
})

test('23: sixty wait for two passwords that are hashed; whoever comes after them is told at once to try again', async () => {
  const cheap = { memory: 8, passes: 1, parallelism: 1 }
  const answers = await Promise.allSettled(Array.from({ length: 100 }, () => hashPassword('Copper-Bright-7', cheap)))
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  assert.equal(refused.length, 38)
  for (const { status, retryAfterSeconds } of refused) assert.deepEqual([status, retryAfterSeconds], [503, 3])
  assert.match(await hashPassword('Copper-Bright-7', cheap), /^\$argon2id/)
})
