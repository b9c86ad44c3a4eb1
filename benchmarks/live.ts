import assert from 'node:assert/strict'
import { fork, spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { demoPassword } from '#database/demo/users.ts'
import { newListing, newMerchant } from '#tests/support/auctions/auction.ts'
import { newClient } from '#tests/support/client.ts'
import { connectTo, freshDatabase } from '#tests/support/processes/postgres.ts'
import type { Ask, Tell } from '#benchmarks/live-clients.ts'
import { atMost, quantile, type Benchmark } from '#benchmarks/figures.ts'

// How soon an accepted bid reaches the last of many live connections, and what each of them costs the server's memory.

const sizes = { full: { connections: 5_000, bids: 200 }, quick: { connections: 500, bids: 20 } }
const EVERY_MS = 250
const PORT = 3159

/** One server process, one process of clients, both on this machine, and the database beside them. */
export const run: Benchmark = async ({ isQuick, say }) => {
  const { connections, bids } = isQuick ? sizes.quick : sizes.full
  say(`${connections} connections follow one listing, ${bids} bids`)
  const database = await freshDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-live-'))
  const owner = await connectTo(database.url)
  const server = await startServer({ DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: String(PORT) })
  const clients = fork(new URL('live-clients.ts', import.meta.url), { serialization: 'advanced' })
  try {
    const listing = await newListing(owner, await newMerchant(owner), { price_basis: 'tonne', weight_kg: 1, start_price: FIRST_BID })
    const place = await bidders(`http://127.0.0.1:${PORT}`, listing)
    const warmUp = await newListing(owner, await newMerchant(owner), { price_basis: 'tonne', weight_kg: 1, start_price: FIRST_BID })
    const placeWarmUp = await bidders(`http://127.0.0.1:${PORT}`, warmUp)
    for (let nth = 0; nth < 50; nth++) await placeWarmUp(nth)

    const before = await residentBytes(server)
    const connected = told(clients, (message) => message === 'connected')
    ask(clients, { port: PORT, topics: `listing:${listing}`, connections })
    await connected
    await pause(SETTLES_WITHIN_MS)
    const after = await residentBytes(server)

    const cpuBefore = await cpuMs(server)
    for (let nth = 0; nth < bids; nth++) {
      const arrived = told(clients, (message) => typeof message === 'object' && 'version' in message && message.version === nth + 1)
      await place(nth)
      await Promise.race([arrived, pause(LOST_AFTER_MS)])
      await pause(EVERY_MS * Math.random())
    }
    const cpuAfter = await cpuMs(server)
    const reported = told(clients, (message) => typeof message === 'object' && 'counts' in message)
    ask(clients, 'report')
    const { writtenAt, lastAt, counts, outOfOrder } = (await reported) as Extract<Tell, { counts: number[] }>
    assert.equal(connections * bids - counts.reduce((sum, count) => sum + count, 0), 0, 'none is missing')
    assert.equal(outOfOrder, 0, 'none is out of order')
    // from when the bid was written, a moment before its commit, until the last connection has read it
    const late = lastAt.map((last, version) => last - (writtenAt[version] ?? NaN)).filter(Boolean)
    return [
      { what: 'the last connection hears of a bid after, p50', measured: `${quantile(late, 0.5).toFixed(0)} ms` },
      atMost('the last connection hears of a bid after, p99', quantile(late, 0.99), 500, 'ms'),
      atMost('memory of the server for each connection', (after - before) / connections / 1_000, 40, 'kB'),
      { what: 'processor of the server for each bid', measured: `${((cpuAfter - cpuBefore) / bids).toFixed(0)} ms` },
    ]
  } finally {
    clients.kill()
    server.kill()
    await once(server, 'exit')
    await owner.end()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const FIRST_BID = 5_000_00
const STEP = 25_00
const SETTLES_WITHIN_MS = 5_000
const LOST_AFTER_MS = 10_000

async function startServer(variables: Record<string, string>): Promise<ChildProcess> {
  const server = spawn(process.execPath, ['server/main.ts', '--no-web'], {
    cwd: join(import.meta.dirname, '..'),
    env: { PATH: process.env['PATH'], SANDBOX: '1', LOG_LEVEL: 'warn', ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const text of server.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false }))
    if (String(text).includes('Ctrl-C')) {
      server.stdout.resume()
      return server
    }
  throw new Error('the server did not start')
}

/** Two merchants who outbid one another; each bid is one more version. */
async function bidders(url: string, listing: string): Promise<(nth: number) => Promise<void>> {
  const people = [newClient(url), newClient(url)]
  for (const [nth, person] of people.entries()) await person.logIn(`${nth ? 'rival' : 'buyer'}@yardbid.test`, demoPassword)
  return async (nth) => {
    const bid = { amount: FIRST_BID + nth * STEP }
    const answer = await people[nth % 2]?.post(`/api/v1/listings/${listing}/bids`, bid, { 'idempotency-key': randomUUID() })
    if (answer?.status !== 201) throw new Error(`a bid was refused: ${JSON.stringify(answer?.body)}`)
  }
}

const residentBytes = async ({ pid }: ChildProcess) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? NaN) * 1_024

// in ticks of 10 ms: user and system time are the 14th and 15th field
async function cpuMs({ pid }: ChildProcess): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}

const ask = (clients: ChildProcess, message: Ask) => void clients.send(message)

const told = (clients: ChildProcess, isIt: (message: Tell) => boolean): Promise<Tell> =>
  new Promise((resolve) => {
    const hear = (message: Tell) => {
      if (!isIt(message)) return
      clients.off('message', hear)
      resolve(message)
    }
    clients.on('message', hear)
  })
