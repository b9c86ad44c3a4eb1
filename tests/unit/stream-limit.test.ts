import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { visitor } from '#server/http/viewer.ts'
import { streamLimit } from '#server/live/stream-limit.ts'

async function gone(): Promise<Socket> {
  const socket = new Socket().destroy()
  await once(socket, 'close')
  return socket
}

test('who left before the stream began does not count for ever', async () => {
  const count = streamLimit()
  for (let nth = 0; nth < 100; nth++) count(visitor, '192.0.2.1', await gone())
  assert.doesNotThrow(() => count(visitor, '192.0.2.1', new Socket()))
})
