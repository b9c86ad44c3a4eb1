import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { findViolations } from '#database/check.ts'
import { startPostgres } from '#database/embedded.ts'
import { migrate } from '#database/migrate.ts'
import { bidderId, listingId, yardstickOn } from '#benchmarks/bids-yardstick.ts'
import type { Load, LoadResult } from '#benchmarks/bids-load.ts'
import { atLeast, atMost, median, perSecond, type Benchmark, type Figure } from '#benchmarks/figures.ts'
import { newListing, newMerchant, newPhoto } from '#tests/support/auction.ts'
import { launchProduct } from '#tests/support/product.ts'
import { scratchFolder } from '#tests/support/scratch.ts'

// DESIGN, Performance: accepted bids over HTTP, with session, CSRF token, every check and an Idempotency-Key, each answered after
// its commit, against one function call per transaction inside the database. Both sides take turns on the same listings, in a
// PostgreSQL that keeps what it commits; the medians are compared.

const SPREAD = 1_000
const CLIENTS = [1, 8, 32]
const BIDDERS = 128

const sizes = {
  full: { rounds: 3, warmUpSeconds: 2, seconds: 6, yardstickSeconds: 4 },
  quick: { rounds: 1, warmUpSeconds: 1, seconds: 1, yardstickSeconds: 1 },
}

export const run: Benchmark = async ({ isQuick, say }) => {
  const { rounds, warmUpSeconds, seconds, yardstickSeconds } = isQuick ? sizes.quick : sizes.full
  const folder = await scratchFolder('bench')
  const postgres = await startPostgres({ dir: join(folder, 'postgres') })
  await migrate(postgres.url)
  const owner = new pg.Client({ connectionString: postgres.url })
  await owner.connect()
  const tokens = await fillDatabase(owner)
  const product = await launchProduct({ DATABASE_URL: postgres.url, DATA_DIR: folder, LOG_LEVEL: 'warn' })
  try {
    await product.says('Yardbid')
    const bidders = await Promise.all(tokens.map((token) => logIn(product.url, token)))
    const yardstick = yardstickOn(postgres.url)
    say(`the yardstick is ${yardstick.name}, with ${CLIENTS.join(', ')} clients; over HTTP ${BIDDERS} bidders`)

    const overHttp = async (listings: number, rate: number | null = null): Promise<LoadResult> => {
      const { rows } = await owner.query<Load['listings'][number]>(
        `select id, coalesce(leader_max + 1, start_price) as next from listings where id = any($1::uuid[])`,
        [Array.from({ length: listings }, (_, nth) => listingId(nth + 1))],
      )
      const load = { port: Number(new URL(product.url).port), bidders, listings: rows, warmUpSeconds, seconds, rate }
      const result = await counted(owner, () => underLoad(load))
      assert.deepEqual(result.unexpected, {}, `unexpected answers; the server said: ${product.said()}`)
      return result
    }
    const byYardstick = (listings: number, clients: number) =>
      counted(owner, () => yardstick.run({ clients, listings, seconds: yardstickSeconds, bidders: BIDDERS }))

    const figures: Figure[] = []
    const halfLoads: { name: string; listings: number; rate: number }[] = []
    for (const { name, listings, goals } of comparisons) {
      const http: LoadResult[] = []
      const yard = new Map<number, number[]>(CLIENTS.map((clients) => [clients, []]))
      for (let round = 1; round <= rounds; round++) {
        for (const clients of CLIENTS) yard.get(clients)?.push((await byYardstick(listings, clients)).perSecond)
        http.push(await overHttp(listings))
        say(`${name}, round ${round} of ${rounds}: ${Math.round(http.at(-1)?.acceptedPerSecond ?? 0)} bids/s over HTTP`)
      }
      const rate = median(http.map(({ acceptedPerSecond }) => acceptedPerSecond))
      const refused = http.reduce((sum, run) => sum + run.refused, 0) / http.reduce((sum, run) => sum + run.refused + run.accepted, 0)
      const medians = CLIENTS.map((clients) => median(yard.get(clients) ?? []))
      figures.push(
        perSecond(
          `${name}: accepted over HTTP`,
          http.map(({ acceptedPerSecond }) => acceptedPerSecond),
        ),
        { what: `${name}: refused over HTTP, overtaken on the way`, measured: `${(refused * 100).toFixed(1)} %` },
        ...CLIENTS.map((clients) => perSecond(`${name}: yardstick, ${clients} at once`, yard.get(clients) ?? [])),
        atLeast(`${name}: HTTP ÷ the best yardstick`, rate / Math.max(...medians), goals.best),
        ...(goals.most ? [atLeast(`${name}: HTTP ÷ the yardstick with 32`, rate / (medians.at(-1) ?? NaN), goals.most)] : []),
      )
      halfLoads.push({ name, listings, rate: rate / 2 })
    }
    for (const { name, listings, rate } of halfLoads) {
      const { p50, p99 } = await overHttp(listings, rate)
      figures.push(
        { what: `${name}: p50 at half load`, measured: `${p50.toFixed(1)} ms` },
        atMost(`${name}: p99 at half load`, p99, 100, 'ms'),
      )
    }
    return figures
  } finally {
    product.signal('SIGTERM')
    await product.ended
    await owner.end()
    await postgres.stop()
  }
}

const comparisons = [
  { name: 'one hot listing', listings: 1, goals: { best: 2, most: 5 } },
  { name: `${SPREAD} listings`, listings: SPREAD, goals: { best: 0.5, most: null } },
]

/** Sellers' listings and bidders with sessions, as rows. Steps of a penny: there is room for millions of bids. Answers the sessions' tokens. */
async function fillDatabase(owner: pg.Client): Promise<string[]> {
  await owner.query(`insert into settings (key, value) values ('bid_steps_lot', '[{"below": null, "step": 1}]')`)
  const seller = await newMerchant(owner)
  for (let nth = 1; nth <= SPREAD; nth++) {
    await newListing(owner, seller, { id: listingId(nth), start_price: 1_00 })
    await newPhoto(owner, listingId(nth))
  }
  const tokens: string[] = []
  for (let nth = 1; nth <= BIDDERS; nth++) {
    await newMerchant(owner, { id: bidderId(nth) })
    const token = randomBytes(32).toString('base64url')
    const hash = createHash('sha256').update(token).digest()
    await owner.query('insert into sessions (token_hash, user_id) values ($1, $2)', [hash, bidderId(nth)])
    tokens.push(token)
  }
  await owner.query(await readFile(new URL('bids-yardstick.sql', import.meta.url), 'utf8'))
  // a past, as every database has but one that is a minute old: plans that are made for empty tables stay for a while
  const past = `select yardstick_bid(l.id, b.id, gen_random_uuid()::text)
                from (select id from users where id <> $1 order by id limit 20) b, (select id from listings) l`
  await owner.query(`select count(*) from (${past}) as bids`, [seller])
  await owner.query('vacuum analyze')
  return tokens
}

/** A browser that comes back with its session asks for a CSRF token, which fits no other session. */
async function logIn(url: string, token: string): Promise<Load['bidders'][number]> {
  const sid = `__Host-sid=${token}`
  const answer = await fetch(`${url}/sanctum/csrf-cookie`, { headers: { cookie: sid } })
  const csrf = /XSRF-TOKEN=([^;]+)/.exec(answer.headers.getSetCookie().join())?.[1]
  if (!csrf) throw new Error(`no CSRF token: ${answer.status} ${await answer.text()}`)
  return { cookie: `${sid}; XSRF-TOKEN=${csrf}`, csrf: decodeURIComponent(csrf) }
}

function underLoad(load: Load): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('bids-load.ts', import.meta.url))
    child.once('message', (result: LoadResult) => resolve(result))
    child.once('exit', (code) => reject(new Error(`the load ended with ${code} and no result`)))
    child.send(load)
  })
}

/** What was answered with yes is there, what was not is not, and nothing is broken. */
async function counted<Result extends { accepted: number }>(owner: pg.Client, work: () => Promise<Result>): Promise<Result> {
  const count = async () => Number((await owner.query<{ n: string }>('select count(*) as n from bids')).rows[0]?.n)
  const before = await count()
  const result = await work()
  assert.equal((await count()) - before, result.accepted, 'every accepted bid is a row, and every row an accepted bid')
  assert.deepEqual(await findViolations(owner), [])
  return result
}
