import { sql, type Selectable } from 'kysely'
import type { SellerPayouts } from '#database/schema.gen.ts'
import { blocked } from '#domain/sales/blocked.ts'
import { readNow } from '#server/db/clock.ts'
import type { Tx } from '#server/db/db.ts'
import { postOwn } from '#server/features/payments/public.ts'
import { tellAdmins, type Sale } from '#server/features/paying/sale.ts'

// What was to be taken back from a seller and their account could not cover: kept back from what they are paid next. Until then they list nothing.

type Payout = Pick<Selectable<SellerPayouts>, 'id' | 'seller_id' | 'amount' | 'netted' | 'purpose'>
type TakenBack = Payout & Pick<Selectable<SellerPayouts>, 'reversed' | 'receivable' | 'recovered' | 'bookings'>

/** Writes down that so much of a payout is still owed. `source` names the reversal, which is booked once. */
export async function oweRest(
  tx: Tx,
  payout: Payout,
  { amount, sale, source }: { amount: number; sale: Sale; source: string },
): Promise<void> {
  const isNew = await postOwn(tx, {
    kind: payout.purpose === 'holding_fee' ? 'fee_not_covered' : 'sale_not_covered',
    source,
    memo: `Not covered by the seller's account: ${sale.title}`,
    amount,
    userId: payout.seller_id,
    listingId: sale.listing_id,
    occurredAt: await readNow(tx),
  })
  if (!isNew) return
  await tx
    .updateTable('seller_payouts')
    .set({ receivable: sql`receivable + ${amount}` })
    .where('id', '=', payout.id)
    .execute()
  await tx
    .updateTable('users')
    .set({ listing_blocked_reason: sql`coalesce(listing_blocked_reason, ${blocked.owesUs})` })
    .where('id', '=', payout.seller_id)
    .execute()
  await tellAdmins(tx, 'seller_owes', payout.id)
}

/** Keeps back of a payout what its seller owes from before, oldest first. Answers how much. */
export async function netReceivables(tx: Tx, payout: Payout, sale: Sale): Promise<number> {
  const owing = await tx
    .selectFrom('seller_payouts')
    .select(['id', 'receivable'])
    .where('seller_id', '=', payout.seller_id)
    .where('receivable', '>', 0)
    .where('id', '<>', payout.id)
    .orderBy('created_at')
    .orderBy('id')
    .forUpdate()
    .execute()
  let left = payout.amount - payout.netted
  for (const { id, receivable } of owing) {
    const part = Math.min(left, receivable)
    if (part === 0) break
    await tx
      .updateTable('seller_payouts')
      .set({ receivable: receivable - part, recovered: sql`recovered + ${part}` })
      .where('id', '=', id)
      .execute()
    left -= part
  }
  const netted = payout.amount - payout.netted - left
  if (netted === 0) return 0
  await tx
    .updateTable('seller_payouts')
    .set({ netted: payout.netted + netted })
    .where('id', '=', payout.id)
    .execute()
  await postOwn(tx, {
    kind: 'receivable_netted',
    source: `payout:${payout.id}:netted:${payout.netted}`,
    memo: `Kept back for an earlier sale: ${sale.title}`,
    amount: netted,
    userId: payout.seller_id,
    listingId: sale.listing_id,
    occurredAt: await readNow(tx),
  })
  await mayListAgain(tx, payout.seller_id)
  return netted
}

/**
 * A chargeback was won: what was taken back of a payout is the seller's again. What is still owed of it is not owed any more, and what was
 * kept back for it counts as taken back. Answers what is to be sent.
 */
export async function oweNoMore(tx: Tx, payout: TakenBack, sale: Sale): Promise<number> {
  const { id, seller_id, purpose, receivable, recovered, reversed, bookings } = payout
  await postOwn(tx, {
    kind: purpose === 'holding_fee' ? 'fee_owed_no_more' : 'sale_owed_no_more',
    source: `payout:${id}:owed_no_more:${bookings}`,
    memo: `Not owed by the seller any more: ${sale.title}`,
    amount: receivable,
    userId: seller_id,
    listingId: sale.listing_id,
    occurredAt: await readNow(tx),
  })
  await tx
    .updateTable('seller_payouts')
    .set({ receivable: 0, recovered: 0, reversed: reversed + recovered, booked: sql`booked - ${recovered}` })
    .where('id', '=', id)
    .execute()
  await mayListAgain(tx, seller_id)
  return reversed + recovered
}

const mayListAgain = (tx: Tx, sellerId: string) =>
  sql`
    update users u
    set listing_blocked_reason = null
    where id = ${sellerId} and listing_blocked_reason = ${blocked.owesUs}
      and not exists (select from seller_payouts p where p.seller_id = u.id and p.receivable > 0)`.execute(tx)
