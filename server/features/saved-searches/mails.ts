import { sql } from 'kysely'
import { formatPence, inLondon } from '#domain/format.ts'
import type { Db } from '#server/db/db.ts'
import { queueAlerts } from '#server/features/saved-searches/alerts.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'
import { letter } from '#server/providers/letter.ts'
import type { Mailer } from '#server/providers/mail.ts'

type MailDeps = { db: Db; mailer: Mailer; publicUrl: string }
type SavedSearchJob = 'match_saved_searches' | 'send_listing_alert' | 'send_ending_soon'

export function savedSearchJobs({ db, mailer, publicUrl }: MailDeps): Pick<JobHandlers, SavedSearchJob> {
  return {
    match_saved_searches: ({ listing_id }) => queueAlerts(db, listing_id),

    async send_listing_alert({ user_id, listing_id, search }) {
      const news = await newsFor(db, user_id, listing_id)
      if (!news) return
      await mailer.send(
        letter(news, `New listing: ${news.title}`, {
          says: [
            `A new listing matches your saved search '${search}':`,
            `${news.title}, ${news.town}. ${formatPence(news.price)} ${news.price_basis === 'tonne' ? 'per tonne' : 'for the lot'}, until ${moment.format(news.expires_at)}.`,
          ],
          action: { label: 'See the listing', url: `${publicUrl}/listings/${listing_id}` },
          ends: 'You get this email because the search has alerts. Delete it under your saved searches to get no more.',
        }),
      )
    },

    async send_ending_soon({ user_id, listing_id }) {
      const news = await newsFor(db, user_id, listing_id)
      if (!news?.is_watched) return
      await mailer.send(
        letter(news, `Ending soon: ${news.title}`, {
          says: [
            `A listing that you watch ends at ${moment.format(news.expires_at)}: ${news.title}, ${news.town}.`,
            news.bid_count === 0
              ? `Nobody has bid yet. It starts at ${formatPence(news.price)}.`
              : `It stands at ${formatPence(news.price)} after ${news.bid_count === 1 ? 'one bid' : `${news.bid_count} bids`}.`,
          ],
          action: { label: 'See the listing', url: `${publicUrl}/listings/${listing_id}` },
          ends: 'You get this email because the listing is on your watch list.',
        }),
      )
    },
  }
}

type News = {
  email: string
  first_name: string
  title: string
  town: string
  price: number
  price_basis: 'lot' | 'tonne'
  bid_count: number
  expires_at: Date
  is_watched: boolean
}

/** What to say of a listing that still runs, to somebody who may still hear it. */
async function newsFor(db: Db, userId: string, listingId: string): Promise<News | undefined> {
  const { rows } = await sql<News>`
    select u.email, u.first_name, l.title, l.town, coalesce(l.current_price, l.start_price) as price, l.price_basis, l.bid_count, l.expires_at,
           exists (select from watches w where w.user_id = u.id and w.listing_id = l.id) as is_watched
    from users u, listings l
    where u.id = ${userId} and u.deleted_at is null and u.suspended_at is null
      and l.id = ${listingId} and l.status = 'Active' and l.expires_at > app_now()`.execute(db)
  return rows[0]
}

const moment = inLondon({ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
