import { sql } from 'kysely'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import { waitsFor } from '#domain/listings/listing-label.ts'
import type { Db } from '#server/db/db.ts'
import { notify } from '#server/features/notifications/public.ts'
import { runningJobId } from '#server/jobs/message-ids.ts'
import type { Jobs } from '#server/jobs/queue.ts'

type Waiting = { id: string; title: string; status: ListingStatus; due_at: Date; seller_id: string; buyer_id: string | null }

/** RULES §4: whoever is waited for is reminded at half of the window, and a day before its end. A listing that has moved on is left alone. */
export async function remindOfDeadline(db: Db, { listing_id, entered_at }: Jobs['remind_of_deadline']): Promise<void> {
  const { rows } = await sql<Waiting>`
    select l.id, l.title, l.status, l.due_at, l.seller_id, a.bidder_id as buyer_id
    from listings l
    left join awards a on a.listing_id = l.id and a.status in ('offered', 'pending_payment', 'paid')
    where l.id = ${listing_id} and date_trunc('milliseconds', l.entered_at) = ${entered_at}::timestamptz and l.due_at > app_now()`.execute(
    db,
  )
  const waiting = rows[0]
  if (!waiting) return
  const party = waitsFor[waiting.status]
  const readers = [
    ...(party === 'seller' || party === 'both' ? [{ to: waiting.seller_id, page: '/my-listings' }] : []),
    ...((party === 'buyer' || party === 'both') && waiting.buyer_id !== null ? [{ to: waiting.buyer_id, page: '/activity' }] : []),
  ]
  for (const { to, page } of readers) {
    await notify(db, {
      kind: 'deadline_reminder',
      to,
      source: `deadline:${waiting.id}:${runningJobId()}`,
      facts: { title: waiting.title, until: waiting.due_at.toISOString() },
      listingId: waiting.id,
      link: `${page}/${waiting.id}`,
    })
  }
}
