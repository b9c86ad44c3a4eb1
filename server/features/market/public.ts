// What other features may use of the market.
export { eraseFromMarket } from '#server/features/market/enquiries/erase.ts'
