import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { atMost, type Benchmark, type Figure } from '#benchmarks/figures.ts'
import { findViolations } from '#database/check.ts'
import { startPostgres } from '#database/embedded/postgres.ts'
import { migrate } from '#database/migrate.ts'
import { newListing, newMerchant } from '#tests/support/auctions/auction.ts'
import { newBidder, send, type Bidder } from '#tests/support/auctions/bidders.ts'
import { launchProduct } from '#tests/support/processes/product.ts'
import { seededRandom } from '#tests/support/random.ts'
import { scratchFolder } from '#tests/support/files/scratch.ts'
import { connectTo } from '#tests/support/processes/postgres.ts'

// DESIGN, Performance: 10,000 listings end within one minute while bids come until the last moment and a little after it, over
// HTTP to two processes on one PostgreSQL that keeps what it commits. The lag is how long after its end a listing was closed.

const sizes = {
  full: { listings: 10_000, spreadMs: 60_000, bids: 8_000 },
  quick: { listings: 1_000, spreadMs: 10_000, bids: 800 },
}
const PRICE = 100_00
const BIDDERS = 64
const LAST_MS = 200
const AFTER_MS = 40

export const run: Benchmark = async ({ isQuick, say }) => {
  const size = isQuick ? sizes.quick : sizes.full
  const folder = await scratchFolder('bench-closing')
  const postgres = await startPostgres({ dir: join(folder, 'postgres') })
  await migrate(postgres.url)
  const owner = await connectTo(postgres.url)
  const variables = {
    DATABASE_URL: postgres.url,
    DATA_DIR: folder,
    SESSION_SECRET: 'a secret that both processes share, no less',
    LOG_LEVEL: 'error',
  }
  const servers = [await launchProduct(variables), await launchProduct(variables)]
  try {
    await Promise.all(servers.map(({ says }) => says('Yardbid is running')))
    const urls = servers.map(({ url }) => url)
    const bidders: Bidder[] = []
    for (let nth = 0; nth < BIDDERS; nth++) bidders.push(await newBidder(owner, urls[nth % 2] ?? ''))
    const ends = await fillListings(owner, size)
    say(
      `${ends.length} listings end within ${size.spreadMs / 1_000} s, ${size.bids} bids come in the last ${LAST_MS} ms of them or up to ${AFTER_MS} ms late`,
    )
    const answers = await bidAtTheEnd(ends, bidders, urls, size.bids)
    await untilClosed(owner)
    for (const { said } of servers) assert.equal(said().includes('"event":"closer_fault"'), false, said())
    return [...(await judge(owner, answers)), ...(await lags(owner))]
  } finally {
    for (const server of servers) server.signal('SIGTERM')
    await Promise.all(servers.map(({ ended }) => ended))
    await owner.end()
    await postgres.stop()
  }
}

type End = { id: string; end: number }
type Answer = Awaited<ReturnType<typeof send>> & { listing: string; end: number; sentAt: number; answeredAt: number }

/** Copies of one listing, with their ends spread evenly. They begin to end when all are there. */
async function fillListings(owner: pg.Client, { listings, spreadMs }: (typeof sizes)['full']): Promise<End[]> {
  const seller = await newMerchant(owner, { payment_account_verified: true })
  const pattern = await newListing(owner, seller, { start_price: PRICE, extends_on_late_bids: false })
  const { rows: columns } = await owner.query<{ names: string }>(
    `select string_agg(column_name, ', ') as names
     from information_schema.columns
     where table_name = 'listings' and column_name not in ('id', 'expires_at', 'first_expires_at', 'reservation_price')`,
  )
  const names = columns[0]?.names ?? ''
  const { rows } = await owner.query<{ id: string; expires_at: Date }>(
    `insert into listings (${names}, expires_at, first_expires_at, reservation_price)
     select ${names}, ends, ends, case when nth % 5 = 0 then start_price * 2 end
     from listings,
          generate_series(1, $2) as nth,
          lateral (select date_trunc('milliseconds', app_now() + interval '5 seconds' + nth * $3 * interval '1 millisecond' / $2) as ends) as t
     where listings.id = $1
     returning id, expires_at`,
    [pattern, listings, spreadMs],
  )
  return rows.map(({ id, expires_at }) => ({ id, end: expires_at.getTime() }))
}

async function bidAtTheEnd(ends: End[], bidders: Bidder[], urls: string[], bids: number): Promise<Answer[]> {
  const random = seededRandom(1)
  const raised = new Map<string, number>()
  const planned = Array.from({ length: bids }, () => {
    const { id, end } = random.oneOf(ends)
    return { id, end, at: end - random.between(-AFTER_MS, LAST_MS), bidder: random.oneOf(bidders), url: random.oneOf(urls) }
  }).toSorted((a, b) => a.at - b.at)
  const answers: Promise<Answer>[] = []
  for (const { id, end, at, bidder, url } of planned) {
    const early = at - Date.now()
    if (early > 0) await pause(early)
    const amount = (raised.get(id) ?? PRICE - 50_00) + 50_00
    raised.set(id, amount)
    const sentAt = Date.now()
    const bid = { key: randomUUID(), listing: id, amount, max_amount: amount }
    answers.push(send(url, bidder, bid).then((answer) => ({ ...answer, listing: id, end, sentAt, answeredAt: Date.now() })))
  }
  return Promise.all(answers)
}

async function untilClosed(owner: pg.Client): Promise<void> {
  const open = () => owner.query(`select from listings where status = 'Active' and expires_at < app_now() + interval '5 minutes' limit 1`)
  while ((await open()).rowCount) await pause(50)
}

async function judge(owner: pg.Client, answers: Answer[]): Promise<Figure[]> {
  const accepted = answers.filter(({ status }) => status === 201)
  const late = answers.filter(({ status, body }) => status === 409 && body.code === 'listing_ended')
  const others = answers.filter((answer) => !accepted.includes(answer) && !late.includes(answer))
  assert.deepEqual(
    others.filter(({ status, body }) => status !== 409 || !['bid_too_low', 'maximum_not_raised'].includes(body.code)),
    [],
    'every bid is answered by a rule',
  )
  assert.deepEqual(
    accepted.filter(({ sentAt, end }) => sentAt >= end),
    [],
    'no bid that was sent after the end is accepted',
  )
  assert.deepEqual(
    late.filter(({ answeredAt, end }) => answeredAt < end),
    [],
    'no bid is told before the end that it came after it',
  )
  const { rows: kept } = await owner.query<{ id: string }>('select id from bids')
  assert.deepEqual(new Set(kept.map(({ id }) => id)), new Set(accepted.map(({ body }) => body.data.bid.id)), 'every accepted bid is kept')
  const { rows: ended } = await owner.query<{ times: number }>(
    `select count(e.id)::int as times from listings l left join listing_events e on e.listing_id = l.id where l.status <> 'Active' group by l.id having count(e.id) <> 1`,
  )
  assert.deepEqual(ended, [], 'each is closed once')
  assert.deepEqual(await findViolations(owner), [])
  const sold = await owner.query('select from awards')
  const waits = answers.map(({ sentAt, answeredAt }) => answeredAt - sentAt).toSorted((a, b) => a - b)
  return [
    {
      what: 'a bid is answered after, p50 and p99',
      measured: `${waits[waits.length >> 1]} and ${waits[Math.floor(waits.length * 0.99)]} ms`,
    },
    { what: 'bids accepted, too late, overtaken', measured: `${accepted.length}, ${late.length}, ${others.length}` },
    { what: 'listings sold to their last accepted bid', measured: String(sold.rowCount) },
  ]
}

async function lags(owner: pg.Client): Promise<Figure[]> {
  const { rows } = await owner.query<{ closed: number; p50: number; p99: number; max: number }>(
    `select count(*)::int as closed,
            percentile_cont(0.5) within group (order by lag) as p50, percentile_cont(0.99) within group (order by lag) as p99, max(lag) as max
     from (select extract(epoch from e.at - l.expires_at)::float8 * 1000 as lag
           from listing_events e join listings l on l.id = e.listing_id where e.step like 'end\\_%') as t`,
  )
  const [lag] = rows
  assert.ok(lag)
  const { closed, p50, p99, max } = lag
  return [
    { what: 'listings closed', measured: String(closed) },
    { what: 'lag, p50', measured: `${p50.toFixed(1)} ms` },
    atMost('lag, p99', p99, 2_000, 'ms'),
    { what: 'lag, the longest', measured: `${max.toFixed(1)} ms` },
  ]
}
