// What other features may use of paying.
export { syncCashOfEvent } from '#server/features/paying/cash.ts'
export { syncDispute } from '#server/features/paying/disputes.ts'
export { syncIntent } from '#server/features/paying/intents.ts'
export { pay, type PayDeps } from '#server/features/paying/pay.ts'
export { sendWaitingPayouts, syncTransfer } from '#server/features/paying/payouts.ts'
export { syncRefund } from '#server/features/paying/refunds.ts'
export type { PayingDeps } from '#server/features/paying/sale.ts'
