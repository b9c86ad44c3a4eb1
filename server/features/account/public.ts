// What other features may use of accounts.
export { actOnUser, type AdminAct } from '#server/features/account/admin.ts'
export { presentUserLite } from '#server/features/account/present.ts'
export { defaultAddressOf, findUser, updateUser } from '#server/features/account/queries.ts'
