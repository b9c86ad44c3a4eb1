import { syncDispute } from '#server/features/paying/disputes.ts'
import { applyDispute } from '#server/features/payments/public.ts'
import { returnCash, syncCash } from '#server/features/paying/cash.ts'
import { endPayment } from '#server/features/paying/end-payment.ts'
import { findFee, isSettled } from '#server/features/paying/holding-fees.ts'
import { authoriseFee, endFee, renewFee } from '#server/features/paying/hold.ts'
import { followPayment, syncIntent } from '#server/features/paying/intents.ts'
import { allocateLate, returnLatePayment } from '#server/features/paying/late-payments.ts'
import { askForFee, tellAdmin } from '#server/features/paying/letters.ts'
import { ensureIntent, findPayment, isOpen } from '#server/features/paying/payments.ts'
import { bookPayout, sendPayout } from '#server/features/paying/payouts.ts'
import { sendRefund, syncRefund } from '#server/features/paying/refunds.ts'
import { isOpenAward, isOver, saleOf, type PayingDeps } from '#server/features/paying/sale.ts'
import { reversePayout } from '#server/features/paying/take-back.ts'
import type { MoneyOf } from '#server/jobs/queue.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'

type Kinds =
  | 'authorise_holding_fee'
  | 'renew_holding_fee'
  | 'end_holding_fee'
  | 'end_payment'
  | 'send_refund'
  | 'send_payout'
  | 'reverse_payout'
  | 'return_cash'
  | 'return_late_payment'
  | 'look_at_money'
  | 'send_holding_fee_letter'
  | 'send_money_letter'

export function payingJobs(deps: PayingDeps): Pick<JobHandlers, Kinds> {
  return {
    async authorise_holding_fee({ holding_fee_id }) {
      // the buyer's late payment, if there is one, pays the second chance before anything is held
      const fee = await findFee(deps.db, holding_fee_id)
      const sale = fee && (await saleOf(deps.db, fee.award_id))
      if (sale && isOpenAward(sale.award_status)) await allocateLate(deps, sale)
      await authoriseFee(deps, holding_fee_id)
    },
    renew_holding_fee: ({ holding_fee_id }) => renewFee(deps, holding_fee_id),
    end_holding_fee: ({ holding_fee_id }) => endFee(deps, holding_fee_id),
    async end_payment({ payment_id }) {
      await endPayment(deps, payment_id)
    },
    send_refund: ({ refund_id }) => sendRefund(deps, refund_id),
    send_payout: ({ payout_id }) => sendPayout(deps, payout_id),
    reverse_payout: (payload) => reversePayout(deps, payload),
    return_cash: ({ user_id }) => returnCash(deps, user_id),
    return_late_payment: ({ payment_id }) => returnLatePayment(deps, payment_id),
    look_at_money: ({ of, id }) => looks[of](deps, id),
    send_holding_fee_letter: ({ holding_fee_id }) => askForFee(deps.db, holding_fee_id),
    send_money_letter: (payload) => tellAdmin(deps.db, payload),
  }
}

/** What a lost event would have told: each row is compared with the provider, and what was not begun is begun. */
const looks: Record<MoneyOf, (deps: PayingDeps, id: string) => Promise<void>> = {
  async payment(deps, id) {
    const payment = await findPayment(deps.db, id)
    if (!payment) return
    const sale = await saleOf(deps.db, payment.award_id)
    if (payment.intent_id) await syncIntent(deps, payment.intent_id)
    if (!isOpen(payment)) return
    if (isOver(sale)) await endPayment(deps, id)
    else if (!payment.intent_id) await followPayment(deps, (await ensureIntent(deps, payment)).id)
  },
  async holding_fee(deps, id) {
    const fee = await findFee(deps.db, id)
    if (!fee || isSettled(fee)) return
    if (fee.intent_id) await syncIntent(deps, fee.intent_id)
    if (fee.status === 'wanted') await authoriseFee(deps, id)
    if (fee.ending) await endFee(deps, id)
    else await renewFee(deps, id)
  },
  async refund(deps, id) {
    const row = await deps.db.selectFrom('refunds').select(['status', 'provider_id']).where('id', '=', id).executeTakeFirst()
    if (row?.status === 'wanted') await sendRefund(deps, id)
    else if (row?.provider_id) await syncRefund(deps, row.provider_id)
  },
  async payout(deps, id) {
    await sendPayout(deps, id)
    await bookPayout(deps.db, id)
  },
  async dispute(deps, id) {
    await applyDispute(deps, id)
    await syncDispute(deps, id)
  },
  async cash(deps, id) {
    const user = await deps.db.selectFrom('users').select('provider_customer_id').where('id', '=', id).executeTakeFirst()
    if (user?.provider_customer_id) await syncCash(deps, user.provider_customer_id)
  },
}
