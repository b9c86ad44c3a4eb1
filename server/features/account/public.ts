// What other features may use of accounts.
export { presentUserLite } from '#server/features/account/present.ts'
export { defaultAddressOf, findUser, updateUser } from '#server/features/account/queries.ts'
