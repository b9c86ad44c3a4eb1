// What other features and the clock may use of sales.
export { actingWith, takeAction, type SaleDeps } from '#server/features/sales/act.ts'
export { noLongerWaiting, recheckGate, recheckSale, takeDue } from '#server/features/sales/by-time.ts'
export { factsAtSubmit, readLives, type Life } from '#server/features/sales/life/facts.ts'
export { noSale, presentSale } from '#server/features/sales/present-sale.ts'
export { noLongerSetAside, notSetAside, setAside } from '#server/features/sales/set-aside.ts'
export { checkNotBlocked } from '#server/features/sales/relist.ts'
export { readSaleDetails } from '#server/features/sales/sale-details.ts'
