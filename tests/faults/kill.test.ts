import assert from 'node:assert/strict'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { findViolations } from '#database/check.ts'
import { migrate } from '#database/migrate.ts'
import { newListing, newMerchant } from '#tests/support/auction.ts'
import { bidUntilAnswered, newBidder, nextBid, send, type Answered, type Bidder, type Field } from '#tests/support/bidders.ts'
import { durablePostgres, type DurablePostgres } from '#tests/support/durable-postgres.ts'
import { launchProduct, type Product } from '#tests/support/product.ts'
import { seededRandom } from '#tests/support/random.ts'
import { eventsOutsideTheTable } from '#tests/support/replay.ts'
import { scratchFolder } from '#tests/support/scratch.ts'

// Invariant 8. KILL_SECONDS=600 goes on for longer, KILL_SEED=… repeats a run's choices (not its timing).
// A run that fails leaves its history: .cache/faults/<seed>.jsonl, every send and answer in the order in which they came.

const SECONDS = Number(process.env['KILL_SECONDS'] ?? 60)
const SEED = Number(process.env['KILL_SEED'] ?? Date.now() % 2 ** 31)
const BIDDERS = 24
const WANTED_KILLS = 6
/** A machine that is too slow for as many in time shows it with fewer. */
const LEAST_KILLS = 3
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
let database: DurablePostgres
let dataDir: string
let owner: pg.Client
let field: Field
let keepers: Promise<void>[] = []
let isClosing = false
let answers = 0

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
  '8: servers and PostgreSQL are killed again and again while many bid: no acknowledged bid is lost, none is there twice, prices only rise, one winner each'

test(title, { timeout: (SECONDS + 200) * 1_000 }, async (t) => {
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
  // a bidder that fails ends the killing too
  await Promise.race([killUntil(Date.now() + SECONDS * 1_000), bidding])
  isOver = true
  const answered = (await bidding).flat()
  await ended(listings.filter(({ end }) => end < Date.now()).map(({ id }) => id))

  const accepted = answered.filter(({ status }) => status === 201)
  const resent = answered.filter(({ sends }) => sends > 1)
  t.diagnostic(
    `${killed.server} servers and ${killed.postgres} PostgreSQL killed; ${answered.length} bids answered, ${accepted.length} accepted, ${resent.length} sent more than once`,
  )
  assert.ok(killed.server >= LEAST_KILLS && killed.postgres >= LEAST_KILLS, JSON.stringify(killed))
  assert.ok(accepted.length > 50 && resent.length > 5, 'the bidding went on, and was hit')
  for (const { status, body } of answered)
    assert.ok([201, 409].includes(status) || body.errors?.amount, `${status} ${JSON.stringify(body)}`)

  await everyAnswerIsKept(accepted)
  laterBidsComeLater(accepted)
  await sameKeysAnswerTheSame(answered)
  await everyEndIsOne()
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
    const least = answer.body.data?.listing?.minimum_bid ?? answer.body.minimum_bid
    listing.minimum = Math.max(listing.minimum, least?.value ?? 0)
    await pause(random.between(20, 200))
  }
  return heard
}

const plans = ['server', 'postgres', 'server', 'postgres', 'both'] as const

/** The next one comes when the bidding has come back from the last: on a slow machine nothing else would ever be seen but starts. */
async function killUntil(end: number): Promise<void> {
  const isEnough = () => Date.now() > end && killed.server >= WANTED_KILLS && killed.postgres >= WANTED_KILLS
  for (let nth = 0; !isEnough() && Date.now() < end + PATIENCE_MS; nth++) {
    const target = answers + ANSWERS_BETWEEN
    while (answers < target) await pause(10)
    await pause(random.between(0, 3_000))
    const plan = plans[nth % plans.length]
    if (plan !== 'postgres') killServer()
    if (plan === 'server') continue
    await killPostgres()
    await pause(random.between(0, 400))
    await startPostgres()
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
  await owner.end().catch(() => {})
  await database.kill()
  killed.postgres++
}

async function startPostgres(): Promise<void> {
  await database.start()
  owner = await connectAsOwner()
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

async function ended(ids: string[]): Promise<void> {
  const open = () => owner.query(`select from listings where id = any($1::uuid[]) and status = 'Active'`, [ids])
  while ((await open()).rowCount) await pause(50)
}

/** All keys were answered in the end, so the rows are exactly the bids that were: none lost, none twice, none that was refused. */
async function everyAnswerIsKept(accepted: Answered[]): Promise<void> {
  const told = accepted.map(({ listing, bidder, amount, max_amount, body: { data } }) => ({
    id: data.bid.id,
    seq: data.bid.seq,
    listing_id: listing,
    bidder_id: bidder.id,
    amount,
    max_amount,
    price_after: data.bid.current_price.value,
  }))
  const { rows } = await owner.query('select id, seq, listing_id, bidder_id, amount, max_amount, price_after from bids')
  assert.deepEqual(inOrder(rows), inOrder(told))
}

const inOrder = <T extends { listing_id: string; seq: number; id: string }>(bids: T[]) =>
  bids.toSorted((a, b) => a.listing_id.localeCompare(b.listing_id) || a.seq - b.seq || a.id.localeCompare(b.id))

/** A bid that was sent after another was acknowledged has a higher place and no lower price. */
function laterBidsComeLater(accepted: Answered[]): void {
  for (const bids of Map.groupBy(accepted, ({ listing }) => listing).values()) {
    const byAnswer = bids.toSorted((a, b) => a.answeredAt - b.answeredAt)
    for (const bid of bids) {
      const before = byAnswer.filter(({ answeredAt }) => answeredAt < bid.sentAt)
      const { seq, current_price } = bid.body.data.bid
      for (const { body } of before) {
        assert.ok(body.data.bid.seq < seq, `${bid.key}: place ${seq} after ${body.data.bid.seq}`)
        assert.ok(body.data.bid.current_price.value <= current_price.value, `${bid.key}: the price fell`)
      }
    }
  }
}

async function sameKeysAnswerTheSame(answered: Answered[]): Promise<void> {
  const verdict = ({ status, body }: { status: number; body: any }) => ({
    status,
    told: body.data?.bid ?? [body.code, body.message, body.minimum_bid],
  })
  const again = async (sent: Answered) => {
    for (const url of field.processes()) assert.deepEqual(verdict(await send(url, sent.bidder, sent)), verdict(sent), sent.key)
  }
  await Promise.all(sample(answered, 300).map(again))
}

/** Those that were sent more than once first. */
const sample = (answered: Answered[], most: number) => answered.toSorted((a, b) => b.sends - a.sends).slice(0, most)

async function everyEndIsOne(): Promise<void> {
  const { rows } = await owner.query(`
    select l.id, l.status, l.leading_bid_id, l.current_price, l.current_price >= coalesce(l.reservation_price, 0) as is_met,
           (select count(*)::int from listing_events e where e.listing_id = l.id and e.step like 'end\\_%') as ends,
           array(select bid_id from awards a where a.listing_id = l.id) as awarded
    from listings l
    where l.expires_at <= app_now()`)
  assert.ok(rows.length > 0, 'some listings ended')
  for (const { id, status, leading_bid_id, current_price, is_met, ends, awarded } of rows) {
    assert.equal(ends, 1, id)
    assert.deepEqual(awarded, is_met && current_price !== null ? [leading_bid_id] : [], id)
    assert.equal(status, awarded.length > 0 ? 'PendingPayment' : 'Expired', id)
  }
}
