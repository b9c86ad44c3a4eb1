import { sql } from 'kysely'
import { isOpenAward, keepListing, saleOf, tellAdmins, type PayingDeps, type Sale } from '#server/features/paying/sale.ts'
import { findPayment, lockPayment, type PaymentRow } from '#server/features/paying/payments.ts'
import { postOwn } from '#server/features/payments/public.ts'
import { readNow } from '#server/db/clock.ts'
import type { Tx } from '#server/db/db.ts'
import { enqueue } from '#server/jobs/queue.ts'

// A payment that succeeds when its award is over belongs to nobody: it is booked to `unallocated`, admins are told, and a day later it
// goes back to where it came from. If the same buyer is given a second chance meanwhile, the new award has it.

const RETURN_AFTER = '24 hours'

export async function bookIfLate({ db }: PayingDeps, payment: PaymentRow): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const sale = await saleOf(tx, payment.award_id)
    if (isOpenAward(sale.award_status) || sale.was_paid || (await isRefunded(tx, payment))) return
    if (!(await bookLate(tx, payment, sale, 'payment_too_late'))) return
    await tellAdmins(tx, 'payment_too_late', payment.id)
    await enqueue(tx, 'return_late_payment', { payment_id: payment.id }, RETURN_AFTER)
  })
}

/** Answers whether it was new. */
const bookLate = async (tx: Tx, { id, received }: PaymentRow, sale: Sale, kind: 'payment_too_late' | 'payment_allocated') =>
  postOwn(tx, {
    kind,
    source: `payment:${id}:${kind === 'payment_too_late' ? 'late' : 'allocated'}`,
    memo: kind === 'payment_too_late' ? `Paid after the sale had ended: ${sale.title}` : `No longer unallocated: ${sale.title}`,
    amount: received,
    userId: sale.buyer_id,
    listingId: sale.listing_id,
    occurredAt: await readNow(tx),
  })

/** A step that ended the sale has seen to it already. */
const isRefunded = async (tx: Tx, { charge_id }: PaymentRow) =>
  (await tx.selectFrom('refunds').select('id').where('charge_id', '=', charge_id).limit(1).executeTakeFirst()) !== undefined

/** A late payment of the same buyer for the same listing pays the award that is open now. Answers whether there was one. */
export async function allocateLate(deps: PayingDeps, { award_id, listing_id, buyer_id }: Sale): Promise<boolean> {
  const { db, recheckSale } = deps
  const { rows: late } = await sql<{ id: string }>`
    select p.id
    from sale_payments p
    join awards a on a.id = p.award_id
    join ledger_transactions t on t.source = 'payment:' || p.id || ':late'
    where a.listing_id = ${listing_id} and a.bidder_id = ${buyer_id} and a.id <> ${award_id} and p.status = 'succeeded'`.execute(db)
  let isAllocated = false
  for (const { id } of late) {
    isAllocated ||= await db.transaction().execute(async (tx) => {
      await keepListing(tx, listing_id)
      const payment = await lockPayment(tx, id)
      if (!payment || (await isRefunded(tx, payment))) return false
      const sale = await saleOf(tx, payment.award_id)
      if (!(await bookLate(tx, payment, sale, 'payment_allocated'))) return false
      await tx.updateTable('sale_payments').set({ award_id }).where('id', '=', id).execute()
      return true
    })
  }
  if (isAllocated) await recheckSale(listing_id)
  return isAllocated
}

/** A day later: refunds it unless an award has it. */
export async function returnLatePayment(deps: PayingDeps, paymentId: string): Promise<void> {
  const { db } = deps
  const payment = await findPayment(db, paymentId)
  if (!payment?.charge_id) return
  const ended = await saleOf(db, payment.award_id)
  if (isOpenAward(ended.award_status)) return
  const again = await db
    .selectFrom('awards')
    .select('id')
    .where('listing_id', '=', ended.listing_id)
    .where('bidder_id', '=', ended.buyer_id)
    .where('status', '=', 'pending_payment')
    .executeTakeFirst()
  if (again && (await allocateLate(deps, await saleOf(db, again.id)))) return
  await db.transaction().execute(async (tx) => {
    await keepListing(tx, ended.listing_id)
    const locked = await lockPayment(tx, paymentId)
    if (!locked || (await isRefunded(tx, locked)) || !(await bookLate(tx, locked, ended, 'payment_allocated'))) return
    const refund = await tx
      .insertInto('refunds')
      .values({
        award_id: locked.award_id,
        user_id: ended.buyer_id,
        charge_id: locked.charge_id,
        amount: locked.received,
        reason: 'Paid after the sale had ended',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await enqueue(tx, 'send_refund', { refund_id: refund.id })
  })
}
