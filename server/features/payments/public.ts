// What other features may use of payments.
export { accountLink, ensureAccount, syncAccount, type PaymentDeps } from '#server/features/payments/account.ts'
export { callKind, keyFor, nextRead, openCallOf, reserveCall, type Provider, type ProviderCall } from '#server/features/payments/calls.ts'
export { idOf, jsonOf, presentCard, setupIntentFor, shownCard, syncCards, type KnownCard } from '#server/features/payments/cards.ts'
export { ensureCustomer, tellCustomer } from '#server/features/payments/customer.ts'
export { erasePayments } from '#server/features/payments/leave.ts'
export { lockSource, post, postOwn } from '#server/features/payments/ledger.ts'
export {
  applyCharge,
  applyDispute,
  applyPayout,
  applyTransfer,
  invoiceOf,
  isLine,
  postLine,
  readCharge,
  timeOf,
  userOfCustomer,
} from '#server/features/payments/money.ts'
