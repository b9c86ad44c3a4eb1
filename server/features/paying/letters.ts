import type { MoneyFacts } from '#domain/notifications/money-words.ts'
import type { Db } from '#server/db/db.ts'
import { notify } from '#server/features/notifications/public.ts'
import { findFee } from '#server/features/paying/holding-fees.ts'
import { saleOf } from '#server/features/paying/sale.ts'
import { runningJobId } from '#server/jobs/message-ids.ts'
import type { Jobs, MoneyNews } from '#server/jobs/queue.ts'

/** Asks the buyer at once; nobody is told if the fee was seen to meanwhile. */
export async function askForFee(db: Db, feeId: string): Promise<void> {
  const fee = await findFee(db, feeId)
  if (fee?.status !== 'asks_buyer' || fee.ending) return
  const { buyer_id, listing_id, title } = await saleOf(db, fee.award_id)
  await notify(db, {
    kind: 'payment',
    to: buyer_id,
    source: `holding-fee:${fee.id}:${runningJobId()}`,
    facts: { holding_fee: fee.amount, title },
    listingId: listing_id,
    link: `/activity/${listing_id}`,
  })
}

type About<A extends MoneyNews> = { facts: Extract<MoneyFacts, { about: A }>; listingId: string | null }

/** The facts of what admins are told; undefined when its row has gone. */
const factsOf: { [A in MoneyNews]: (db: Db, id: string) => Promise<About<A> | undefined> } = {
  async cash_left_over(db, id) {
    const user = await db.selectFrom('users').select('company_name').where('id', '=', id).executeTakeFirst()
    return user && { facts: { about: 'cash_left_over', company: user.company_name }, listingId: null }
  },
  async payment_too_late(db, id) {
    const payment = await db.selectFrom('sale_payments').select(['award_id', 'received']).where('id', '=', id).executeTakeFirst()
    if (!payment) return undefined
    const { title, listing_id } = await saleOf(db, payment.award_id)
    return { facts: { about: 'payment_too_late', title, amount: payment.received }, listingId: listing_id }
  },
  async refund_failed(db, id) {
    const refund = await db.selectFrom('refunds').select(['amount', 'failure_reason', 'tries']).where('id', '=', id).executeTakeFirst()
    return (
      refund && {
        facts: { about: 'refund_failed', amount: refund.amount, reason: refund.failure_reason, tries: refund.tries },
        listingId: null,
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
    return { facts: { about: 'payout_refused', title, amount: payout.amount, reason: payout.failure_reason }, listingId: listing_id }
  },
  async seller_owes(db, id) {
    const payout = await db.selectFrom('seller_payouts').select(['award_id', 'receivable']).where('id', '=', id).executeTakeFirst()
    if (!payout) return undefined
    const { title, listing_id } = await saleOf(db, payout.award_id)
    return { facts: { about: 'seller_owes', title, amount: payout.receivable }, listingId: listing_id }
  },
  async old_sale_disputed(db, id) {
    const listing = await db.selectFrom('listings').select('title').where('id', '=', id).executeTakeFirst()
    return listing && { facts: { about: 'old_sale_disputed', title: listing.title }, listingId: id }
  },
}

export async function tellAdmin(db: Db, { user_id, about, id }: Jobs['send_money_letter']): Promise<void> {
  const news = await factsOf[about](db, id)
  if (!news) return
  const { facts, listingId } = news
  await notify(db, {
    kind: 'admin_money',
    to: user_id,
    source: `money:${runningJobId()}`,
    facts,
    listingId,
    link: listingId ? `/listings/${listingId}` : '/listings',
  })
}
