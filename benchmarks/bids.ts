import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import type { Load, LoadResult } from '#benchmarks/bids-load.ts'
import { counted, nothingIsBroken, openSetting, type Setting } from '#benchmarks/bids-setting.ts'
import { listingId, yardstickOn, type Yardstick } from '#benchmarks/bids-yardstick.ts'
import { atLeast, atMost, median, perSecond, type Benchmark, type Figure } from '#benchmarks/figures.ts'

// DESIGN, Performance: accepted bids over HTTP, with session, CSRF token, every check and an Idempotency-Key, each answered after
// its commit, against one function call per transaction inside the database. The sides take turns on the same listings, in a
// PostgreSQL that keeps what it commits; the medians are compared.

const SPREAD = 1_000
const BIDDERS = 128
const CLIENTS = [1, 8, 32]

const comparisons = [
  { name: 'one hot listing', listings: 1, goals: { best: 2, most: 5 } },
  { name: `${SPREAD} listings`, listings: SPREAD, goals: { best: 0.5, most: null } },
]
type Comparison = (typeof comparisons)[number]

const sizes = {
  full: { rounds: 3, warmUpSeconds: 2, seconds: 6, yardstickSeconds: 4 },
  quick: { rounds: 1, warmUpSeconds: 1, seconds: 1, yardstickSeconds: 1 },
}
type Size = (typeof sizes)['full']

export const run: Benchmark = async ({ isQuick, say }) => {
  const size = isQuick ? sizes.quick : sizes.full
  const setting = await openSetting({ listings: SPREAD, bidders: BIDDERS })
  try {
    const yardstick = yardstickOn(setting.databaseUrl)
    say(`the yardstick is ${yardstick.name}; over HTTP there are ${BIDDERS} bidders`)
    const figures: Figure[] = []
    for (const comparison of comparisons) {
      const rates = await takeTurns(setting, yardstick, { comparison, size, say })
      const { p50, p99 } = await overHttp(setting, comparison.listings, { ...size, rate: median(rates.http) / 2 })
      figures.push(...figuresOf(comparison, rates), {
        what: `${comparison.name}: p50 at half load`,
        measured: `${p50.toFixed(1)} ms`,
      })
      figures.push(atMost(`${comparison.name}: p99 at half load`, p99, 100, 'ms'))
    }
    await nothingIsBroken(setting.owner)
    return figures
  } finally {
    await setting.close()
  }
}

/** Bids a second, one value a round; the yardstick's by its number of clients. */
type Rates = { http: number[]; refused: number; yardstick: number[][] }

type Course = { comparison: Comparison; size: Size; say: (text: string) => void }

async function takeTurns(setting: Setting, yardstick: Yardstick, { comparison, size, say }: Course): Promise<Rates> {
  const { name, listings } = comparison
  const rates: Rates = { http: [], refused: 0, yardstick: CLIENTS.map(() => []) }
  for (let round = 1; round <= size.rounds; round++) {
    for (const [nth, clients] of CLIENTS.entries()) {
      const run = { clients, listings, bidders: BIDDERS, seconds: size.yardstickSeconds }
      rates.yardstick[nth]?.push((await counted(setting.owner, () => yardstick.run(run))).perSecond)
    }
    const { acceptedPerSecond, accepted, refused } = await overHttp(setting, listings, { ...size, rate: null })
    rates.http.push(acceptedPerSecond)
    rates.refused = Math.max(rates.refused, refused / (accepted + refused))
    say(`${name}, round ${round} of ${size.rounds}: ${Math.round(acceptedPerSecond)} bids/s over HTTP`)
  }
  return rates
}

function figuresOf({ name, goals }: Comparison, { http, refused, yardstick }: Rates): Figure[] {
  const medians = yardstick.map(median)
  const most =
    goals.most === null ? [] : [atLeast(`${name}: HTTP ÷ yardstick, 32 at once`, median(http) / (medians.at(-1) ?? NaN), goals.most)]
  return [
    perSecond(`${name}: accepted over HTTP`, http),
    { what: `${name}: overtaken on the way and refused`, measured: `${(refused * 100).toFixed(1)} % at most` },
    ...CLIENTS.map((clients, nth) => perSecond(`${name}: yardstick, ${clients} at once`, yardstick[nth] ?? [])),
    atLeast(`${name}: HTTP ÷ yardstick, its best`, median(http) / Math.max(...medians), goals.best),
    ...most,
  ]
}

type Manner = { warmUpSeconds: number; seconds: number; rate: number | null }

async function overHttp({ owner, port, bidders, serverSaid }: Setting, listings: number, manner: Manner): Promise<LoadResult> {
  const { warmUpSeconds, seconds, rate } = manner
  const { rows } = await owner.query<Load['listings'][number]>(
    `select id, leader_max + 1 as next from listings where id = any($1::uuid[]) order by id`,
    [Array.from({ length: listings }, (_, nth) => listingId(nth + 1))],
  )
  const result = await counted(owner, () => underLoad({ port, bidders, listings: rows, warmUpSeconds, seconds, rate }))
  assert.deepEqual(result.unexpected, {}, `answers that should not come; the server said: ${serverSaid()}`)
  return result
}

/** The bidders are a process of their own. */
function underLoad(load: Load): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('bids-load.ts', import.meta.url))
    child.once('message', (result: LoadResult) => resolve(result))
    child.once('exit', (code) => reject(new Error(`the load ended with ${code} and no result`)))
    child.send(load)
  })
}
