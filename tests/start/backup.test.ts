import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '#database/embedded/postgres.ts'
import { migrate } from '#database/migrate.ts'
import { newListing, newMerchant } from '#tests/support/auctions/auction.ts'
import { newBidder, send, type Bidder } from '#tests/support/auctions/bidders.ts'
import { photo } from '#tests/support/files/made-files.ts'
import { scratchFolder } from '#tests/support/files/scratch.ts'
import { upload } from '#tests/support/files/stores.ts'
import { demoUser } from '#tests/support/people.ts'
import { connectTo, freshDatabase } from '#tests/support/processes/postgres.ts'
import { freePort } from '#tests/support/processes/product.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

// npm run backup and npm run restore, as processes of their own beside a server that works.

const ROOT = path.resolve(import.meta.dirname, '../..')
const BIDDERS = 4

let scratch: string
let dataDir: string
let yard: Yard
let port: number

before(async () => {
  scratch = await scratchFolder('backup')
  dataDir = path.join(scratch, 'data')
  port = await freePort()
  const server = await startPostgres({ dir: path.join(dataDir, 'pg'), fast: true })
  await migrate(server.url)
  yard = await openYard({
    demo: true,
    env: { DATA_DIR: dataDir },
    killable: { database: { url: server.url, drop: server.stop }, connect: connectTo },
  })
})
after(() => yard.close())

type Ended = { code: number | null; said: string }

/** A script of ours with these variables and none of those that the tests were started with. */
function run(
  script: string,
  args: string[],
  env: Record<string, string>,
  prefix: string[] = [],
): Promise<Ended> & { kill: (signal: NodeJS.Signals) => void } {
  const [command = '', ...rest] = [...prefix, process.execPath, `scripts/${script}.ts`, ...args]
  const child = spawn(command, rest, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  const ended = new Promise<Ended>((done) => child.once('close', (code) => done({ code, said })))
  return Object.assign(ended, { kill: (signal: NodeJS.Signals) => void child.kill(signal) })
}

const backUp = (name: string) => run('backup', [path.join(scratch, name)], { DATA_DIR: dataDir })
const folders = () => readdir(scratch)

async function saved(name: string): Promise<string> {
  const { code, said } = await backUp(name)
  assert.equal(code, 0, said)
  return path.join(scratch, name)
}

type Acknowledged = { id: string; at: number }

/** Many bid on one listing until it is over. */
async function bidOn(listing: string, bidders: readonly Bidder[], acknowledged: Acknowledged[], isOver: () => boolean): Promise<void> {
  let amount = 100_00
  const bid = async (bidder: Bidder) => {
    while (!isOver()) {
      amount += 10_00
      const { status, body } = await send(yard.url, bidder, { key: randomUUID(), listing, amount, max_amount: amount })
      if (status === 201) acknowledged.push({ id: body.data.bid.id, at: Date.now() })
    }
  }
  await Promise.all(bidders.map(bid))
}

test('a backup while many bid holds every bid acknowledged before its end, and its restored copy passes the check', async (t) => {
  const photoOf = await upload(await demoUser(yard, 'seller'), { bytes: await photo(), mime_type: 'image/jpeg' })
  const listing = await newListing(yard.owner, await newMerchant(yard.owner), { extends_on_late_bids: false })
  const bidders = await Promise.all(Array.from({ length: BIDDERS }, () => newBidder(yard.owner, yard.url)))
  const acknowledged: Acknowledged[] = []
  let isOver = false
  const bidding = bidOn(listing, bidders, acknowledged, () => isOver)
  let archive = ''
  let expected: Acknowledged[] = []
  let during = 0
  try {
    // a backup during which nobody was answered would show nothing
    for (let nth = 1; during === 0; nth++) {
      archive = await saved(`while-bidding-${nth}`)
      const manifest = JSON.parse(await readFile(path.join(archive, 'manifest.json'), 'utf8'))
      const [began, until] = [Date.parse(manifest.began_at), Date.parse(manifest.complete_until)]
      expected = acknowledged.filter(({ at }) => at < until)
      during = expected.filter(({ at }) => at >= began).length
    }
  } finally {
    isOver = true
    await bidding
  }
  t.diagnostic(`${expected.length} bids acknowledged before the end, ${during} of them during the backup`)

  const restored = path.join(scratch, 'restored')
  const { code, said } = await run('restore', [archive], { DATA_DIR: restored })
  assert.equal(code, 0, said)
  const check = await run('check', [], { DATA_DIR: restored })
  assert.deepEqual([check.code, check.said], [0, 'Everything holds.\n'])

  const copy = await startPostgres({ dir: path.join(restored, 'pg'), fast: true })
  const client = await connectTo(copy.url)
  const { rows } = await client.query<{ id: string }>('select id from bids')
  const file = await client.query<{ object_key: string }>('select object_key from storage_objects where id = $1', [photoOf.id])
  await client.end()
  await copy.stop()
  const kept = new Set(rows.map(({ id }) => id))
  assert.deepEqual(
    expected.filter(({ id }) => !kept.has(id)),
    [],
    'no acknowledged bid is missing',
  )
  const key = file.rows[0]?.object_key ?? ''
  assert.deepEqual(await readFile(path.join(restored, 'files', key)), await readFile(path.join(dataDir, 'files', key)))
})

test('a backup that is interrupted or killed leaves nothing under its name; the next one removes what was left', async () => {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const name = `stopped-${signal}`
    const running = backUp(name)
    while (!(await folders()).some((folder) => folder.startsWith(name))) await pause(5)
    running.kill(signal)
    const { code, said } = await running
    assert.equal(existsSync(path.join(scratch, name)), code === 0, said)
    if (signal === 'SIGTERM' && code !== 0) {
      assert.match(said, /The backup was interrupted\. Nothing was kept\./)
      assert.deepEqual(
        (await folders()).filter((folder) => folder.startsWith(name)),
        [],
      )
    }
    await rm(path.join(scratch, name), { recursive: true, force: true })
    await saved(name)
    assert.deepEqual(
      (await folders()).filter((folder) => folder.startsWith(name)),
      [name],
    )
  }
})

test('a backup that cannot write says why and leaves nothing', async () => {
  // the limit stands for any write that fails; a signal would come with it, which is not the subject
  const limited = ['sh', '-c', `trap '' XFSZ; ulimit -f 64; exec "$0" "$@"`]
  const { code, said } = await run('backup', [path.join(scratch, 'too-large')], { DATA_DIR: dataDir }, limited)
  assert.deepEqual(
    [code, /could not be written: .* larger than this user may write\. Nothing was kept there\./.test(said)],
    [1, true],
    said,
  )
  assert.deepEqual(
    (await folders()).filter((folder) => folder.startsWith('too-large')),
    [],
  )
})

const canMount = spawnSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs -o size=1m none /mnt']).status === 0

test('a backup onto a full disk says so and leaves nothing', { skip: !canMount && 'no disk can be mounted here' }, async () => {
  const disk = path.join(scratch, 'small-disk')
  await mkdir(disk)
  const mounted = [
    'unshare',
    '--mount',
    'sh',
    '-c',
    `mount -t tmpfs -o size=2m none ${disk} && "$0" "$@"; code=$?; ls -A ${disk}; exit $code`,
  ]
  const { code, said } = await run('backup', [path.join(disk, 'one')], { DATA_DIR: dataDir }, mounted)
  assert.deepEqual([code, said], [1, `${disk}/one could not be written: the disk is full. Nothing was kept there.\n`])
})

test('backup and restore refuse a folder that is in use, has data, is not whole or is not there', async () => {
  const archive = await saved('good')
  const refused = async (from: string, to: string, says: RegExp, env: Record<string, string> = {}) => {
    const { code, said } = await run('restore', [from], { DATA_DIR: to, ...env })
    assert.equal(code, 1)
    assert.match(said, says)
    assert.ok(!said.includes('    at '), said)
  }
  await refused(archive, dataDir, /A server is running on .*data\/pg\. Stop it/)
  const stopped = path.join(scratch, 'stopped')
  await mkdir(path.join(stopped, 'pg', 'cluster'), { recursive: true })
  await refused(archive, stopped, /stopped\/pg has a database already\. Move it away/)
  const used = path.join(scratch, 'used')
  await mkdir(path.join(used, 'files', 'x'), { recursive: true })
  await refused(archive, used, /used\/files has uploads already/)
  const fresh = path.join(scratch, 'fresh')
  await refused(path.join(scratch, 'nowhere'), fresh, /nowhere is no backup: it has no manifest\.json/)
  const half = path.join(scratch, 'half')
  await cp(archive, half, { recursive: true })
  await rm(path.join(half, 'cluster', 'global', 'pg_control'))
  await refused(half, fresh, /half is not whole: \d+ files/)
  await refused(archive, fresh, /restore it without DATABASE_URL/, { DATABASE_URL: 'postgres://x@127.0.0.1:1/x' })
  assert.ok(!existsSync(fresh), 'a refusal makes nothing')
  const nothing = await run('backup', [path.join(scratch, 'nothing')], { DATA_DIR: fresh })
  assert.deepEqual([nothing.code, nothing.said], [1, `There is no database in ${fresh}. Name its folder by DATA_DIR.\n`])
  const inside = await run('backup', [path.join(dataDir, 'files', 'x')], { DATA_DIR: dataDir })
  assert.deepEqual([inside.code, inside.said.includes('is inside of')], [1, true], inside.said)
  const again = await backUp('good')
  assert.deepEqual([again.code, again.said], [1, `${archive} exists already. Name a folder that does not.\n`])
})

test('with DATABASE_URL a tool that is missing or older than the server is named', async () => {
  const tools = path.join(scratch, 'tools')
  await mkdir(tools)
  const env = { DATABASE_URL: yard.databaseUrl, DATA_DIR: path.join(scratch, 'elsewhere'), PATH: tools }
  const missing = await run('backup', [path.join(scratch, 'dump')], env)
  assert.deepEqual([missing.code, missing.said.startsWith('pg_dump is not installed here: install')], [1, true], missing.said)
  await writeFile(path.join(tools, 'pg_dump'), '#!/bin/sh\necho "pg_dump (PostgreSQL) 12.3"\n')
  await chmod(path.join(tools, 'pg_dump'), 0o755)
  const old = await run('backup', [path.join(scratch, 'dump')], env)
  assert.deepEqual(
    [old.code, /pg_dump here is of PostgreSQL 12, and the server of DATABASE_URL is \d+: install/.test(old.said)],
    [1, true],
    old.said,
  )
  assert.deepEqual(
    (await folders()).filter((folder) => folder.startsWith('dump')),
    [],
  )
})

const toolVersion = Number(/(\d+)/.exec(spawnSync('pg_dump', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1] ?? 0)

test(
  'with DATABASE_URL a dump is restored into an empty database, which then holds',
  { skip: toolVersion < 18 && 'pg_dump 18 is not installed' },
  async () => {
    const env = { SANDBOX: '1', DATA_DIR: dataDir }
    const archive = path.join(scratch, 'dumped')
    const backup = await run('backup', [archive], { ...env, DATABASE_URL: yard.databaseUrl })
    assert.equal(backup.code, 0, backup.said)
    const target = await freshDatabase()
    const restored = { SANDBOX: '1', DATA_DIR: path.join(scratch, 'dump-restored'), DATABASE_URL: target.url }
    const taken = await run('restore', [archive], restored)
    assert.deepEqual([taken.code, /has \d+ tables already/.test(taken.said)], [1, true], taken.said)
    const owner = await connectTo(target.url)
    await owner.query('drop schema public cascade; create schema public')
    const busy = await run('restore', [archive], restored)
    assert.deepEqual([busy.code, /is in use by 1 connections/.test(busy.said)], [1, true], busy.said)
    await owner.end()
    const done = await run('restore', [archive], restored)
    assert.equal(done.code, 0, done.said)
    const check = await run('check', [], restored)
    assert.deepEqual([check.code, check.said], [0, 'Everything holds.\n'])
    await target.drop()
  },
)
