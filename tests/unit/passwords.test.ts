import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, isPassword, isPasswordOf, newTemporaryPassword } from '#server/features/account/passwords.ts'
import { isStrongPassword } from '#contract/password.ts'

test('a password is recognised, and nothing else is', async () => {
  const hash = await hashPassword('Kupfer-Ä-9')
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.equal(await isPassword('Kupfer-Ä-9', hash), true)
  assert.equal(await isPassword('Kupfer-Ä-9'.normalize('NFD'), hash), true, 'however the keyboard composes it')
  assert.equal(await isPassword('Kupfer-A-9', hash), false)
  assert.notEqual(await hashPassword('Kupfer-Ä-9'), hash, 'salted')
})

// checklist 13 speaks of time: what is shown is that both ways run the same code on the same figures
test('an unknown user is hashed for like a known one, at the same cost, and is never let in', async () => {
  const known = { password_hash: await hashPassword('Copper-Bright-7') }
  assert.equal(await isPasswordOf(known, 'Copper-Bright-7'), true)
  assert.equal(await isPasswordOf(known, 'Copper-Bright-8'), false)
  assert.equal(await isPasswordOf(undefined, 'Copper-Bright-7'), false)
})

test('a temporary password is strong by the checklist but for a sign, and never the same', () => {
  const made = new Set(Array.from({ length: 200 }, newTemporaryPassword))
  assert.equal(made.size, 200)
  for (const password of made) assert.match(password, /^[a-zA-Z2-9]{4}(?:-[a-zA-Z2-9]{4}){3}$/)
  assert.ok([...made].filter(isStrongPassword).length > 150)
})
