// What other features may use of listings.
export { findListing, findListings, listingColumns, type ListingColumns, type ListingRow } from '#server/features/listings/queries.ts'
export { listingReader, presentForBidder, showListing, showListings } from '#server/features/listings/show.ts'
