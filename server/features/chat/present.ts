import type { ChatThread } from '#contract/people/chat.ts'
import type { Message } from '#contract/people/messages.ts'
import { maskContactDetails } from '#contract/values/contact-details.ts'
import type { DbOrTx } from '#server/db/db.ts'
import type { MessageRow } from '#server/features/chat/message-queries.ts'
import type { ChatRow } from '#server/features/chat/queries.ts'
import { mediaOf, uploadsOf } from '#server/features/storage/public.ts'

/** How many messages before and after those that are shown are looked at: a phone number may be split over several. */
export const CONTEXT = 12

/** What an erased account is called. */
const FORMER_MEMBER = 'A former member'

/** The messages that are wanted, among `rows` with their context in order. */
export async function presentMessages(
  db: DbOrTx,
  rows: readonly MessageRow[],
  { viewerId, isPaid, isWanted }: { viewerId: string | null; isPaid: boolean; isWanted: (row: MessageRow) => boolean },
): Promise<Message[]> {
  const wanted = rows.filter(isWanted)
  const masked = isPaid ? new Map<string, string>() : maskedBodies(rows)
  const photos = await uploadsOf(
    db,
    wanted.flatMap(({ photo_ids }) => photo_ids),
  )
  return wanted.map(({ id, seq, sender_id, body, created_at, read_at, photo_ids }) => {
    const shown = masked.get(id) ?? body
    // a sender reads their own words; an admin who looks into a report reads both sides'
    const isOpen = sender_id === viewerId || viewerId === null
    return {
      id,
      seq,
      body: isOpen ? body : shown,
      mine: sender_id === viewerId,
      read_at: read_at?.toISOString() ?? null,
      created_at: created_at.toISOString(),
      attachments: photo_ids.flatMap((photo) => photos.get(photo) ?? []),
      is_masked: shown !== body,
    }
  })
}

/** By message. Each sender's messages are read in a row, whatever the other side wrote between them. */
function maskedBodies(rows: readonly MessageRow[]): Map<string, string> {
  const bySender = Map.groupBy(rows, ({ thread_id, sender_id }) => `${thread_id} ${sender_id}`)
  return new Map(
    [...bySender.values()].flatMap((sent) => {
      const bodies = maskContactDetails(sent.map(({ body }) => body))
      return sent.map(({ id }, nth): [string, string] => [id, bodies[nth] ?? ''])
    }),
  )
}

export const presentCounterpart = ({ with_id, with_company, with_erased }: ChatRow): ChatThread['with'] => ({
  id: with_id,
  company_name: with_erased ? FORMER_MEMBER : with_company,
  is_former: with_erased,
})

/** The listings that threads are about, each with its first photo. */
export async function presentListings(db: DbOrTx, rows: readonly ChatRow[]): Promise<ChatThread['listing'][]> {
  const media = await mediaOf(db, [...new Set(rows.map(({ listing_id }) => listing_id))])
  return rows.map(({ listing_id, title, owner_id, viewer_id }) => ({
    id: listing_id,
    title,
    is_owner: owner_id === viewer_id,
    thumbnail: media.get(listing_id)?.[0]?.thumbnail_url ?? null,
  }))
}
