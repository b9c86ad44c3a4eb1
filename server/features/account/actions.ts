// What other features may use of accounts.
export { defaultAddressOf } from '#server/features/account/queries.ts'
