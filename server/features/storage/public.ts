// What other features may use of storage.
export { addressOf } from '#server/features/storage/keys.ts'
export { documentsOf, dropUploads, mediaOf, uploadsOf } from '#server/features/storage/media.ts'
export { dropMerchantUploads, lockLinkableUploads, lockMerchantUploads } from '#server/features/storage/queries.ts'
