import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { startPostgres, type EmbeddedPostgres } from '#database/embedded/postgres.ts'
import { migrate } from '#database/migrate.ts'
import { openDatabase, openSearchDatabase, type Db } from '#server/db/db.ts'
import type { Cursor } from '#server/features/search/search-cursor.ts'
import { searchListings } from '#server/features/search/search-listings.ts'
import type { Search } from '#server/features/search/search-sql.ts'
import type { Benchmark, Figure } from '#benchmarks/figures.ts'
import { cases, type Case } from '#benchmarks/search-cases.ts'
import { buildMarket } from '#benchmarks/search-market.ts'

// Compares listing search on a small and a ten times larger market (DESIGN "Performance"), through the function that the server calls.
// On Linux a search is timed by the processor time of its database processes, so that other work on the machine does not count;
// elsewhere by the time until the answer. Every search runs several times on both markets in turn, and the best time counts.

const PER_PAGE = 24
const TRIES = 3

type Figures = { p50: number; p99: number }
type Comparison = { name: string; isCombination: boolean; small: Figures; large: Figures; ratio: number }

/** In milliseconds; a ratio is p99 on the large market ÷ p99 on the small one. `SEARCH_ONLY=text` runs the cases with that in their names. */
export const run: Benchmark = async ({ isQuick, say }) => {
  const only = process.env['SEARCH_ONLY'] ?? ''
  const folder = resolve(import.meta.dirname, '../.cache/bench-search')
  const postgres = await startWithMemory(`${folder}/postgres`)
  try {
    const sizes = isQuick ? [10_000, 100_000] : [100_000, 1_000_000]
    say(`markets of ${sizes.map((size) => size.toLocaleString('en-GB')).join(' and ')} Active listings are made, which takes a while`)
    const urls = await Promise.all(sizes.map((size) => ensureMarket(postgres.url, size)))
    // opened when both exist: a connection that is idle while a market is made would be closed, and its process is the one measured
    const [small, large] = (await Promise.all(urls.map(openMarket))) as [Market, Market]
    const compared: Comparison[] = []
    for (const each of cases.filter(({ name }) => name.includes(only))) compared.push(await compare(each, small, large))
    const pages: Figure[] = []
    for (const each of cases.filter(({ isOrder, name }) => isOrder && name.includes(only))) pages.push(await comparePages(each, large))
    await Promise.all([small, large].map(({ close }) => close()))
    return [...compared.map(figureOf), ...pages]
  } finally {
    await postgres.stop()
    if (!process.env['KEEP_MARKET']) await rm(folder, { recursive: true, force: true })
  }
}

const figureOf = ({ name, isCombination, small, large, ratio }: Comparison): Figure => {
  const goal = isCombination ? WORST_COMBINATION : WORST_FILTER
  return {
    what: `${isCombination ? 'together' : 'alone'}: ${name}`,
    measured: `${ratio.toFixed(2)}  (p50 ${ms(small.p50)} → ${ms(large.p50)}, p99 ${ms(small.p99)} → ${ms(large.p99)})`,
    goal: `≤ ${goal}`,
    isMet: ratio <= goal,
  }
}

const WORST_FILTER = 1.5
const WORST_COMBINATION = 5
const ROUNDS = 60

/** Gives PostgreSQL a gigabyte of shared buffers for a million listings, instead of its default of 128 MB. */
async function startWithMemory(dir: string): Promise<EmbeddedPostgres> {
  const first = await startPostgres({ dir, fast: true })
  const admin = new pg.Client({ connectionString: first.url })
  await admin.connect()
  await admin.query(`alter system set shared_buffers = '1GB'`)
  await admin.end()
  await first.stop()
  return startPostgres({ dir, fast: true })
}

type Market = { db: Db; searchDb: Db; backends: number[]; close: () => Promise<void> }

async function ensureMarket(clusterUrl: string, count: number): Promise<string> {
  const name = `market_${count}`
  const url = new URL(clusterUrl)
  const admin = new pg.Client({ connectionString: clusterUrl })
  await admin.connect()
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [name])
  if (!rowCount) await admin.query(`create database ${name}`)
  await admin.end()
  url.pathname = `/${name}`
  await migrate(url.href) // also a kept market, which may be older than the code
  if (!rowCount) {
    const owner = new pg.Client({ connectionString: url.href })
    await owner.connect()
    await buildMarket(owner, count)
    await owner.end()
  }
  return url.href
}

async function openMarket(url: string): Promise<Market> {
  const [db, searchDb] = [openDatabase(url, 1), openSearchDatabase(url, 1)]
  const backends = await Promise.all(
    [db, searchDb].map(async (each) => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(each)).rows[0]?.pid ?? 0),
  )
  return { db, searchDb, backends, close: async () => void (await Promise.all([db.destroy(), searchDb.destroy()])) }
}

async function compare({ name, isCombination, make }: Case, small: Market, large: Market): Promise<Comparison> {
  const [times, longTimes]: [number[], number[]] = [[], []]
  for (let nth = 0; nth < ROUNDS; nth++) {
    const search = make(nth)
    times.push(await timed(small, search))
    longTimes.push(await timed(large, search))
  }
  const [one, ten] = [figures(times), figures(longTimes)]
  return { name, isCombination: isCombination === true, small: one, large: ten, ratio: ten.p99 / one.p99 }
}

async function comparePages({ name, make }: Case, market: Market): Promise<Figure> {
  const [first, fiftieth]: [number[], number[]] = [[], []]
  for (let nth = 0; nth < 10; nth++) {
    const search = make(nth)
    let after: Cursor | undefined
    for (let page = 1; page < 50; page++) after = (await searchListings(market, { search, after, limit: PER_PAGE, viewerId: null })).next
    first.push(await timed(market, search))
    fiftieth.push(await timed(market, search, after))
  }
  const [one, other] = [figures(first), figures(fiftieth)]
  return { what: `page 1 and page 50: ${name}`, measured: `p50 ${ms(one.p50)} and ${ms(other.p50)} ms` }
}

async function timed(market: Market, search: Search, after?: Cursor): Promise<number> {
  let best = Infinity
  for (let nth = 0; nth < TRIES; nth++) {
    const began = performance.now()
    const worked = processorMs(market)
    await searchListings(market, { search, after, limit: PER_PAGE, viewerId: null })
    const took = worked === undefined ? performance.now() - began : (processorMs(market) ?? NaN) - worked
    best = Math.min(best, took)
  }
  return best
}

/** Processor time that the database processes of a market have used so far; undefined except on Linux. */
function processorMs({ backends }: Market): number | undefined {
  if (process.platform !== 'linux') return undefined
  return backends.reduce((sum, pid) => sum + Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6, 0)
}

function figures(times: number[]): Figures {
  const sorted = times.sort((one, other) => one - other)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
  return { p50: at(0.5), p99: at(0.99) }
}

const ms = (figure: number) => figure.toFixed(1)
