import { decide } from '#domain/listing-machine.ts'
import { factsAtWithdrawal, type WithdrawalRow } from '#server/features/listings/facts.ts'
import { writeSteps } from '#server/features/listings/steps.ts'
import { notFound, refuse } from '#server/http/errors.ts'
import type pg from 'pg'

/** RULES §3: freely before the first bid; after it only early and while the reservation price is unmet. */
export async function withdrawListing(
  pool: pg.Pool,
  readWithdrawBefore: () => Promise<string>,
  { id, sellerId }: { id: string; sellerId: string },
): Promise<void> {
  const withdrawBefore = await readWithdrawBefore()
  const client = await pool.connect()
  let isBroken = true
  try {
    await client.query('begin')
    const { rows } = await client.query<WithdrawalRow>(
      `select id, status, expires_at, bid_count, current_price, reservation_price from listings where id = $1 and seller_id = $2 for update`,
      [id, sellerId],
    )
    const [row] = rows
    const clock = await client.query<{ now: Date }>('select app_now() as now')
    const facts = row && factsAtWithdrawal(row, clock.rows[0]?.now ?? new Date(NaN), withdrawBefore)
    const decision = row && facts && decide({ status: row.status, name: 'withdraw', actor: 'seller', facts })
    if (row && decision && 'to' in decision) {
      await writeSteps(client, [
        {
          listing_id: row.id,
          step: 'withdraw',
          from: row.status,
          to: decision.to,
          actor: 'seller',
          actor_id: sellerId,
          effects: decision.effects,
        },
      ])
    }
    await client.query('commit')
    isBroken = false
    if (!row) throw notFound()
    if (decision && 'refused' in decision) throw refuse('conflict', decision.reason)
  } finally {
    client.release(isBroken)
  }
}
