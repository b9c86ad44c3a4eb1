import type { Notification } from '#contract/notifications.ts'
import { wordsOf } from '#domain/notifications/kinds.ts'
import type { Db } from '#server/db/db.ts'
import type { NotificationRow } from '#server/features/notifications/queries.ts'
import { mediaOf } from '#server/features/storage/public.ts'

export async function presentNotifications(db: Db, rows: readonly NotificationRow[], withThumbnails: boolean): Promise<Notification[]> {
  const listingIds = [...new Set(rows.flatMap(({ listing_id }) => listing_id ?? []))]
  const media =
    withThumbnails && listingIds.length > 0 ? await mediaOf(db, listingIds) : new Map<string, { thumbnail_url: string | null }[]>()
  return rows.map((row) => {
    const { title, says, action } = wordsOf(row.kind, row.facts as never)
    const thumbnail = (row.listing_id && media.get(row.listing_id)?.[0]?.thumbnail_url) || null
    return {
      id: row.id,
      kind: row.kind,
      title,
      body: says.join(' '),
      link: row.link,
      action,
      has_been_read: row.read_at !== null,
      thumbnail,
      listing_id: row.listing_id,
      listing_thumbnail: thumbnail,
      created_at: new Date(row.created_at).toISOString(),
    }
  })
}
