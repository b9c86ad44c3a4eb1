import { sql } from 'kysely'
import type { Stripe } from 'stripe'
import type { Tx } from '#server/db/db.ts'
import { ensureCustomer, keyFor, reserveCall } from '#server/features/payments/public.ts'
import { findFee, isSettled, lockFees, RENEW_BEFORE, type FeeRow } from '#server/features/paying/holding-fees.ts'
import { syncIntent } from '#server/features/paying/intents.ts'
import { groupOf, lookAtIntent } from '#server/features/paying/payments.ts'
import { callByKey, saleOf, showMoney, type PayingDeps, type Sale } from '#server/features/paying/sale.ts'
import { notFound, refuse } from '#server/http/errors.ts'
import { isUuid } from '#server/http/uuid.ts'
import { providerIsAway } from '#server/providers/payment.ts'

// RULES §5: the holding fee is authorised when a bidder wins, renewed before it lapses, and released or captured with the step that ends it.

/** Asks the saved card, with nobody at the screen. */
export async function authoriseFee(deps: PayingDeps, feeId: string): Promise<void> {
  const fee = await findFee(deps.db, feeId)
  if (fee?.status !== 'wanted') return
  const sale = await saleOf(deps.db, fee.award_id)
  const customer = await ensureCustomer(deps, sale.buyer_id)
  const buyer = await deps.db.selectFrom('users').select('holding_fee_card').where('id', '=', sale.buyer_id).executeTakeFirstOrThrow()
  const callId = await deps.db.transaction().execute(async (tx) => {
    const row = (await lockFees(tx, fee.award_id)).find(({ id }) => id === feeId)
    const begun = await callByKey(tx, feeKey(feeId))
    if (begun || row?.status !== 'wanted') return begun?.id
    if (row.ending) return endUnasked(tx, row)
    return reserveFee(tx, row, { sale, customer, key: feeKey(feeId), card: buyer.holding_fee_card })
  })
  if (!callId) return
  if ((await deps.provider.make(callId)).outcome === 'unsure') throw providerIsAway()
  await showMoney(deps.db, sale.listing_id)
}

const feeKey = (feeId: string) => `holding-fee:${feeId}`

type Asking = { sale: Sale; customer: string; key: string; card: string | null }

/** Without a card the buyer gives one in the browser. */
function reserveFee(tx: Tx, { id, amount, award_id }: FeeRow, { sale, customer, key, card }: Asking): Promise<string> {
  const params: Stripe.PaymentIntentCreateParams = {
    customer,
    amount,
    currency: 'gbp',
    capture_method: 'manual',
    allowed_payment_method_types: ['card'],
    transfer_group: groupOf(award_id),
    metadata: { purpose: 'holding_fee', user_id: sale.buyer_id, listing_id: sale.listing_id, award_id, holding_fee_id: id },
    ...(card && { payment_method: card, confirm: true, off_session: true }),
  }
  return reserveCall(tx, { kind: 'authorise_holding_fee', key, userId: null, subject: { holding_fee_id: id }, params })
}

/** The provider was never asked for it. */
async function endUnasked(tx: Tx, { id, ending }: FeeRow): Promise<undefined> {
  await tx
    .updateTable('holding_fees')
    .set({ status: ending === 'capture' ? 'lapsed' : 'released', settled_at: sql`app_now()` })
    .where('id', '=', id)
    .execute()
}

/** A further authorisation, before this one lapses. The old one is let go when the new one stands. */
export async function renewFee({ db }: PayingDeps, feeId: string): Promise<void> {
  await sql`
    with renewal as (
      insert into holding_fees (award_id, amount, renews)
      select award_id, amount, id
      from holding_fees
      where id = ${feeId} and status = 'authorised' and ending is null and capture_before <= app_now() + ${RENEW_BEFORE}::interval
      on conflict (renews) do nothing
      returning id
    )
    insert into jobs (kind, payload)
    select 'authorise_holding_fee', jsonb_build_object('holding_fee_id', id)
    from renewal`.execute(db)
}

/** Releases or captures it, as the step that ended it has decided. Of several authorisations of one award the newest is captured. */
export async function endFee(deps: PayingDeps, feeId: string): Promise<void> {
  const { db, provider } = deps
  const fee = await findFee(db, feeId)
  if (!fee?.ending || isSettled(fee)) return
  const callId = await db.transaction().execute(async (tx) => {
    const fees = await lockFees(tx, fee.award_id)
    const row = fees.find(({ id }) => id === feeId)
    if (!row?.ending || isSettled(row)) return undefined
    const begun = await callByKey(tx, feeKey(feeId))
    if (row.status === 'wanted') return begun?.id ?? endUnasked(tx, row)
    if (!row.intent_id) return endUnasked(tx, row)
    const kind = isToCapture(row, fees) ? 'capture_holding_fee' : 'cancel_holding_fee'
    const key = await keyFor(tx, `${feeKey(feeId)}:${kind}`)
    const asked = await callByKey(tx, key)
    return asked?.id ?? reserveCall(tx, { kind, key, userId: null, subject: { holding_fee_id: feeId }, params: { id: row.intent_id } })
  })
  if (!callId) return
  const { outcome } = await provider.make(callId)
  if (outcome === 'unsure') throw providerIsAway()
  const now = await findFee(db, feeId)
  // refused: the authorisation has lapsed, or the buyer confirmed it a moment ago
  if (outcome === 'refused' && now?.intent_id) await syncIntent(deps, now.intent_id)
  await showMoney(db, (await saleOf(db, fee.award_id)).listing_id)
}

const isToCapture = (row: FeeRow, fees: readonly FeeRow[]) =>
  row.ending === 'capture' &&
  !fees.some(({ status }) => status === 'captured') &&
  fees.findLast(({ status, ending }) => status === 'authorised' && ending === 'capture')?.id === row.id

/** For the buyer at the screen: confirms the fee that the card's bank asks about, or authorises it with another card. */
export async function confirmFee(deps: PayingDeps, { listingId, userId }: { listingId: string; userId: string }): Promise<string> {
  if (!isUuid(listingId)) throw notFound()
  const { db, provider } = deps
  const award = await db
    .selectFrom('awards')
    .innerJoin('listings', 'listings.id', 'awards.listing_id')
    .select(['awards.id', 'awards.status', 'listings.status as listing_status'])
    .where('listing_id', '=', listingId)
    .where('bidder_id', '=', userId)
    .orderBy('awards.created_at', 'desc')
    .executeTakeFirst()
  if (!award) throw notFound()
  const isTime = award.status === 'pending_payment' && ['PendingPayment', 'BalanceDue'].includes(award.listing_status)
  if (!isTime) throw refuse('conflict', 'The time for the holding fee of this sale is over.')
  const fee = await db
    .selectFrom('holding_fees')
    .selectAll()
    .where('award_id', '=', award.id)
    .where('status', '=', 'asks_buyer')
    .where('ending', 'is', null)
    .executeTakeFirst()
  if (!fee) throw refuse('conflict', 'The holding fee needs nothing from you now.', { code: 'holding_fee_settled' })
  const intent = fee.intent_id ? await lookAtIntent(deps, fee.intent_id) : undefined
  if (intent?.client_secret && isWaiting(intent)) return intent.client_secret
  if (fee.intent_id) {
    await syncIntent(deps, fee.intent_id)
    throw refuse('conflict', 'The holding fee needs nothing from you now.', { code: 'holding_fee_settled' })
  }
  const sale = await saleOf(db, award.id)
  const customer = await ensureCustomer(deps, userId)
  const callId = await db.transaction().execute(async (tx) => {
    const row = (await lockFees(tx, award.id)).find(({ id }) => id === fee.id)
    const key = await keyFor(tx, `${feeKey(fee.id)}:asked`)
    const begun = await callByKey(tx, key)
    return begun?.id ?? (row && reserveFee(tx, row, { sale, customer, key, card: null }))
  })
  if (callId) await provider.finish(callId)
  const asked = await findFee(db, fee.id)
  if (!asked?.client_secret) throw providerIsAway()
  return asked.client_secret
}

const isWaiting = ({ status }: Stripe.PaymentIntent) =>
  ['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(status)
