import { sql } from 'kysely'
import { documentKinds } from '#contract/values/document-kinds.ts'
import { lastDayInWords } from '#domain/licence.ts'
import type { Db } from '#server/db/db.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'
import { letter } from '#server/providers/letter.ts'
import type { Mailer } from '#server/providers/mail.ts'

type MailDeps = { db: Db; mailer: Mailer; publicUrl: string }
type DocumentJob = 'send_document_approved' | 'send_document_rejected' | 'send_licence_warning'

export function documentJobs({ db, mailer, publicUrl }: MailDeps): Pick<JobHandlers, DocumentJob> {
  const page = `${publicUrl}/account/merchant-documents`
  const reader = (userId: string) =>
    db.selectFrom('users').select(['email', 'first_name']).where('id', '=', userId).where('erased_at', 'is', null).executeTakeFirst()

  return {
    async send_document_approved({ user_id, kind, expires_at }) {
      const user = await reader(user_id)
      if (!user) return
      const name = inSentence(kind)
      const until = expires_at ? ` It counts until ${lastDayInWords(new Date(expires_at))}.` : ''
      await mailer.send(
        letter(user, `Your ${name} is approved`, {
          says: [`We have checked your ${name} and approved it.${until}`, ...(kind === 'scrap_dealer_licence' ? [mayBid] : [])],
          action: { label: 'See your documents', url: page },
          ends: 'We write again before it ends.',
        }),
      )
    },

    async send_document_rejected({ user_id, kind, reason }) {
      const user = await reader(user_id)
      if (!user) return
      const name = inSentence(kind)
      await mailer.send(
        letter(user, `We could not approve your ${name}`, {
          says: [
            `We have looked at your ${name} and could not approve it, because:`,
            reason,
            'Please upload it again, whole, readable and up to date. We look at it as soon as it is there.',
          ],
          action: { label: 'Upload it again', url: page },
          ends: 'Selling goes on as before. Bidding on scrap needs an approved licence.',
        }),
      )
    },

    async send_licence_warning({ user_id, document_id }) {
      const { rows } = await sql<{ email: string; first_name: string; expires_at: Date; days: number }>`
        select u.email, u.first_name, d.expires_at, ceil(extract(epoch from d.expires_at - app_now()) / 86400)::int as days
        from merchant_documents d
        join users u on u.id = d.user_id
        where d.id = ${document_id} and u.id = ${user_id} and u.licence_expires_at = d.expires_at and d.expires_at > app_now()
          and u.deleted_at is null`.execute(db)
      const [news] = rows
      if (!news) return
      const day = lastDayInWords(news.expires_at)
      await mailer.send(
        letter(news, `Your scrap dealer licence ends in ${news.days === 1 ? 'a day' : `${news.days} days`}`, {
          says: [
            `The scrap dealer licence that we have of you counts until ${day}. From then on you cannot bid on scrap.`,
            'Renew it with your council and upload the new one; both may stand side by side.',
          ],
          action: { label: 'Upload the new licence', url: page },
          ends: 'Have you sent it already? Then there is nothing to do: we write when it is approved.',
        }),
      )
    },
  }
}

const mayBid = 'With a full subscription and a card for the holding fee you can bid on scrap now.'
const inSentence = (kind: keyof typeof documentKinds) => documentKinds[kind].toLowerCase()
