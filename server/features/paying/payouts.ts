import { sql, type Selectable } from 'kysely'
import type { Stripe } from 'stripe'
import type { SellerPayouts } from '#database/schema.gen.ts'
import { readNow } from '#server/db/clock.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { callKind, keyFor, postOwn, reserveCall } from '#server/features/payments/public.ts'
import { groupOf } from '#server/features/paying/payments.ts'
import { netReceivables, oweNoMore } from '#server/features/paying/receivables.ts'
import { callByKey, isReplayed, keepListing, rowOf, saleOf, showMoney, tellAdmins, type PayingDeps } from '#server/features/paying/sale.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { look, providerIsAway } from '#server/providers/payment.ts'

// The seller's share: one transfer per charge, out of that charge's own money, so that neither fees nor pending funds stop it.

export type PayoutRow = Selectable<SellerPayouts>
type Subject = { payout_id: string }

export const payoutCalls = {
  create_transfer: callKind<Stripe.TransferCreateParams, Stripe.Transfer>({
    async send(stripe, params, options) {
      const transfer = await stripe.transfers.create(params, options)
      return isReplayed(transfer) ? stripe.transfers.retrieve(transfer.id) : transfer
    },
    async settle(tx, { subject }, transfer) {
      const row = await lockPayout(tx, (subject as Subject).payout_id)
      if (!row) return
      const sent = { transfer_id: transfer.id, reversed: transfer.amount_reversed, failure_reason: null, settled_at: sql`app_now()` }
      await setPayout(tx, row.id, { ...sent, status: row.status === 'stopped' ? 'stopped' : 'done' })
      // a chargeback stopped it while it was being sent
      if (row.status === 'stopped') await enqueue(tx, 'reverse_payout', { payout_id: row.id, amount: transfer.amount })
    },
    async find(stripe, { params, subject }) {
      const { destination, transfer_group } = params as unknown as Stripe.TransferCreateParams
      for await (const transfer of stripe.transfers.list({ destination, ...(transfer_group && { transfer_group }), limit: 100 }))
        if (transfer.metadata['payout_id'] === (subject as Subject).payout_id) return transfer
      return undefined
    },
  }),
}

export const lockPayout = (tx: Tx, id: string): Promise<PayoutRow | undefined> =>
  tx.selectFrom('seller_payouts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const setPayout = (tx: Tx, id: string, columns: object) =>
  tx.updateTable('seller_payouts').set(columns).where('id', '=', id).execute()

/** Pays a seller, or lets the payout wait for the account. */
export async function sendPayout(deps: PayingDeps, payoutId: string): Promise<void> {
  const { db, provider } = deps
  await bookPayout(db, payoutId)
  const callId = await db.transaction().execute((tx) => reserveTransfer(tx, payoutId))
  if (!callId) return
  const made = await provider.make(callId)
  if (made.outcome === 'unsure') throw providerIsAway()
  if (made.outcome === 'refused') {
    const reason = made.error.code ?? made.error.message
    await db.transaction().execute(async (tx) => {
      const row = await lockPayout(tx, payoutId)
      if (row?.status !== 'wanted' && row?.status !== 'waiting') return
      await setPayout(tx, payoutId, { status: 'waiting', failure_reason: reason })
      if (row.failure_reason !== reason) await tellAdmins(tx, 'payout_refused', payoutId)
    })
  }
  await bookPayout(db, payoutId)
  const { award_id } = await db.selectFrom('seller_payouts').select('award_id').where('id', '=', payoutId).executeTakeFirstOrThrow()
  await showMoney(db, (await saleOf(db, award_id)).listing_id)
}

async function reserveTransfer(tx: Tx, payoutId: string): Promise<string | undefined> {
  const found = await tx.selectFrom('seller_payouts').select(['award_id', 'seller_id']).where('id', '=', payoutId).executeTakeFirst()
  if (!found) return undefined
  const sale = await saleOf(tx, found.award_id)
  await keepListing(tx, sale.listing_id)
  const row = await lockPayout(tx, payoutId)
  if (row?.status !== 'wanted' && row?.status !== 'waiting') return undefined
  // a further transfer after one was taken back, when a chargeback was won
  const key = await keyFor(tx, row.transfer_id ? `payout:${payoutId}:after:${row.transfer_id}` : `payout:${payoutId}`)
  const begun = await callByKey(tx, key)
  if (begun) return begun.id
  const seller = await tx
    .selectFrom('users')
    .select(['payment_account_id', 'payment_account_verified'])
    .where('id', '=', row.seller_id)
    .executeTakeFirstOrThrow()
  if (!seller.payment_account_id || !seller.payment_account_verified) {
    await setPayout(tx, payoutId, { status: 'waiting' })
    return undefined
  }
  // also of one that was never sent, because all of it was kept back
  const wasTakenBack = row.transfer_id !== null || row.reversed + row.receivable + row.recovered > 0
  const amount = wasTakenBack ? await oweNoMore(tx, row, sale) : row.amount - row.netted - (await netReceivables(tx, row, sale))
  if (amount === 0) {
    await setPayout(tx, payoutId, { status: 'done', settled_at: sql`app_now()` })
    return undefined
  }
  const params: Stripe.TransferCreateParams = {
    amount,
    currency: 'gbp',
    destination: seller.payment_account_id,
    // what was taken back of a charge still counts as used of it: a further transfer comes out of our balance
    ...(row.transfer_id === null && { source_transaction: row.charge_id }),
    transfer_group: groupOf(row.award_id),
    metadata: { payout_id: row.id, user_id: row.seller_id, listing_id: sale.listing_id, award_id: row.award_id, purpose: row.purpose },
  }
  return reserveCall(tx, { kind: 'create_transfer', key, userId: null, subject: { payout_id: payoutId } satisfies Subject, params })
}

/**
 * What the ledger owes the seller for a payout follows the payout's row: all of it once it is wanted, nothing once it was stopped, less
 * what was taken back. The difference to what is booked is posted.
 */
export async function bookPayout(db: Db, payoutId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const found = await tx.selectFrom('seller_payouts').select('award_id').where('id', '=', payoutId).executeTakeFirst()
    if (!found) return
    const sale = await saleOf(tx, found.award_id)
    await keepListing(tx, sale.listing_id)
    const row = await lockPayout(tx, payoutId)
    if (!row) return
    const isSent = row.transfer_id !== null || row.status === 'done'
    const isDue = row.status === 'wanted' || row.status === 'waiting'
    const owed = row.status === 'stopped' && !isSent ? 0 : isDue ? row.amount : row.amount - row.reversed
    const difference = owed - row.booked
    if (difference === 0) return
    const isFee = row.purpose === 'holding_fee'
    await postOwn(tx, {
      kind: difference > 0 ? (isFee ? 'fee_shared' : 'sale_completed') : isFee ? 'fee_taken_back' : 'sale_taken_back',
      source: `payout:${payoutId}:${row.bookings}`,
      memo: `${difference > 0 ? 'Owed to' : 'Taken back from'} the seller: ${sale.title}`,
      amount: Math.abs(difference),
      userId: row.seller_id,
      listingId: sale.listing_id,
      occurredAt: await readNow(tx),
    })
    await setPayout(tx, payoutId, { booked: owed, bookings: row.bookings + 1 })
  })
}

/** After an account was verified: pays what waited for it. */
export async function sendWaitingPayouts({ db }: PayingDeps, accountId: string): Promise<void> {
  await sql`
    insert into jobs (kind, payload)
    select 'send_payout', jsonb_build_object('payout_id', p.id)
    from seller_payouts p
    join users u on u.id = p.seller_id
    where u.payment_account_id = ${accountId} and u.payment_account_verified and p.status = 'waiting'`.execute(db)
}

/** A transfer as the provider has it now: what was taken back of it, also by somebody at the provider's own pages. */
export async function syncTransfer({ db, provider }: PayingDeps, transferId: string): Promise<void> {
  const transfer = await look(provider.stripe.transfers.retrieve(transferId))
  const payoutId = transfer && rowOf(transfer.metadata, 'payout_id')
  if (!transfer || !payoutId) return
  await db
    .updateTable('seller_payouts')
    .set({ reversed: sql`greatest(reversed, ${transfer.amount_reversed})` })
    .where('id', '=', payoutId)
    .where('transfer_id', '=', transfer.id)
    .execute()
  await bookPayout(db, payoutId)
}
