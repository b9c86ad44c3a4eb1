// SPEC §3 "Transfer methods".

export const transferMethods = { Collection: 1, Delivery: 2 } as const

export type TransferMethodId = (typeof transferMethods)[keyof typeof transferMethods]
