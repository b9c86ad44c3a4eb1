import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fairQueue } from '#domain/fair-queue.ts'

const refuse = (): never => {
  throw new Error('the queue is full')
}
const limits = { atOnce: 2, mostWaitingEach: 200, mostWaiting: 1_000, refuse }

test('24: another user’s photo is checked after those that run already, not after all that somebody else sent before', async () => {
  const inTurn = fairQueue(limits)
  const began: string[] = []
  const check = (userId: string, nth: number) => inTurn(userId, async () => void began.push(`${userId} ${nth}`))
  const many = Array.from({ length: 110 }, (_each, nth) => check('ann', nth))
  await Promise.all([...many, check('bob', 0), check('bob', 1)])
  assert.deepEqual(began.slice(0, 7), ['ann 0', 'ann 1', 'ann 2', 'bob 0', 'ann 3', 'bob 1', 'ann 4'])
  assert.equal(began.length, 112)
  const ofAnn = began.filter((each) => each.startsWith('ann'))
  assert.deepEqual(
    ofAnn,
    Array.from({ length: 110 }, (_each, nth) => `ann ${nth}`),
  )
})

test('24: a user who fills their own queue leaves room for others; a failed check gives its place on', async () => {
  const inTurn = fairQueue({ ...limits, atOnce: 1, mostWaitingEach: 3, mostWaiting: 5 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const running = inTurn('ann', () => promise)
  const failing = inTurn('ann', () => Promise.reject(new Error('a bad file')))
  const waiting = [inTurn('ann', async () => 1), inTurn('ann', async () => 2)]
  await assert.rejects(
    inTurn('ann', async () => 3),
    /queue is full/,
  )
  const others = [inTurn('bob', async () => 4), inTurn('cid', async () => 5)]
  await assert.rejects(
    inTurn('dan', async () => 6),
    /queue is full/,
  )
  resolve()
  await running
  await assert.rejects(failing, /a bad file/)
  assert.deepEqual(await Promise.all([...waiting, ...others]), [1, 2, 4, 5])
})
