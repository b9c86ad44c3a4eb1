import type { MediaItem } from '#contract/storage.ts'
import type { DbOrTx } from '#server/db/db.ts'
import { uploadsOf } from '#server/features/storage/public.ts'

/** The photos of enquiries, each in the poster's order. */
export async function enquiryMedia(db: DbOrTx, enquiryIds: readonly string[]): Promise<Map<string, MediaItem[]>> {
  if (enquiryIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('enquiry_media')
    .select(['enquiry_id', 'storage_object_id'])
    .where('enquiry_id', 'in', enquiryIds)
    .orderBy('position')
    .execute()
  const uploads = await uploadsOf(
    db,
    rows.map(({ storage_object_id }) => storage_object_id),
  )
  const byEnquiry = Map.groupBy(rows, ({ enquiry_id }) => enquiry_id)
  return new Map([...byEnquiry].map(([id, media]) => [id, media.flatMap(({ storage_object_id }) => uploads.get(storage_object_id) ?? [])]))
}
