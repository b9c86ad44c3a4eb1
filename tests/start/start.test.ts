import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { demoPassword, demoUsers } from '#database/demo/users.ts'
import { insideFolder } from '#database/embedded/folder.ts'
import { findPostmaster, isRunning, stopPostmaster, type Postmaster } from '#database/embedded/postmaster.ts'
import { newClient } from '#tests/support/client.ts'
import { goodPassword, signUpForm } from '#tests/support/people.ts'
import { childrenOf } from '#tests/support/processes/durable-postgres.ts'
import { freshDatabase } from '#tests/support/processes/postgres.ts'
import { launchProduct, type Product } from '#tests/support/processes/product.ts'
import { scratchFolder } from '#tests/support/files/scratch.ts'

const READY = 'Ctrl-C stops it.'
let dataDir: string
const launched: Product[] = []

beforeEach(async () => void (dataDir = await scratchFolder('start')))
afterEach(async () => {
  await endLaunched()
  await rm(dataDir, { recursive: true, force: true })
})

async function endLaunched(): Promise<void> {
  for (const { signal } of launched) signal('SIGKILL')
  await Promise.all(launched.splice(0).map(({ ended }) => ended))
  const left = findPostmaster(databaseFolder())
  if (left) await stopPostmaster(left)
}

let madeFolder: string | undefined

/** For tests that are not about the first start: a folder with a database and its demo data, which one first start made for them all. */
async function useMadeFolder(): Promise<void> {
  if (madeFolder) return copyFolder(madeFolder, dataDir)
  const product = await launch()
  await product.says(READY)
  await keepMadeFolder(product)
}

async function keepMadeFolder(product: Product): Promise<void> {
  product.signal('SIGINT')
  await product.ended
  const folder = await scratchFolder('start-made')
  await copyFolder(dataDir, folder)
  madeFolder = folder
}

// with its owners: a database belongs to the user that runs it
async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', `${from}/.`, to])
}

test('the first start says where the product is and how to log in, and the logins work', async () => {
  const product = await launch()
  await product.says(READY)
  for (const { email } of demoUsers) assert.ok(product.said().includes(email), email)
  assert.ok(product.said().includes(demoPassword))
  assert.equal((await fetch(`${product.url}/readyz`)).status, 200)
  assert.equal((await logIn(product, 'seller@yardbid.test', demoPassword)).status, 200)
  await keepMadeFolder(product)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} ends everything cleanly, and the next start finds what was there`, async () => {
    await useMadeFolder()
    const first = await launch()
    await first.says(READY)
    const email = await signUp(first)
    const database = postmaster()
    first.signal(signal)
    assert.equal(await first.ended, 0, first.said())
    assert.equal(isRunning(database), false)

    const second = await launch()
    await second.says(READY)
    assert.equal((await logIn(second, email, goodPassword)).status, 200)
  })
}

test('after kill -9 it starts again, and who signed up before is still there', async () => {
  await useMadeFolder()
  const first = await launch()
  await first.says(READY)
  const email = await signUp(first)
  first.signal('SIGKILL')
  await first.ended

  const second = await launch()
  await second.says(READY)
  assert.equal((await logIn(second, email, goodPassword)).status, 200)
  const database = postmaster()
  second.signal('SIGINT')
  assert.equal(await second.ended, 0, second.said())
  assert.equal(isRunning(database), false)
})

test('after kill -9 of the product and its database together nothing acknowledged is lost', async () => {
  await useMadeFolder()
  const first = await launch()
  await first.says(READY)
  const email = await signUp(first)
  process.kill(postmaster().pid, 'SIGKILL')
  first.signal('SIGKILL')
  await first.ended

  const second = await launch()
  await second.says(READY)
  assert.equal((await logIn(second, email, goodPassword)).status, 200)
})

test('a request that never ends does not keep the database running after Ctrl-C', async () => {
  await useMadeFolder()
  const product = await launch()
  await product.says(READY)
  const database = postmaster()
  const { hostname, port } = new URL(product.url)
  const half = connect(Number(port), hostname)
  half.on('error', () => {}) // it is cut off in the end
  await once(half, 'connect')
  half.write('POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{')
  await fetch(`${product.url}/healthz`) // a later one was answered: the half one has arrived
  product.signal('SIGINT')
  assert.equal(await product.ended, 0, product.said())
  assert.equal(isRunning(database), false)
})

test('stopped while it is still starting it leaves no database behind', async () => {
  const product = await launch()
  await databaseRuns(product)
  const database = postmaster()
  product.signal('SIGINT')
  await product.ended
  assert.equal(isRunning(database), false)
})

test('15: the product outlives terminated sessions, a frozen and a killed database, and serves again each time', async () => {
  await useMadeFolder()
  const product = await launch()
  await product.says(READY)
  const hurts: (() => Promise<void>)[] = [
    terminateSessions,
    async () => {
      const { pid } = postmaster()
      const all = [pid, ...childrenOf(pid)]
      for (const each of all) process.kill(each, 'SIGSTOP')
      await pause(10_000)
      for (const each of all) process.kill(each, 'SIGCONT')
    },
    async () => void process.kill(postmaster().pid, 'SIGKILL'),
  ]
  for (const hurt of hurts) {
    await hurt()
    // a listing page asks the pools of pages, a readiness check those of bids
    while ((await statusOf(product, '/readyz')) !== 200 || (await statusOf(product, '/api/v1/config')) !== 200) await pause(50)
  }
  product.signal('SIGINT')
  assert.equal(await product.ended, 0, product.said())
  assert.equal(findPostmaster(databaseFolder()), undefined)
})

const statusOf = ({ url }: Product, path: string) =>
  fetch(`${url}${path}`).then(
    ({ status }) => status,
    () => 0,
  )

/** Every second, for a few seconds. */
async function terminateSessions(): Promise<void> {
  const password = (await readFile(insideFolder(databaseFolder()).password, 'utf8')).trim()
  const client = new pg.Client({ connectionString: `postgres://yardbid:${password}@127.0.0.1:${postmaster().port}/yardbid` })
  await client.connect()
  for (let round = 0; round < 2; round++) {
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await pause(1_000)
  }
  await client.end()
}

test('a second product on the same data folder is refused, and the first one goes on', async () => {
  await useMadeFolder()
  const first = await launch()
  await first.says(READY)
  const second = await launch()
  assert.equal(await second.ended, 1)
  assert.match(second.said(), /Another Yardbid is already running with this data folder/)
  assert.equal((await fetch(`${first.url}/readyz`)).status, 200)
})

test('Ctrl-C ends a start that waits for a database which never answers', async (t) => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.after(() => silent.close())
  const connected = once(silent, 'connection')
  const product = await launch({ DATABASE_URL: `postgres://x@127.0.0.1:${(silent.address() as AddressInfo).port}/x` })
  const [socket] = (await connected) as [Socket]
  t.after(() => socket.destroy())
  product.signal('SIGINT')
  assert.equal(await Promise.race([product.ended, pause(12_000, 'still running', { ref: false })]), 0)
})

test('every wrong variable is named in one message', async () => {
  const product = await launch({ PORT: 'three', LOG_LEVEL: 'loud', SMTP_URL: 'mail.example.com', SESSION_SECRET: 'short' })
  assert.equal(await product.ended, 1)
  for (const name of ['PORT', 'LOG_LEVEL', 'SMTP_URL', 'SESSION_SECRET']) assert.match(product.said(), new RegExp(`^  ${name} `, 'm'))
  assert.doesNotMatch(product.said(), /^\s+at /m)
})

test('with DATABASE_URL it uses that PostgreSQL, and makes no demo data', async () => {
  const database = await freshDatabase()
  try {
    const product = await launch({ DATABASE_URL: database.url })
    await product.says('Yardbid is running')
    assert.equal((await fetch(`${product.url}/readyz`)).status, 200)
    assert.equal(findPostmaster(databaseFolder()), undefined)
    assert.equal(await countUsers(database.url), 0)
    product.signal('SIGTERM')
    assert.equal(await product.ended, 0, product.said())
  } finally {
    await database.drop()
  }
})

/** What a start that is refused says: one line, and nothing else. */
async function refusalOf(variables: Record<string, string>): Promise<string> {
  const product = await launch(variables)
  assert.equal(await product.ended, 1, product.said())
  const lines = product.said().trim().split('\n')
  assert.equal(lines.length, 1, product.said())
  return lines[0] ?? ''
}

test('18: a taken port, an absent or unreachable database, and one that is too old are refused in one line each', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.after(() => taken.close())
  const { port } = taken.address() as AddressInfo
  assert.match(await refusalOf({ PORT: String(port) }), new RegExp(`^Port ${port} on 127.0.0.1 is taken by another process`))
  assert.equal(existsSync(databaseFolder()), false, 'nothing was made')

  const database = await freshDatabase()
  t.after(() => database.drop())
  const at = new URL(database.url)
  at.pathname = '/not_there'
  assert.match(await refusalOf({ DATABASE_URL: at.href }), /has no database 'not_there': create it first/)
  taken.close()
  assert.match(await refusalOf({ DATABASE_URL: `postgres://x@127.0.0.1:${port}/x` }), /is not listening/)

  const old = createServer((socket) => answerAsPostgres(socket, '150004')).listen(0, '127.0.0.1')
  await once(old, 'listening')
  t.after(() => old.close())
  const oldUrl = `postgres://x@127.0.0.1:${(old.address() as AddressInfo).port}/x`
  assert.match(await refusalOf({ DATABASE_URL: oldUrl }), /^The database is PostgreSQL 15\. Yardbid needs 16 or newer\.$/)
})

test('17: a process that the database has no connections left for is refused in one line', async (t) => {
  const database = await freshDatabase()
  t.after(() => database.drop())
  const said = await refusalOf({ DATABASE_URL: database.url, DATABASE_CONNECTIONS: '400' })
  assert.match(said, /^PostgreSQL allows 200 connections; 3 are reserved and \d+ in use, so \d+ are left and this process needs 400\./)
})

/** Lets everybody in, and answers every query with one row: this version, 100 connections, none reserved or in use. */
function answerAsPostgres(socket: Socket, version: string): void {
  const message = (type: string, ...parts: Buffer[]) => {
    const body = Buffer.concat(parts)
    const length = Buffer.alloc(4)
    length.writeInt32BE(body.length + 4)
    return Buffer.concat([Buffer.from(type), length, body])
  }
  const int16 = (value: number) => Buffer.from([value >> 8, value & 255])
  const int32 = (value: number) => Buffer.concat([int16(value >>> 16), int16(value & 65_535)])
  const ready = message('Z', Buffer.from('I'))
  const names = ['version', 'max', 'reserved', 'used']
  const column = (name: string) => Buffer.concat([Buffer.from(`${name}\0`), int32(0), int16(0), int32(23), int16(4), int32(-1), int16(0)])
  const value = (text: string) => Buffer.concat([int32(text.length), Buffer.from(text)])
  socket.on('error', () => socket.destroy())
  socket.once('data', () => {
    socket.write(Buffer.concat([message('R', int32(0)), ready]))
    socket.on('data', () =>
      socket.write(
        Buffer.concat([
          message('T', int16(names.length), ...names.map(column)),
          message('D', int16(names.length), ...[version, '100', '0', '0'].map(value)),
          message('C', Buffer.from('SELECT 1\0')),
          ready,
        ]),
      ),
    )
  })
}

test('with PORT=0 the payment provider’s word reaches the port that it got', async () => {
  const database = await freshDatabase()
  const client = new pg.Client({ connectionString: database.url })
  try {
    const product = await launch({ DATABASE_URL: database.url, SANDBOX: '1', PORT: '0' })
    await product.says(READY)
    await client.connect()
    // what was posted in vain before is posted again within seconds
    for (let looks = 0; (await client.query('select from provider_events')).rowCount === 0; looks++) {
      assert.ok(looks < 600, 'no word has come')
      await pause(50)
    }
    product.signal('SIGTERM')
    assert.equal(await product.ended, 0, product.said())
  } finally {
    await client.end()
    await database.drop()
  }
})

async function launch(variables: Record<string, string> = {}): Promise<Product> {
  const product = await launchProduct({ DATA_DIR: dataDir, ...variables })
  launched.push(product)
  return product
}

const databaseFolder = () => join(dataDir, 'pg')

function postmaster(): Postmaster {
  const server = findPostmaster(databaseFolder())
  assert.ok(server, 'the embedded database runs')
  return server
}

// the process says nothing before it is ready: look at its database until that is there
async function databaseRuns({ ended, said }: Product): Promise<void> {
  let over = false
  void ended.then(() => (over = true))
  while (!findPostmaster(databaseFolder())) {
    assert.equal(over, false, said())
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function signUp({ url }: Product): Promise<string> {
  const form = signUpForm()
  assert.equal((await newClient(url).post('/api/v1/auth/register/web', form)).status, 201)
  return form.email
}

const logIn = ({ url }: Product, email: string, password: string) => newClient(url).logIn(email, password)

async function countUsers(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<{ count: number }>('select count(*)::int from users')).rows[0]?.count ?? -1
  } finally {
    await client.end()
  }
}
