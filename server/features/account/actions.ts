// What other features may use of accounts.
export { presentUserLite } from '#server/features/account/present.ts'
export { defaultAddressOf, lockUser, updateUser } from '#server/features/account/queries.ts'
