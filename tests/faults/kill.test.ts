import assert from 'node:assert/strict'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { findViolations } from '#database/check.ts'
import { migrate } from '#database/migrate.ts'
import { newListing, newMerchant } from '#tests/support/auctions/auction.ts'
import { everyAnswerIsKept, everyEndIsOne, laterBidsComeLater, sameKeysAnswerTheSame } from '#tests/faults/kept-bids.ts'
import { bidUntilAnswered, newBidder, nextBid, type Answered, type Bidder, type Field } from '#tests/support/auctions/bidders.ts'
import { durablePostgres, type DurablePostgres } from '#tests/support/processes/durable-postgres.ts'
import { launchProduct, type Product } from '#tests/support/processes/product.ts'
import { seededRandom } from '#tests/support/random.ts'
import { eventsOutsideTheTable } from '#tests/support/auctions/replay.ts'
import { scratchFolder } from '#tests/support/files/scratch.ts'

// Invariant 8. KILL_SECONDS=600 goes on for longer, KILL_SEED=… repeats a run's choices (not its timing).
// A run that fails leaves its history: .cache/faults/<seed>.jsonl, every send and answer in the order in which they came.

const SECONDS = Number(process.env['KILL_SECONDS'] ?? 30)
const SEED = Number(process.env['KILL_SEED'] ?? 20_261_115)
const BIDDERS = 24
const WANTED_KILLS = 6
/** A machine that is too slow for as many in time shows it with fewer, however long these take. */
const LEAST_KILLS = 3
const LEAST_ACCEPTED = 50
const LEAST_RESENT = 5
const PATIENCE_MS = 45_000
const ANSWERS_BETWEEN = 10
/** Listings end one after the other all along; two never do. */
const END_EVERY_MS = 3_000
const OPEN_AT_ONCE = 5

const random = seededRandom(SEED)
const historyFile = join(resolve(import.meta.dirname, '../../.cache/faults'), `${SEED}.jsonl`)
/** Those that answer. */
const servers: (Product | undefined)[] = [undefined, undefined]
/** Those and what is only starting. */
const launched: (Product | undefined)[] = [undefined, undefined]
const killed = { server: 0, postgres: 0 }
/** What else the database went through. */
const hurt = { silence: 0, terminate: 0, restart: 0 }
/** Servers that ended and were not killed. */
let endedAlone = 0
let database: DurablePostgres
let dataDir: string
let owner: pg.Client
let field: Field
let keepers: Promise<void>[] = []
let isClosing = false
let answers = 0
const counted = { accepted: 0, resent: 0 }

before(async () => {
  process.setMaxListeners(0) // every product launched leaves a listener
  mkdirSync(join(historyFile, '..'), { recursive: true })
  database = await durablePostgres()
  await migrate(database.url)
  dataDir = await scratchFolder('faults-data')
  owner = await connectAsOwner()
  keepers = [keepRunning(0), keepRunning(1)]
  await bothRun()
  field = { random, historyFile, processes: () => servers.flatMap((server) => server?.url ?? []) }
})
after(async () => {
  isClosing = true
  for (const server of launched) server?.signal('SIGKILL')
  await Promise.all(keepers)
  await owner.end().catch(() => {})
  await database.remove()
})

const title =
  '8, 14, 15: servers and PostgreSQL are killed, restarted, cut off and silenced while many bid: no acknowledged bid is lost, none is there twice, prices only rise, one winner each'

test(title, { timeout: (SECONDS + 1_200) * 1_000 }, async (t) => {
  t.diagnostic(`KILL_SEED=${SEED}`)
  const seller = await newMerchant(owner, { payment_account_verified: true })
  await owner.query(
    `insert into settings (key, value) values ('late_bid_window', '"2s"'), ('late_bid_extension', '"2s"'), ('late_bid_cap', '"5s"')`,
  )
  const listings = await openListings(seller)
  const bidders: Bidder[] = []
  for (let nth = 0; nth < BIDDERS; nth++) bidders.push(await newBidder(owner, field.processes()[0] ?? ''))

  let isOver = false
  const bidding = Promise.all(bidders.map((bidder) => bidOn(bidder, listings, () => isOver)))
  try {
    // a bidder that fails ends the killing too
    await Promise.race([killUntil(Date.now() + SECONDS * 1_000), bidding])
  } finally {
    isOver = true
  }
  const answered = (await bidding).flat()
  const moment = await closedUntilNow()

  const accepted = answered.filter(isAccepted)
  const resent = answered.filter(isResent)
  t.diagnostic(
    `${killed.server} servers and ${killed.postgres} PostgreSQL killed, ${JSON.stringify(hurt)}; ${answered.length} bids answered, ${accepted.length} accepted, ${resent.length} sent more than once`,
  )
  assert.ok(killed.server >= LEAST_KILLS && killed.postgres >= LEAST_KILLS, JSON.stringify(killed))
  assert.ok(hurt.silence > 0, 'every connection was lost in silence at least once')
  assert.equal(endedAlone, 0, 'no server ends because its database is away')
  assert.ok(accepted.length > LEAST_ACCEPTED && resent.length > LEAST_RESENT, 'the bidding went on, and was hit')
  for (const { status, body } of answered)
    assert.ok([201, 409].includes(status) || body.errors?.amount, `${status} ${JSON.stringify(body)}`)

  await everyAnswerIsKept(owner, accepted)
  laterBidsComeLater(accepted)
  await sameKeysAnswerTheSame(answered, field.processes())
  await everyEndIsOne(owner, moment)
  assert.deepEqual(await findViolations(owner), [])
  assert.deepEqual(await eventsOutsideTheTable(owner), [])
  rmSync(historyFile)
})

type Open = { id: string; end: number; minimum: number }

async function openListings(seller: string): Promise<Open[]> {
  const listings: Open[] = []
  const add = async (end: number, changes: Record<string, unknown>) => {
    const id = await newListing(owner, seller, {
      start_price: 10_00,
      expires_at: new Date(end),
      first_expires_at: new Date(end),
      ...changes,
    })
    listings.push({ id, end, minimum: 10_00 })
  }
  const first = Date.now() + 8_000
  const staggered = Math.ceil((SECONDS * 1_000) / END_EVERY_MS)
  for (let nth = 0; nth < staggered; nth++) {
    const reservation_price = random.oneOf([null, 30_00, 500_000_00])
    await add(first + nth * END_EVERY_MS, { extends_on_late_bids: nth % 3 === 0, reservation_price })
  }
  for (let nth = 0; nth < 2; nth++) await add(Date.now() + (SECONDS + 3_600) * 1_000, {})
  return listings
}

async function bidOn(bidder: Bidder, listings: Open[], isOver: () => boolean): Promise<Answered[]> {
  const heard: Answered[] = []
  while (!isOver()) {
    // those that end next, and what ended a moment ago: late bids must come too
    const open = listings.filter(({ end }) => end > Date.now() - 1_500).slice(0, OPEN_AT_ONCE)
    const listing = random.oneOf([...open, ...listings.slice(-2)])
    const answer = await bidUntilAnswered(field, bidder, nextBid(random, listing.id, listing.minimum))
    heard.push(answer)
    answers++
    if (isAccepted(answer)) counted.accepted++
    if (isResent(answer)) counted.resent++
    const least = answer.body.data?.listing?.minimum_bid ?? answer.body.minimum_bid
    listing.minimum = Math.max(listing.minimum, least?.value ?? 0)
    await pause(random.between(20, 200))
  }
  return heard
}

const isAccepted = ({ status }: Answered) => status === 201
const isResent = ({ sends }: Answered) => sends > 1

// a silence takes its time to be noticed: once for as many kills as are wanted
const plans = [
  'server',
  'postgres',
  'silence',
  'server',
  'postgres',
  'terminate',
  'both',
  'restart',
  'server',
  'postgres',
  'server',
  'postgres',
  'both',
] as const

/** The next one comes when the bidding has come back from the last: on a slow machine nothing else would ever be seen but starts. */
async function killUntil(end: number): Promise<void> {
  const isTooLittle = () =>
    Object.values(killed).some((count) => count < LEAST_KILLS) ||
    Object.values(hurt).includes(0) ||
    counted.accepted <= LEAST_ACCEPTED ||
    counted.resent <= LEAST_RESENT
  const isEnough = () => Date.now() > end && Object.values(killed).every((count) => count >= WANTED_KILLS) && !isTooLittle()
  for (let nth = 0; !isEnough() && (Date.now() < end + PATIENCE_MS || isTooLittle()); nth++) {
    const target = answers + ANSWERS_BETWEEN
    while (answers < target) await pause(10)
    await pause(random.between(0, 3_000))
    const plan = plans[nth % plans.length] ?? 'both'
    if (plan === 'server' || plan === 'both') killServer()
    if (plan === 'postgres' || plan === 'both') await restartAfter(killPostgres)
    if (plan === 'restart') await restartAfter(() => database.stop())
    if (plan === 'terminate') await terminateSessions()
    if (plan === 'silence') {
      database.swallow()
      owner = await connectAsOwner()
    }
    if (plan in hurt) hurt[plan as keyof typeof hurt]++
  }
  await bothRun()
}

function killServer(): void {
  const which = random.between(0, 1)
  const server = servers[which] ?? servers[1 - which]
  if (!server) return
  server.signal('SIGKILL')
  servers[servers.indexOf(server)] = undefined
  killed.server++
}

async function killPostgres(): Promise<void> {
  await database.kill()
  killed.postgres++
}

async function restartAfter(end: () => Promise<void>): Promise<void> {
  await owner.end().catch(() => {})
  await end()
  await pause(random.between(0, 400))
  await database.start()
  owner = await connectAsOwner()
}

async function terminateSessions(): Promise<void> {
  for (let times = 0; times < 3; times++) {
    await owner.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await pause(random.between(0, 1_000))
  }
}

/** As a supervisor does: a server that ended is started again, one that found no database when it started too. */
async function keepRunning(which: number): Promise<void> {
  while (!isClosing) {
    const server = await launchProduct({
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      SESSION_SECRET: 'a secret that both of the processes share',
      LOG_LEVEL: 'silent',
    })
    launched[which] = server
    if (isClosing) server.signal('SIGKILL')
    await server.says('Yardbid is running').then(
      () => (servers[which] = server),
      () => {},
    )
    await server.ended
    if (servers[which] === server && !isClosing) endedAlone++
    servers[which] = undefined
  }
}

async function bothRun(): Promise<void> {
  while (servers.includes(undefined)) await pause(20)
}

async function connectAsOwner(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url })
  client.on('error', () => {}) // we kill its server
  await client.connect()
  return client
}

/** Waits until everything is closed whose end has come by now, and answers when that was: others go on ending. */
async function closedUntilNow(): Promise<Date> {
  const { rows } = await owner.query<{ now: Date }>(`select date_trunc('milliseconds', app_now()) as now`)
  const now = rows[0]?.now ?? new Date(Number.NaN)
  const open = () => owner.query(`select from listings where status = 'Active' and expires_at <= $1`, [now])
  while ((await open()).rowCount) await pause(50)
  return now
}
