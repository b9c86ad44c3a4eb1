import type { ListingStatus } from '#contract/values/listing-status.ts'
import { limitConcurrency } from '#domain/limit-concurrency.ts'
import { newBuyer, newSeller, verify } from '#tests/simulation/people.ts'
import { coverageTable, missingRows, readCoverage } from '#tests/simulation/coverage.ts'
import { isEnd } from '#tests/simulation/choose.ts'
import { readStandings, startDeal, type Deal } from '#tests/simulation/deal.ts'
import { readHistories } from '#tests/simulation/histories.ts'
import { chooseGoal } from '#tests/simulation/goals.ts'
import { decideRefunds } from '#tests/simulation/money.ts'
import { findFaults, missedBy } from '#tests/simulation/proof.ts'
import { withFaults } from '#tests/simulation/provider-faults.ts'
import { takeTurn } from '#tests/simulation/turn.ts'
import { seededRandom } from '#tests/support/random.ts'
import { openWorld, type World } from '#tests/simulation/world.ts'

// Deals by the real HTTP interface, against the sandbox provider and its faults, on a clock that moves in jumps: in each round everybody
// who wishes to does something, then the provider has its say, then time passes.

export type Options = {
  deals: number
  seed: number
  report?: (line: string) => void
  /** Counts a row of the table that was never taken, or a status that was never visited, as a fault. */
  coversTable?: boolean
  open?: (seed: number) => Promise<World>
}
export type Result = {
  histories: string[]
  faults: string[]
  refusals: Map<string, number>
  table: string
  /** Rows and statuses that no deal came by. */
  missed: string[]
  deals: number
  seconds: number
  errors: Map<string, number>
}

/** So many deals take every row of the table, led to those that were seldom taken. */
const COVERING_DEALS = 300

// many side by side share the waits of a round; a short run needs deals that end
const dealsAtOnce = (deals: number) => Math.max(150, Math.min(500, deals / 10))
const PLAYERS_AT_ONCE = 16
const SELLERS = 8
const BUYERS = 24
const DAY_MINUTES = 1_440
const MINUTES = [10, 60, 150, 360, 720, 1_440]
const FEW = 15
// of three deals two are led to a row that was seldom taken, the third goes where chance leads it
const LED_OF_THREE = 2
// after the last deal has begun: every clock runs out within a few days
const PLAYED_ON = 15
const CLOSING_ROUNDS = 60

export async function simulate({
  deals,
  seed,
  report = () => undefined,
  coversTable = deals >= COVERING_DEALS,
  open: openIn = openWorld,
}: Options): Promise<Result> {
  const world = await openIn(seed)
  const began = performance.now()
  try {
    await populate(world)
    const all: Deal[] = []
    let open: Deal[] = []
    let started = 0
    let closing = 0
    for (let round = 1; ; round++) {
      const fresh = await startDeals(world, {
        open,
        from: started,
        count: Math.min(deals - started, dealsAtOnce(deals) - open.length),
        seed,
      })
      started += fresh.length
      open.push(...fresh)
      all.push(...fresh)
      await world.settle()
      const isClosing = started >= deals && ++closing > PLAYED_ON
      const relisted = await playRound(world, open, isClosing)
      all.push(...relisted)
      await world.settle()
      await decideRefunds(world, isClosing)
      await world.pass(open.length < FEW ? DAY_MINUTES : world.random.oneOf(MINUTES))
      open = await stillOpen(world, all, [...open, ...relisted])
      countErrors(world)
      if (round % 5 === 0) report(await progress(world, { round, started, open: open.length, began }))
      if ((open.length === 0 && started >= deals) || closing > CLOSING_ROUNDS) break
    }
    await finish(world)
    countErrors(world)
    const coverage = await readCoverage(world.yard)
    const missed = missedBy(coverage)
    const faults = [...(await findFaults(world, all)), ...(coversTable ? missed : [])]
    const seconds = (performance.now() - began) / 1_000
    const histories = await readHistories(world.yard, faults)
    const { refusals, errors } = world
    return { faults, histories, refusals, table: coverageTable(coverage), missed, deals: all.length, seconds, errors }
  } finally {
    await world.close()
  }
}

type Progress = { round: number; started: number; open: number; began: number }

async function progress({ yard, faults }: World, { round, started, open, began }: Progress): Promise<string> {
  const missing = missingRows(await readCoverage(yard)).length
  const seconds = (performance.now() - began) / 1_000
  const ended = ((started - open) / seconds).toFixed(2)
  const megabytes = Math.round(process.memoryUsage().rss / 1e6)
  return `round ${round}, ${seconds.toFixed(0)} s: ${started} begun, ${open} open, ${ended} deals/s, ${missing} rows to come, ${faults.length} faults, ${megabytes} MB`
}

type Starting = { open: readonly Deal[]; from: number; count: number; seed: number }

async function startDeals(world: World, { open, from, count, seed }: Starting): Promise<Deal[]> {
  if (count <= 0) return []
  const coverage = await readCoverage(world.yard)
  const onTheirWay = open.flatMap(({ goal }) => goal ?? [])
  const inTurn = limitConcurrency({ atOnce: PLAYERS_AT_ONCE })
  const starts = Array.from({ length: count }, (_, each) => {
    const nth = from + each
    const random = seededRandom(seed + nth * 7_919)
    const goal = nth % 3 < LED_OF_THREE ? chooseGoal(coverage, onTheirWay, random) : null
    if (goal) onTheirWay.push(goal)
    return inTurn(() => startDeal(world, { nth, random, goal }))
  })
  return (await Promise.all(starts)).filter((deal) => deal !== undefined)
}

async function populate(world: World): Promise<void> {
  // the platform has money of its own: refunds and reversals do not wait for that of the sales
  await world.yard.payment.stripe.paymentIntents.create({
    amount: 90_000_000,
    currency: 'gbp',
    payment_method: 'pm_card_bypassPending',
    allowed_payment_method_types: ['card'],
    confirm: true,
    metadata: { purpose: 'subscription' },
  })
  const inTurn = limitConcurrency({ atOnce: PLAYERS_AT_ONCE })
  world.sellers.push(...(await Promise.all(Array.from({ length: SELLERS }, () => inTurn(() => newSeller(world))))))
  world.buyers.push(...(await Promise.all(Array.from({ length: BUYERS }, () => inTurn(() => newBuyer(world))))))
  await world.settle()
}

async function playRound(world: World, open: readonly Deal[], isClosing: boolean): Promise<Deal[]> {
  const standings = await readStandings(world, open)
  const coverage = await readCoverage(world.yard)
  const inTurn = limitConcurrency({ atOnce: PLAYERS_AT_ONCE })
  const relisted: Deal[] = []
  await withFaults(world, async () => {
    const turns = open.map((deal) =>
      inTurn(async () => {
        const standing = standings.get(deal.id)
        const another = standing && (await takeTurn({ world, deal, standing, coverage, isClosing }))
        if (another) relisted.push(another)
      }),
    )
    await Promise.all(turns)
  })
  return relisted
}

/**
 * A deal that has come to its end may have a few turns more: it is relisted, charged back, removed or restored. One whose turns are over
 * is open again when the word of a chargeback comes late.
 */
async function stillOpen(world: World, all: readonly Deal[], playing: readonly Deal[]): Promise<Deal[]> {
  const { rows } = await world.yard.owner.query<{ id: string; status: ListingStatus }>('select id, status from listings')
  const unfinished = new Set(rows.flatMap(({ id, status }) => (isEnd(status) ? [] : [id])))
  const wasPlaying = new Set(playing)
  return all.filter((deal) => unfinished.has(deal.id) || (wasPlaying.has(deal) && deal.afterlife-- > 0))
}

const WEEK_MINUTES = 7 * 24 * 60

/** Everybody is verified, banks answer, chargebacks are decided: what was under way comes to its end. */
async function finish(world: World): Promise<void> {
  const { rows } = await world.yard.owner.query<{ id: string }>('select id from users where not payment_account_verified')
  await verify(
    world,
    rows.map(({ id }) => id),
  )
  // photos that were still looked at are fine
  await world.yard.owner.query(
    `update storage_objects set state = 'ready', rejection = null
     where state <> 'ready' and id in (select storage_object_id from listing_media)`,
  )
  for (let week = 0; week < 3; week++) {
    await decideRefunds(world, true)
    await world.pass(WEEK_MINUTES)
    await decideRefunds(world, true)
    await world.settle()
  }
}

const ids = /[0-9a-f]{8}-[0-9a-f-]{27}|\b[a-z]+_\w{14,}/g

/** Counts what the server has logged as wrong, and forgets the lines. */
function countErrors({ yard, errors }: World): void {
  for (const line of yard.logs.splice(0)) {
    const { level, event, kind, err, msg } = JSON.parse(line) as LogLine
    const what = [level, event, kind, (err?.message ?? msg).replaceAll(ids, '…').slice(0, 200)].filter(Boolean).join(' ')
    errors.set(what, (errors.get(what) ?? 0) + 1)
  }
}

type LogLine = { level: number; event?: string; kind?: string; err?: { message: string }; msg: string }
