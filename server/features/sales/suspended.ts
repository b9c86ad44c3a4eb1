import type pg from 'pg'
import { decide } from '#domain/sales/listing-machine.ts'
import { inTransaction } from '#server/db/db.ts'
import { lockLife } from '#server/features/sales/life/facts.ts'
import { takenStep } from '#server/features/sales/life/taken-step.ts'
import { writeSteps } from '#server/features/sales/steps.ts'
import { readOnce, type SettingReader } from '#server/features/settings/public.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'

// RULES §4: suspending raises an issue on the user's open sales and running listings. Offers to the user lapse by their own clock, and
// a listing that the user leads becomes an issue when it closes.

// both parties read it: why the user was suspended is nobody else's business
const REASON = 'An account of this sale is suspended while we look into it.'

export const suspensionJobs = (deps: { pool: pg.Pool; read: SettingReader }): Pick<JobHandlers, 'stop_sales_of_suspended'> => ({
  async stop_sales_of_suspended({ user_id, by }) {
    // one transaction each: no sale waits for another's lock
    for (const id of await openListingsOf(deps.pool, user_id)) await raiseIssue(deps, id, { userId: user_id, by })
  },
})

async function openListingsOf(pool: pg.Pool, userId: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select l.id
     from listings l
     where l.seller_id = $1 and l.status <> all($2)
     union
     select l.id
     from bid_standings s
     join listings l on l.id = s.listing_id
     where s.bidder_id = $1 and s.status = 'Won' and l.status <> all($2)
     order by id`,
    [userId, over],
  )
  return rows.map(({ id }) => id)
}

const over = ['Expired', 'RemovedByAdmin', 'ExchangeComplete', 'ReturnComplete', 'HasAdminIssue']

/** Nothing happens if the listing has ended or the suspension was lifted meanwhile. */
const raiseIssue = (
  { pool, read: given }: { pool: pg.Pool; read: SettingReader },
  listingId: string,
  { userId, by }: { userId: string; by: string | null },
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const read = readOnce(given)
    const life = await lockLife(client, listingId, read)
    const suspended = await client.query('select from users where id = $1 and suspended_at is not null', [userId])
    if (!life || suspended.rowCount === 0 || over.includes(life.row.status)) return
    const decision = decide({ status: life.row.status, name: 'raise_issue', actor: 'admin', facts: life.facts })
    if (!('to' in decision)) return
    const taker = { actor: 'admin', actor_id: by, details: { reason: REASON } } as const
    await writeSteps(client, [await takenStep(life, 'raise_issue', decision, taker, read)])
  })
