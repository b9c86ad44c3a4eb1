import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gather } from '#server/db/gather.ts'

/** Answers when told to, and remembers what was asked together. */
function slowAnswerer(most?: number) {
  const rounds: { asked: number[]; answer: () => void; fail: () => void }[] = []
  let began = () => {}
  const ask = gather<number, string>(
    (asked) =>
      new Promise((resolve, reject) => {
        rounds.push({ asked, answer: () => resolve(asked.map(String)), fail: () => reject(new Error('away')) })
        began()
      }),
    most,
  )
  const nextRound = () => new Promise<void>((resolve) => (began = resolve))
  return { ask, rounds, nextRound }
}

test('what is asked in one moment, and what is asked meanwhile, is answered together and in order', async () => {
  const { ask, rounds, nextRound } = slowAnswerer()
  let round = nextRound()
  const first = [ask(1), ask(2)]
  await round
  const meanwhile = [ask(3), ask(4), ask(3)]
  round = nextRound()
  rounds[0]?.answer()
  assert.deepEqual(await Promise.all(first), ['1', '2'])
  await round
  rounds[1]?.answer()
  assert.deepEqual(await Promise.all(meanwhile), ['3', '4', '3'])
  assert.deepEqual(
    rounds.map(({ asked }) => asked),
    [
      [1, 2],
      [3, 4, 3],
    ],
  )
})

test('one round that fails fails those who asked in it, and nobody after', async () => {
  const { ask, rounds, nextRound } = slowAnswerer()
  let round = nextRound()
  const failing = [ask(1), ask(2)]
  await round
  const later = ask(3)
  round = nextRound()
  rounds[0]?.fail()
  for (const each of await Promise.allSettled(failing)) assert.equal(each.status, 'rejected')
  await round
  rounds[1]?.answer()
  assert.equal(await later, '3')
})

test('a round is no larger than it may be', async () => {
  const sizes: number[] = []
  const ask = gather(async (asked: number[]) => {
    sizes.push(asked.length)
    return asked
  }, 2)
  assert.deepEqual(await Promise.all([1, 2, 3, 4, 5].map(ask)), [1, 2, 3, 4, 5])
  assert.deepEqual(sizes, [2, 2, 1])
})
