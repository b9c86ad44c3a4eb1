import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { limitConnections, proxiesOf } from '#server/http/connections.ts'
import { keepFollowers } from '#server/live/followers.ts'

async function listen(t: TestContext, server: Server): Promise<() => Promise<Socket>> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
    t.after(() => socket.destroy())
    await once(socket, 'connect')
    return socket
  }
}

const limits = { most: 100, mostPerAddress: 2, readWithinMs: 30_000 }

/** Whether the server keeps the connection: it answers a request. */
async function isServed(socket: Socket): Promise<boolean> {
  socket.write('GET / HTTP/1.1\r\nhost: yard.test\r\n\r\n')
  const answered = once(socket, 'data').then(() => true)
  return Promise.race([answered, once(socket, 'close').then(() => false)])
}

test('a third connection of an address that may have two is closed, until one of the two ends', async (t) => {
  const server = createHttpServer((_request, response) => void response.end('ok'))
  limitConnections(server, limits, () => false)
  const open = await listen(t, server)
  const [first, second] = [await open(), await open()]
  assert.deepEqual([await isServed(first), await isServed(second), await isServed(await open())], [true, true, false])
  first.destroy()
  while (!(await isServed(await open()))) await pause(5)
})

test('a proxy has as many connections as it needs, up to the limit for all', async (t) => {
  const server = createHttpServer((_request, response) => void response.end('ok'))
  limitConnections(server, { ...limits, most: 4 }, () => true)
  const open = await listen(t, server)
  const served: boolean[] = []
  for (let nth = 0; nth < 5; nth++) served.push(await isServed(await open()))
  assert.deepEqual(served, [true, true, true, true, false])
})

test('this machine and the addresses of TRUST_PROXY are proxies, others are not', () => {
  const isProxy = proxiesOf(['10.1.0.0/16', '192.0.2.7', '2001:db8::/32'])
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.2.3', '::ffff:10.1.2.3', '192.0.2.7', '2001:db8::5'])
    assert.ok(isProxy(address), address)
  for (const address of ['10.2.0.1', '192.0.2.8', '::ffff:192.0.2.8', '2001:db9::5', 'fe80::1']) assert.ok(!isProxy(address), address)
  assert.ok(proxiesOf(['uniquelocal'])('172.20.0.3'))
})

test('a live stream whose reader reads nothing is closed after two heartbeats, one that reads stays', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] })
  const followers = keepFollowers()
  t.after(() => followers.stop())
  const server = createServer()
  const open = await listen(t, server)
  const wanted = { listingIds: [], isAll: true, isMarket: false, me: null }
  const follow = async () => {
    const accepted = once(server, 'connection')
    const reader = await open()
    const [socket] = (await accepted) as [Socket]
    followers.add({ socket, wanted, waiting: null })
    return { reader, socket }
  }
  const [reading, stuck] = [await follow(), await follow()]
  reading.reader.resume()
  stuck.reader.pause()
  // more than the systems on both sides hold, and less than the stream's own limit
  while (stuck.socket.writableLength === 0) {
    stuck.socket.write(Buffer.alloc(500_000))
    await pause(5)
  }
  for (let seconds = 0; seconds < 45; seconds++) t.mock.timers.tick(1_000)
  assert.deepEqual([stuck.socket.destroyed, reading.socket.destroyed], [true, false])
})
