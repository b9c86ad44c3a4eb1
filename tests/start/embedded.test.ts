import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { before, test, type TestContext } from 'node:test'
import pg from 'pg'
import { holdExclusively } from '#database/embedded/exclusive.ts'
import { insideFolder } from '#database/embedded/folder.ts'
import { findPostmaster, isRunning, stopPostmaster } from '#database/embedded/postmaster.ts'
import { startPostgres } from '#database/embedded/postgres.ts'
import { scratchFolder } from '#tests/support/files/scratch.ts'

const isRoot = process.getuid?.() === 0
let home: string
let folders = 0
before(async () => void (home = await scratchFolder('embedded')))

const open = 0o755
const closed = 0o700 // as /root is: the uid that PostgreSQL drops to cannot enter it
const ways = isRoot
  ? ([
      ['namespace', open],
      ['namespace', closed],
      ['uid', open],
      ['uid', closed],
    ] as const)
  : ([['self', closed]] as const)

for (const [as, mode] of ways) {
  test(`PostgreSQL starts in an empty folder and stops without a trace, as '${as}' below mode ${mode.toString(8)}`, async (context) => {
    const dir = folderFor(context)
    await mkdir(dirname(dir), { mode })
    const server = await startPostgres({ dir, as })
    assert.equal(server.adopted, false)
    const running = postmaster(dir)
    assert.deepEqual(await ask(server.url, 'select current_user, current_database()'), [
      { current_user: 'yardbid', current_database: 'yardbid' },
    ])
    await server.stop()
    assert.equal(isRunning(running), false)
    await assert.rejects(ask(server.url, 'select 1'), /ECONNREFUSED/)
  })
}

test('the cluster speaks UTF-8 in the same order of words everywhere, on 127.0.0.1 alone and with a password', async (context) => {
  const { dir, url } = await started(context)
  assert.deepEqual(
    await ask(url, 'select datcollate, datlocale, pg_encoding_to_char(encoding) from pg_database where datname = current_database()'),
    [{ datcollate: 'C', datlocale: 'C.UTF-8', pg_encoding_to_char: 'UTF8' }],
  )
  assert.deepEqual(
    await ask(url, "select name, setting from pg_settings where name in ('listen_addresses', 'unix_socket_directories') order by name"),
    [
      { name: 'listen_addresses', setting: '127.0.0.1' },
      { name: 'unix_socket_directories', setting: '' },
    ],
  )
  assert.equal((await stat(insideFolder(dir).password)).mode & 0o777, 0o600)
  await assert.rejects(ask(url.replace(/:[^:@]+@/, ':wrong@'), 'select 1'), /password authentication failed/)
})

test(
  'a folder that was run in one way is taken over by the other',
  { skip: !isRoot && 'an ordinary user has one way' },
  async (context) => {
    const dir = folderFor(context)
    const turns = [
      ['namespace', 0],
      ['uid', 65534],
      ['namespace', 0],
    ] as const
    for (const [as, owner] of turns) {
      const server = await startPostgres({ dir, fast: true, as })
      await ask(server.url, 'create table if not exists kept (run int)')
      await ask(server.url, 'insert into kept values (1)')
      await server.stop()
      assert.equal((await stat(insideFolder(dir).cluster)).uid, owner)
    }
    const { url } = await started(context, dir)
    assert.deepEqual(await ask(url, 'select count(*)::int from kept'), [{ count: 3 }])
  },
)

test('a server that outlived its app is adopted, and stopped', async (context) => {
  const { dir, url } = await started(context)
  const running = postmaster(dir)
  const again = await startPostgres({ dir })
  assert.equal(again.adopted, true)
  assert.equal(again.url, url)
  await again.stop()
  assert.equal(isRunning(running), false)
})

test('a server killed while it writes loses nothing that it acknowledged', async (context) => {
  const { dir, url } = await started(context)
  await ask(url, 'create table bids (n int primary key)')
  const acknowledged = await insertUntilKilled(url, { killAfter: 300, kill: () => process.kill(postmaster(dir).pid, 'SIGKILL') })
  const again = await startPostgres({ dir })
  assert.equal(again.adopted, false)
  const rows = (await ask(again.url, 'select n from bids')) as { n: number }[]
  const kept = new Set(rows.map(({ n }) => n))
  assert.ok(acknowledged.length >= 300)
  assert.deepEqual(
    acknowledged.filter((n) => !kept.has(n)),
    [],
  )
})

test('what an interrupted first start left is removed', async (context) => {
  const dir = folderFor(context)
  const leftover = `${dir}.making-999999999`
  await mkdir(join(leftover, 'cluster'), { recursive: true })
  await writeFile(join(leftover, 'cluster', 'PG_VERSION'), '18\n')
  const { url } = await started(context, dir)
  assert.equal(existsSync(leftover), false)
  assert.deepEqual(await ask(url, 'select 1 as answer'), [{ answer: 1 }])
})

test('a pid file from before a power cut, whose pid is another process now, does not stop the start', async (context) => {
  const dir = folderFor(context)
  await (await startPostgres({ dir, fast: true })).stop()
  const { cluster, pidFile } = insideFolder(dir)
  await writeFile(pidFile, `${process.pid}\n${cluster}\n1700000000\n5432\n\n127.0.0.1\n\nready\n`)
  const { url } = await started(context, dir)
  assert.deepEqual(await ask(url, 'select 1 as answer'), [{ answer: 1 }])
})

test('two starts at one moment share one server', async (context) => {
  const dir = folderFor(context)
  await (await startPostgres({ dir, fast: true })).stop()
  const both = await Promise.all([startPostgres({ dir, fast: true }), startPostgres({ dir, fast: true })])
  assert.equal(both[0].url, both[1].url)
  assert.notEqual(both[0].adopted, both[1].adopted)
})

test('a second app on the folder is refused until the first one lets go', async (context) => {
  const { url } = await started(context)
  const first = await holdExclusively(url)
  await assert.rejects(holdExclusively(url), /Another Yardbid is already running with this data folder/)
  await first.end()
  const second = await holdExclusively(url)
  await second.end()
})

test('a server that cannot start says why, in its own last words', async (context) => {
  const dir = folderFor(context)
  await (await startPostgres({ dir, fast: true })).stop()
  const settings = join(insideFolder(dir).cluster, 'postgresql.conf')
  await writeFile(settings, `${await readFile(settings, 'utf8')}\nshared_buffers = 'a lot'\n`)
  await assert.rejects(startPostgres({ dir }), /PostgreSQL did not start in .*[\s\S]*shared_buffers/)
})

// every server of a test ends with it, also when the test failed half-way
function folderFor(context: TestContext): string {
  const dir = join(home, `test-${++folders}`, 'postgres')
  context.after(async () => {
    const server = findPostmaster(dir)
    if (server) await stopPostmaster(server)
  })
  return dir
}

async function started(context: TestContext, dir = folderFor(context)) {
  return { dir, ...(await startPostgres({ dir })) }
}

function postmaster(dir: string) {
  const server = findPostmaster(dir)
  assert.ok(server, 'the server runs')
  return server
}

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(sql)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

async function insertUntilKilled(url: string, { killAfter, kill }: { killAfter: number; kill: () => void }): Promise<number[]> {
  const acknowledged: number[] = []
  let next = 0
  const writer = async () => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    for (;;) {
      const n = next++
      await client.query('insert into bids values ($1)', [n])
      acknowledged.push(n)
      if (acknowledged.length === killAfter) kill()
    }
  }
  const ends = await Promise.allSettled([writer(), writer(), writer(), writer()])
  assert.ok(ends.every(({ status }) => status === 'rejected'))
  return acknowledged
}
