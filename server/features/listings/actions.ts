// What other features may use of listings.
export { presentListing } from '#server/features/listings/present.ts'
export { findListing } from '#server/features/listings/queries.ts'
