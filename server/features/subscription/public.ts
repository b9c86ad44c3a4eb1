// What other features may use of subscriptions.
export { syncSubscription } from '#server/features/subscription/calls.ts'
export { applyInvoice } from '#server/features/subscription/invoices.ts'
export { CONFIRM_WITHIN, forgetCard } from '#server/features/subscription/write.ts'
