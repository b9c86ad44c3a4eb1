import type { Stripe } from 'stripe'
import { idOf, nextRead } from '#server/features/payments/public.ts'
import { syncCash } from '#server/features/paying/cash.ts'
import { writeFee } from '#server/features/paying/holding-fees.ts'
import { bookIfLate } from '#server/features/paying/late-payments.ts'
import { findPayment, lookAtIntent, writePayment } from '#server/features/paying/payments.ts'
import { rowOf, saleOf, showMoney, type PayingDeps } from '#server/features/paying/sale.ts'

/** An intent as the provider has it now: its row follows, and then its sale. One that belongs to no sale is left alone. */
export async function syncIntent(deps: PayingDeps, intentId: string): Promise<void> {
  const readNo = await nextRead(deps.db)
  const intent = await lookAtIntent(deps, intentId)
  if (intent) await writers[intent.metadata['purpose'] ?? '']?.(deps, intent, readNo)
}

type Writer = (deps: PayingDeps, intent: Stripe.PaymentIntent, readNo: string) => Promise<void>

const writers: Readonly<Record<string, Writer>> = {
  goods: writeSalePayment,
  balance_due: writeSalePayment,
  async holding_fee({ db, readSetting }, intent, readNo) {
    const awardId = await db.transaction().execute((tx) => writeFee(tx, intent, { readNo, readSetting }))
    if (awardId) await showMoney(db, (await saleOf(db, awardId)).listing_id)
  },
}

async function writeSalePayment(deps: PayingDeps, intent: Stripe.PaymentIntent, readNo: string): Promise<void> {
  const paymentId = rowOf(intent.metadata, 'payment_id')
  if (!paymentId) return
  const isChanged = await deps.db.transaction().execute((tx) => writePayment(tx, intent, readNo))
  const isStepTaken = await followPayment(deps, paymentId)
  // a step is shown by itself
  const payment = isChanged && !isStepTaken ? await findPayment(deps.db, paymentId) : undefined
  if (payment) await showMoney(deps.db, (await saleOf(deps.db, payment.award_id)).listing_id)
  const customer = idOf(intent.customer)
  if (customer && intent.payment_method_types.includes('customer_balance')) await syncCash(deps, customer)
}

/**
 * What a payment's row means: its sale takes its next step, or the money came too late. A second time changes nothing. Answers whether a
 * step was taken.
 */
export async function followPayment(deps: PayingDeps, paymentId: string): Promise<boolean> {
  const payment = await findPayment(deps.db, paymentId)
  if (!payment) return false
  // a payment that was ended lets the clock of its sale go on
  const isStepTaken = payment.received > 0 || payment.status === 'cancelled' ? await recheck(deps, payment.award_id) : false
  if (payment.received > 0 && payment.status === 'succeeded') await bookIfLate(deps, payment)
  return isStepTaken
}

async function recheck({ db, recheckSale }: PayingDeps, awardId: string): Promise<boolean> {
  const award = await db.selectFrom('awards').select('listing_id').where('id', '=', awardId).executeTakeFirst()
  return award ? recheckSale(award.listing_id) : false
}
