import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { writableAddress } from '#database/hosts.ts'
import { openPool } from '#server/db/db.ts'
import { newListing, newMerchant } from '#tests/support/auctions/auction.ts'
import { newBidder, send, type Bid, type Bidder } from '#tests/support/auctions/bidders.ts'
import { silentRelay } from '#tests/support/processes/silent-relay.ts'
import { closeSound, openYard, type Yard } from '#tests/support/yard.ts'

// A database that vanishes: each test waits for the moment at which the service is back, within its own time.

const BACK_WITHIN = { timeout: 300_000 }

let yard: Yard
let seller: string
let bidder: Bidder
before(async () => {
  yard = await openYard({ hasFaultyLine: true })
  seller = await newMerchant(yard.owner, { payment_account_verified: true })
  bidder = await newBidder(yard.owner, yard.url)
})
after(() => closeSound(yard))

const bidOn = (listing: string): Bid => ({ key: `bid-${listing}`, listing, amount: 500_00, max_amount: 500_00 })

/** Sends one bid again and again, with one key, and answers every status that it got on the way. */
async function bidUntilAccepted(listing: string): Promise<number[]> {
  const statuses: number[] = []
  while (statuses.at(-1) !== 201) {
    statuses.push((await send(yard.url, bidder, bidOn(listing))).status)
    await pause(50)
  }
  return statuses
}

async function endsBySoon(listing: string): Promise<void> {
  await yard.owner.query(
    `update listings set expires_at = soon.t, first_expires_at = soon.t
     from (select date_trunc('milliseconds', app_now() + interval '200 milliseconds') as t offset 0) as soon where id = $1`,
    [listing],
  )
  while ((await yard.owner.query(`select from listings where id = $1 and status = 'Active'`, [listing])).rowCount) await pause(20)
}

const ready = async () => (await fetch(`${yard.url}/readyz`)).status

const terminateConnections = () =>
  yard.owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name <> 'owner'`,
  )

/** The wake-up of the worker is lost like every other connection. */
async function doesQueuedJob(): Promise<void> {
  await yard.owner.query(`insert into jobs (kind, payload) values ('send_account_opened', jsonb_build_object('user_id', $1::text))`, [
    seller,
  ])
  await yard.jobsDone()
}

test('14: after every connection was lost in silence bids, closing, jobs and readiness come back by themselves', BACK_WITHIN, async () => {
  const [listing, ending] = [await newListing(yard.owner, seller), await newListing(yard.owner, seller)]
  await bidUntilAccepted(await newListing(yard.owner, seller))
  yard.line?.swallow()
  const lost = Promise.all([ready(), fetch(`${yard.url}/healthz`, { headers: bidder.headers })])
  const [statuses] = await Promise.all([bidUntilAccepted(listing), endsBySoon(ending), doesQueuedJob()])
  const [whenLost, health] = await lost
  assert.equal(whenLost, 503, 'the connections that bids use do not answer')
  assert.equal(health.status, 200, 'not even the session is looked up')
  // 0 is a client that did not wait for its answer
  assert.deepEqual(
    statuses.filter((status) => ![0, 503, 201].includes(status)),
    [],
  )
  while ((await ready()) !== 200) await pause(50)
})

test('14: a new connection that is never answered is a 503 that says when to try again', BACK_WITHIN, async () => {
  yard.line?.swallowNew(true)
  await terminateConnections()
  // one whose end has not been noticed yet may be taken first
  const answers = await Promise.all(Array.from({ length: 3 }, () => fetch(`${yard.url}/api/v1/config`)))
  for (const answer of answers) assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '2'])
  yard.line?.swallowNew(false)
  while ((await ready()) !== 200) await pause(50)
})

test(
  '15: a process whose connections are terminated again and again stays, and takes bids and closes afterwards',
  BACK_WITHIN,
  async () => {
    const [listing, ending] = [await newListing(yard.owner, seller), await newListing(yard.owner, seller)]
    for (let round = 0; round < 10; round++) {
      await terminateConnections()
      await Promise.all([send(yard.url, bidder, bidOn(listing)), fetch(`${yard.url}/api/v1/config`), pause(100)])
    }
    await Promise.all([bidUntilAccepted(listing), endsBySoon(ending)])
  },
)

test('14: a worker says whether it lives and whether it can work, and serves nothing else', async () => {
  const worker = await yard.another({ ROLE: 'worker' })
  const statusOf = async (path: string) => (await fetch(`${worker.url}${path}`)).status
  assert.deepEqual([await statusOf('/healthz'), await statusOf('/readyz'), await statusOf('/api/v1/config')], [200, 200, 404])
  await worker.stop()
})

test('18: readiness is refused on a read-only database, and a change is a 503', async () => {
  const name = new URL(yard.databaseUrl).pathname.slice(1)
  await yard.owner.query(`alter database ${name} set default_transaction_read_only = on`)
  await terminateConnections()
  const listing = await newListing(yard.owner, seller)
  while (((await (await fetch(`${yard.url}/readyz`)).json()) as { message: string }).message !== 'The database is read-only.')
    await pause(20)
  assert.equal((await send(yard.url, bidder, bidOn(listing))).status, 503)
  await yard.owner.query(`alter database ${name} reset default_transaction_read_only`)
  await terminateConnections()
  while ((await ready()) !== 200) await pause(20)
  await bidUntilAccepted(listing)
})

test('18: of several hosts the server uses the one that takes writes, and moves when another does', async (t) => {
  const name = new URL(yard.databaseUrl).pathname.slice(1)
  const standby = await silentRelay(() => Number(new URL(yard.databaseUrl).port))
  t.after(() => standby.close())
  // two ways to one server: the roles of the users tell which of them takes writes
  const { username, password, port } = new URL(yard.databaseUrl)
  const several = `postgres://${username}:${password}@127.0.0.1:1,127.0.0.1:${standby.port},127.0.0.1:${port}/${name}?target_session_attrs=read-write`
  assert.equal(new URL(await writableAddress(several)).port, String(standby.port), 'the first that answers and takes writes')
  standby.swallowNew(true)
  await pause(1_100) // what was known of it is asked again
  assert.equal(new URL(await writableAddress(several)).port, port)
  const pool = openPool(several, 2)
  t.after(() => pool.end())
  assert.deepEqual((await pool.query('select current_database() as name')).rows, [{ name }])
  standby.swallowNew(false)
  await yard.owner.query(`alter database ${name} set default_transaction_read_only = on`)
  await pause(1_100)
  await assert.rejects(writableAddress(several), /no host of DATABASE_URL takes writes/)
  await yard.owner.query(`alter database ${name} reset default_transaction_read_only`)
})

test('17: a process stays within its stated connections, and opens those of bids at the start', async () => {
  const quiet = await openYard({ env: { DATABASE_CONNECTIONS: '17', ROLE: 'web' } })
  const countOf = async () =>
    (
      await quiet.owner.query<{ count: number }>(
        `select count(*)::int from pg_stat_activity where datname = current_database() and application_name <> 'owner'`,
      )
    ).rows[0]?.count ?? 0
  assert.ok((await countOf()) >= 2, 'bids have theirs')
  await Promise.all(Array.from({ length: 200 }, (_, nth) => fetch(`${quiet.url}/api/v1/${nth % 2 ? 'listings' : 'config'}`)))
  assert.ok((await countOf()) <= 17)
  await quiet.close()
})
