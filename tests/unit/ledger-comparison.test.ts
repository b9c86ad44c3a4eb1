import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareUntilQuiet } from '#server/features/payments/ledger.ts'

/** What each look finds: the ledger's sum, the provider's balance. The last one stays. */
function looks(...found: readonly (readonly [ledger: number, provider: number])[]) {
  let made = 0
  const look = async () => {
    const [ledger, provider] = found[Math.min(made, found.length - 1)] ?? [0, 0]
    made += 1
    return { ledger, provider }
  }
  return { look, count: () => made }
}

const noPause = async () => undefined

test('a ledger that follows the provider while money moves is looked at until both agree', async () => {
  const { look, count } = looks([292, 460], [460, 603], [460, 603], [603, 900], [900, 900])
  assert.deepEqual(await compareUntilQuiet(look, noPause), { ledger: 900, provider: 900 })
  assert.equal(count(), 5)
})

test('a difference that stays while nothing moves is told after five more looks', async () => {
  const { look, count } = looks([292, 460])
  assert.deepEqual(await compareUntilQuiet(look, noPause), { ledger: 292, provider: 460 })
  assert.equal(count(), 6)
})

test('a ledger and a provider that agree are looked at once', async () => {
  const { look, count } = looks([460, 460], [460, 461])
  assert.deepEqual(await compareUntilQuiet(look, noPause), { ledger: 460, provider: 460 })
  assert.equal(count(), 1)
})
