import type { MediaItem, UploadKind } from '#contract/storage.ts'
import { uploadKinds } from '#contract/values/storage-kinds.ts'
import type { DbOrTx } from '#server/db/db.ts'
import { keysOf } from '#server/features/storage/keys.ts'
import { presentMediaItem } from '#server/features/storage/present.ts'
import { findAll, findOfListings, markDeleted } from '#server/features/storage/queries.ts'

// Uploads as the listings and documents that hold them see them.

/** Uploads whose holder let go of them, in its transaction; the files are for the caller to remove after it. */
export async function dropUploads(tx: DbOrTx, ids: readonly string[]): Promise<string[]> {
  const objects = await findAll(tx, ids)
  for (const { id } of objects) await markDeleted(tx, id)
  return objects.flatMap(keysOf)
}

/** Uploads that are ready, by id. */
export async function uploadsOf(db: DbOrTx, ids: readonly string[]): Promise<Map<string, MediaItem>> {
  return new Map((await findAll(db, ids)).map((object) => [object.id, presentMediaItem(object)]))
}

/** The photos and videos of listings, each in the seller's order. */
export const mediaOf = (db: DbOrTx, listingIds: readonly string[]) => filesOf(db, listingIds, uploadKinds.ListingMedia)

/** The papers that listings were made with. They are not for everybody's eyes. */
export const documentsOf = (db: DbOrTx, listingIds: readonly string[]) => filesOf(db, listingIds, uploadKinds.ListingAsset)

async function filesOf(db: DbOrTx, listingIds: readonly string[], kind: UploadKind): Promise<Map<string, MediaItem[]>> {
  const media = new Map<string, MediaItem[]>()
  for (const object of await findOfListings(db, listingIds)) {
    if (object.upload_kind !== kind) continue
    media.set(object.listing_id, [...(media.get(object.listing_id) ?? []), presentMediaItem(object)])
  }
  return media
}
