import { formatPence } from '#domain/format.ts'
import type { Db } from '#server/db/db.ts'
import { findFee } from '#server/features/paying/holding-fees.ts'
import { saleOf } from '#server/features/paying/sale.ts'
import type { Jobs, MoneyNews } from '#server/jobs/queue.ts'
import { letter } from '#server/providers/letter.ts'
import type { Mailer } from '#server/providers/mail.ts'

export type LetterDeps = { db: Db; mailer: Mailer; publicUrl: string }

/** Asks the buyer at once; nothing is sent if the fee was seen to meanwhile. */
export async function sendFeeLetter({ db, mailer, publicUrl }: LetterDeps, feeId: string): Promise<void> {
  const fee = await findFee(db, feeId)
  if (fee?.status !== 'asks_buyer' || fee.ending) return
  const sale = await saleOf(db, fee.award_id)
  const buyer = await readerOf(db, sale.buyer_id)
  if (!buyer) return
  await mailer.send(
    letter(buyer, `Your card needs you: holding fee for ${sale.title}`, {
      says: [
        `We could not hold ${formatPence(fee.amount)} on your saved card for “${sale.title}”. Your bank may want you to confirm it, or the card was refused.`,
        'The holding fee is released when you pay. Please confirm it, or use another card.',
      ],
      action: { label: 'Confirm the holding fee', url: `${publicUrl}/activity/${sale.listing_id}` },
      ends: 'You get this because it is your purchase.',
    }),
  )
}

type News = { subject: string; says: string; page: string }

/** What each letter to an admin says; undefined when its row has gone. */
const news: Record<MoneyNews, (db: Db, id: string) => Promise<News | undefined>> = {
  async cash_left_over(db, id) {
    const user = await db.selectFrom('users').select(['company_name']).where('id', '=', id).executeTakeFirst()
    return (
      user && {
        subject: `Money for no sale: ${user.company_name}`,
        says: `${user.company_name} sent a bank transfer that no sale expects. It is refunded within a day unless a sale uses it.`,
        page: '/listings',
      }
    )
  },
  async payment_too_late(db, id) {
    const payment = await db.selectFrom('sale_payments').select(['award_id', 'received']).where('id', '=', id).executeTakeFirst()
    if (!payment) return undefined
    const { title, listing_id } = await saleOf(db, payment.award_id)
    return {
      subject: `Paid too late: ${title}`,
      says: `${formatPence(payment.received)} arrived for “${title}” after the sale had ended. It is refunded within a day unless the buyer is reinstated.`,
      page: `/listings/${listing_id}`,
    }
  },
  async refund_failed(db, id) {
    const refund = await db.selectFrom('refunds').select(['amount', 'failure_reason', 'tries']).where('id', '=', id).executeTakeFirst()
    return (
      refund && {
        subject: 'A refund failed',
        says: `A refund of ${formatPence(refund.amount)} failed (${refund.failure_reason ?? 'unknown'}), try ${refund.tries}. It is tried again each day, five times in all.`,
        page: '/listings',
      }
    )
  },
  async payout_refused(db, id) {
    const payout = await db
      .selectFrom('seller_payouts')
      .select(['award_id', 'amount', 'failure_reason'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!payout) return undefined
    const { title, listing_id } = await saleOf(db, payout.award_id)
    return {
      subject: `A seller could not be paid: ${title}`,
      says: `The provider refused ${formatPence(payout.amount)} for “${title}” (${payout.failure_reason ?? 'unknown'}). It is tried again each day.`,
      page: `/listings/${listing_id}`,
    }
  },
  async seller_owes(db, id) {
    const payout = await db.selectFrom('seller_payouts').select(['award_id', 'receivable']).where('id', '=', id).executeTakeFirst()
    if (!payout) return undefined
    const { title, listing_id } = await saleOf(db, payout.award_id)
    return {
      subject: `A seller owes us: ${title}`,
      says: `The seller's account does not cover ${formatPence(payout.receivable)} that was to be taken back for “${title}”. It is kept back from the next payouts.`,
      page: `/listings/${listing_id}`,
    }
  },
  async old_sale_disputed(db, id) {
    const listing = await db.selectFrom('listings').select('title').where('id', '=', id).executeTakeFirst()
    return (
      listing && {
        subject: `Chargeback: ${listing.title}`,
        says: `A holding fee or an earlier buyer's payment of “${listing.title}” was charged back. The sale as it stands is not touched.`,
        page: `/listings/${id}`,
      }
    )
  },
}

export async function sendMoneyLetter(
  { db, mailer, publicUrl }: LetterDeps,
  { user_id, about, id }: Jobs['send_money_letter'],
): Promise<void> {
  const reader = await readerOf(db, user_id)
  const words = await news[about](db, id)
  if (!reader || !words) return
  await mailer.send(
    letter(reader, words.subject, {
      says: [words.says],
      action: { label: 'Open', url: `${publicUrl}${words.page}` },
      ends: 'You get this as an administrator.',
    }),
  )
}

const readerOf = (db: Db, id: string) =>
  db.selectFrom('users').select(['email', 'first_name']).where('id', '=', id).where('erased_at', 'is', null).executeTakeFirst()
