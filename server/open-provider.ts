import type { Db } from '#server/db/db.ts'
import { accountCalls } from '#server/features/payments/account.ts'
import { providerOf, type Provider } from '#server/features/payments/calls.ts'
import { cardCalls } from '#server/features/payments/cards.ts'
import { customerCalls } from '#server/features/payments/customer.ts'
import { holdingFeeCalls } from '#server/features/paying/holding-fees.ts'
import { paymentCalls } from '#server/features/paying/payments.ts'
import { payoutCalls } from '#server/features/paying/payouts.ts'
import { refundCalls } from '#server/features/paying/refunds.ts'
import { takeBackCalls } from '#server/features/paying/take-back.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import { subscriptionCalls } from '#server/features/subscription/calls.ts'
import type { Payment } from '#server/providers/payment.ts'

/** The payment provider with every kind of call that the product makes. */
export const openProvider = ({ db, payment, readSetting }: { db: Db; payment: Payment; readSetting: ReadSetting }): Provider =>
  providerOf({
    db,
    payment,
    kinds: {
      ...accountCalls,
      ...customerCalls,
      ...cardCalls,
      ...subscriptionCalls({ readSetting }),
      ...paymentCalls,
      ...holdingFeeCalls({ readSetting }),
      ...refundCalls,
      ...payoutCalls,
      ...takeBackCalls,
    },
  })
