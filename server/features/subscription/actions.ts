// What other features may use of subscriptions.
export { syncSubscription } from '#server/features/subscription/calls.ts'
export { applyInvoice } from '#server/features/subscription/invoices.ts'
