import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { decide } from '#domain/listing-machine.ts'
import type { ListingFacts } from '#domain/listing-machine-step.ts'
import { factsAtClose, factsAtReady, type ClosingRow } from '#server/features/listings/facts.ts'
import { writeSteps, type TakenStep } from '#server/features/listings/steps.ts'

// Starts listings that are ready and ends those whose time has come, on any number of processes at once, each listing exactly once.

const LARGEST_BATCH = 250
/** A listing may be started on another process, with an end before the one we sleep towards. */
const LONGEST_SLEEP_MS = 500
const endings = ['end_without_bid', 'end_below_reservation', 'end_sold'] as const

/** Makes listings Active that were submitted and are ready, up to a batch. */
export async function activateReady(client: pg.ClientBase): Promise<number> {
  await client.query('begin')
  const { rows: ready } = await client.query<{ id: string }>(
    `select id from listings where status = 'Processing' order by created_at limit $1 for update skip locked`,
    [LARGEST_BATCH],
  )
  const decision = decide({ status: 'Processing', name: 'ready', actor: 'time', facts: factsAtReady(new Date()) })
  if ('refused' in decision) throw new Error(decision.reason)
  await writeSteps(
    client,
    ready.map(({ id }) => ({
      listing_id: id,
      step: 'ready',
      from: 'Processing',
      to: decision.to,
      actor: 'time',
      actor_id: null,
      effects: decision.effects,
    })),
  )
  await client.query('commit')
  return ready.length
}

/** Closes what is due, up to a batch. Answers how many; whatever another process holds is left to it. */
export async function closeDue(client: pg.ClientBase): Promise<number> {
  await client.query('begin')
  const { rows: due } = await client.query<ClosingRow>(
    `select l.id, l.expires_at, l.bid_count, l.current_price, l.reservation_price, l.seller_invoices,
            seller.payment_account_verified as seller_verified, leader.payment_account_verified as buyer_verified
     from listings l
     join users seller on seller.id = l.seller_id
     left join users leader on leader.id = l.leader_id
     where l.status = 'Active' and l.expires_at <= app_now()
     order by l.expires_at, l.id
     limit $1
     for update of l skip locked`,
    [LARGEST_BATCH],
  )
  // a bid may have moved the end between our look and our lock: the row that we locked is the newest, and so is this clock
  const { rows } = await client.query<{ now: Date }>('select app_now() as now')
  const now = rows[0]?.now ?? new Date(NaN)
  await writeSteps(
    client,
    due.flatMap((row) => ending(row, factsAtClose(row, now))),
  )
  await client.query('commit')
  return due.length
}

function ending(row: ClosingRow, facts: ListingFacts): TakenStep[] {
  for (const step of endings) {
    const decision = decide({ status: 'Active', name: step, actor: 'time', facts })
    if ('to' in decision) {
      return [{ listing_id: row.id, step, from: 'Active', to: decision.to, actor: 'time', actor_id: null, effects: decision.effects }]
    }
  }
  return []
}

export type Closer = { stop(): Promise<void> }

export function startCloser({ pool, log }: { pool: pg.Pool; log: FastifyBaseLogger }): Closer {
  let isStopping = false
  let wake = () => {}

  async function loop() {
    while (!isStopping) {
      const woken = new Promise<void>((resolve) => (wake = resolve))
      const restMs = await round()
      if (restMs > 0 && !isStopping) await rest(restMs, woken)
    }
  }

  /** Answers how long to rest: until the next end, or not at all while there is more to close. */
  async function round(): Promise<number> {
    try {
      const client = await pool.connect()
      try {
        await activateReady(client)
        const closed = await closeDue(client)
        const restMs = closed === LARGEST_BATCH ? 0 : await msToNextEnd(client)
        client.release()
        return restMs
      } catch (error) {
        client.release(true)
        throw error
      }
    } catch (error) {
      log.error({ err: error, event: 'closer_fault' }, 'listings could not be closed, trying again')
      return LONGEST_SLEEP_MS
    }
  }

  const running = loop()
  return {
    async stop() {
      isStopping = true
      wake()
      await running
    },
  }
}

async function msToNextEnd(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ ms: number | null }>(
    `select extract(epoch from min(expires_at) - app_now())::float8 * 1000 as ms from listings where status = 'Active'`,
  )
  // at least a moment: what is due but locked by somebody else is theirs to close
  return Math.max(5, Math.min(rows[0]?.ms ?? LONGEST_SLEEP_MS, LONGEST_SLEEP_MS))
}

async function rest(ms: number, woken: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([woken, new Promise((resolve) => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
}
