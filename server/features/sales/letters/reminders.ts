import { sql } from 'kysely'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import { formatMoment } from '#domain/format.ts'
import { waitsFor } from '#domain/listings/listing-label.ts'
import type { Db } from '#server/db/db.ts'
import type { Jobs } from '#server/jobs/queue.ts'
import { letter } from '#server/providers/letter.ts'
import type { Mailer } from '#server/providers/mail.ts'

type Waiting = {
  id: string
  title: string
  status: ListingStatus
  due_at: Date
  seller_email: string
  seller_name: string
  buyer_email: string | null
  buyer_name: string
}

/** RULES §4: whoever is waited for is reminded at half of the window, and a day before its end. A listing that has moved on is left alone. */
export async function remindOfDeadline(
  { db, mailer, publicUrl }: { db: Db; mailer: Mailer; publicUrl: string },
  { listing_id, entered_at }: Jobs['remind_of_deadline'],
): Promise<void> {
  const { rows } = await sql<Waiting>`
    select l.id, l.title, l.status, l.due_at, seller.email as seller_email, seller.first_name as seller_name, buyer.email as buyer_email,
           coalesce(buyer.first_name, '') as buyer_name
    from listings l
    join users seller on seller.id = l.seller_id
    left join awards a on a.listing_id = l.id and a.status in ('offered', 'pending_payment', 'paid')
    left join users buyer on buyer.id = a.bidder_id
    where l.id = ${listing_id} and date_trunc('milliseconds', l.entered_at) = ${entered_at}::timestamptz and l.due_at > app_now()`.execute(
    db,
  )
  const waiting = rows[0]
  if (!waiting) return
  const party = waitsFor[waiting.status]
  const readers = [
    ...(party === 'seller' || party === 'both'
      ? [{ email: waiting.seller_email, first_name: waiting.seller_name, page: '/my-listings' }]
      : []),
    ...((party === 'buyer' || party === 'both') && waiting.buyer_email !== null
      ? [{ email: waiting.buyer_email, first_name: waiting.buyer_name, page: '/activity' }]
      : []),
  ]
  for (const reader of readers) {
    await mailer.send(
      letter(reader, `Waiting for you: ${waiting.title}`, {
        says: [`There is something for you to do by ${formatMoment(waiting.due_at)}. The listing shows what.`],
        action: { label: 'Open the listing', url: `${publicUrl}${reader.page}/${waiting.id}` },
        ends: 'You get this because a sale waits for you.',
      }),
    )
  }
}
