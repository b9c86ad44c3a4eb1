import { sql } from 'kysely'
import type { Stripe } from 'stripe'
import type { Tx } from '#server/db/db.ts'
import { idOf, postOwn, timeOf } from '#server/features/payments/public.ts'
import { bookPayout } from '#server/features/paying/payouts.ts'
import { keepListing, saleOf, tellAdmins, type PayingDeps, type Sale } from '#server/features/paying/sale.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { look } from '#server/providers/payment.ts'

// A chargeback of a sale. Its row is what the sale's own steps look at; one about an earlier buyer, or about a holding fee, touches no sale.

export async function syncDispute(deps: PayingDeps, disputeId: string): Promise<void> {
  const { db, provider, recheckSale } = deps
  const dispute = await look(provider.stripe.disputes.retrieve(disputeId))
  // an inquiry takes no money
  if (!dispute || dispute.status.startsWith('warning_')) return
  const about = await aboutCharge(deps, idOf(dispute.charge) ?? '')
  if (!about) return
  const sale = await saleOf(db, about.award_id)
  await db.transaction().execute(async (tx) => {
    await keepListing(tx, sale.listing_id)
    await writeDispute(tx, dispute, about, sale)
  })
  await recheckSale(sale.listing_id)
  // one that is decided when we first hear of it takes two steps: it is opened, then decided
  if (dispute.status in settled) await recheckSale(sale.listing_id)
  // a payout that the sale's step has stopped is not owed any more
  const payouts = await db.selectFrom('seller_payouts').select('id').where('award_id', '=', sale.award_id).execute()
  for (const { id } of payouts) await bookPayout(db, id)
}

type AboutCharge = { award_id: string; charge_id: string; purpose: string }

async function aboutCharge({ db }: PayingDeps, chargeId: string): Promise<AboutCharge | undefined> {
  const { rows } = await sql<AboutCharge>`
    select award_id, charge_id, purpose from sale_payments where charge_id = ${chargeId}
    union all
    select award_id, charge_id, 'holding_fee' from holding_fees where charge_id = ${chargeId}`.execute(db)
  return rows[0]
}

const settled: Readonly<Record<string, 'won' | 'lost'>> = { won: 'won', lost: 'lost' }

async function writeDispute(tx: Tx, dispute: Stripe.Dispute, { award_id, charge_id, purpose }: AboutCharge, sale: Sale): Promise<void> {
  const status = settled[dispute.status] ?? 'open'
  const { rows } = await sql<{ is_new: boolean }>`
    insert into sale_disputes (id, award_id, charge_id, purpose, amount, status, settled_at)
    values (${dispute.id}, ${award_id}, ${charge_id}, ${purpose}, ${dispute.amount}, ${status}, case when ${status} = 'open' then null else app_now() end)
    on conflict (id) do update
    set status = excluded.status, settled_at = excluded.settled_at
    where sale_disputes.status = 'open'
    returning xmax = 0 as is_new`.execute(tx)
  const written = rows[0]
  if (!written) return
  const isFee = purpose === 'holding_fee'
  // no step of the sale sees to these
  if (isFee || !(await isCurrent(tx, sale))) {
    if (written.is_new) await tellAdmins(tx, 'old_sale_disputed', sale.listing_id)
    if (written.is_new && status !== 'won') await takeBackShares(tx, charge_id)
    else if (status === 'won') await giveSharesBack(tx, charge_id)
  }
  if (status === 'lost')
    await postOwn(tx, {
      kind: isFee ? 'chargeback_from_fee' : 'chargeback_from_sale',
      source: `${dispute.id}:from_sale`,
      memo: `Chargeback ${dispute.id} lost: ${sale.title}`,
      amount: await fromSale(tx, dispute, charge_id),
      userId: sale.buyer_id,
      listingId: sale.listing_id,
      occurredAt: timeOf(dispute.created),
    })
}

/** What was refunded before is charged back a second time: the sale has no money for that, and the loss is the platform's. */
const fromSale = async (tx: Tx, { id, amount }: Stripe.Dispute, chargeId: string): Promise<number> =>
  Math.min(amount, await leftOfCharge(tx, chargeId, id))

/** What neither refunds nor lost chargebacks, this one aside, have taken of a charge. */
export async function leftOfCharge(tx: Tx, chargeId: string, besides = ''): Promise<number> {
  const { rows } = await sql<{ held: number }>`
    select (
      (select coalesce(sum(p.received), 0) from sale_payments p where p.charge_id = ${chargeId})
      + (select coalesce(sum(f.amount), 0) from holding_fees f where f.charge_id = ${chargeId} and f.status = 'captured')
      - (select coalesce(sum(r.amount), 0) from refunds r where r.charge_id = ${chargeId} and r.status in ('wanted', 'pending', 'waiting', 'succeeded'))
      - (select coalesce(sum(d.amount), 0) from sale_disputes d where d.charge_id = ${chargeId} and d.status = 'lost' and d.id <> ${besides})
    )::int as held`.execute(tx)
  return Math.max(0, rows[0]?.held ?? 0)
}

export const isDisputed = async (tx: Tx, chargeId: string): Promise<boolean> =>
  (await tx.selectFrom('sale_disputes').select('id').where('charge_id', '=', chargeId).where('status', '=', 'open').executeTakeFirst()) !==
  undefined

/** The step `dispute_opened` sees to the newest award alone. */
async function isCurrent(tx: Tx, { award_id, listing_id }: Sale): Promise<boolean> {
  const newest = await tx
    .selectFrom('awards')
    .select('id')
    .where('listing_id', '=', listing_id)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.id === award_id
}

async function takeBackShares(tx: Tx, chargeId: string): Promise<void> {
  const shares = await tx.selectFrom('seller_payouts').select(['id', 'amount']).where('charge_id', '=', chargeId).execute()
  for (const { id, amount } of shares) await enqueue(tx, 'reverse_payout', { payout_id: id, amount })
}

async function giveSharesBack(tx: Tx, chargeId: string): Promise<void> {
  const shares = await tx
    .updateTable('seller_payouts')
    .set({ status: 'wanted' })
    .where('charge_id', '=', chargeId)
    .where((where) => where.or([where('status', '=', 'stopped'), where(sql<number>`reversed + receivable + recovered`, '>', 0)]))
    .returning('id')
    .execute()
  for (const { id } of shares) await enqueue(tx, 'send_payout', { payout_id: id })
}
