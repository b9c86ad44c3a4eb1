import { sql } from 'kysely'
import { keyFor, reserveCall } from '#server/features/payments/public.ts'
import { syncIntent } from '#server/features/paying/intents.ts'
import { findPayment, isOpen, lockPayment, type PaymentRow } from '#server/features/paying/payments.ts'
import { callByKey, type PayingDeps } from '#server/features/paying/sale.ts'
import { providerIsAway } from '#server/providers/payment.ts'

/**
 * Ends an open payment at the provider. One that has succeeded meanwhile counts, one that is being processed is waited for. Answers
 * what became of it.
 */
export async function endPayment(deps: PayingDeps, paymentId: string): Promise<PaymentRow | undefined> {
  const { db, provider } = deps
  const found = await findPayment(db, paymentId)
  if (!found || !isOpen(found)) return found
  const row = found.intent_id ? found : await endUnasked(deps, found)
  if (!row?.intent_id) return row
  await syncIntent(deps, row.intent_id)
  const callId = await db.transaction().execute(async (tx) => {
    const now = await lockPayment(tx, paymentId)
    if (now?.status !== 'open' || !now.intent_id) return undefined
    const key = await keyFor(tx, `payment:${paymentId}:cancel`)
    const begun = await callByKey(tx, key)
    if (begun) return begun.id
    const subject = { payment_id: paymentId }
    return reserveCall(tx, { kind: 'cancel_payment', key, userId: null, subject, params: { id: now.intent_id } })
  })
  if (callId) {
    const { outcome } = await provider.make(callId)
    if (outcome === 'unsure') throw providerIsAway()
    // refused: it has succeeded or begun to be processed a moment ago
    await syncIntent(deps, row.intent_id)
  }
  return findPayment(db, paymentId)
}

/** The provider may not have been asked yet: then it is not asked any more. */
async function endUnasked(deps: PayingDeps, { id }: PaymentRow): Promise<PaymentRow | undefined> {
  const { db, provider } = deps
  const begun = await db.transaction().execute(async (tx) => {
    const row = await lockPayment(tx, id)
    const call = await callByKey(tx, `payment:${id}`)
    if (call || row?.status !== 'wanted') return call
    await tx
      .updateTable('sale_payments')
      .set({ status: 'cancelled', settled_at: sql`app_now()` })
      .where('id', '=', id)
      .execute()
    return undefined
  })
  if (begun && (await provider.make(begun.id)).outcome === 'unsure') throw providerIsAway()
  return findPayment(db, id)
}
