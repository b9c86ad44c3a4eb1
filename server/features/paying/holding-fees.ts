import { sql, type Selectable } from 'kysely'
import { Stripe } from 'stripe'
import type { HoldingFees } from '#database/schema.gen.ts'
import { percentOf } from '#domain/money.ts'
import type { DbOrTx, Tx } from '#server/db/db.ts'
import { callKind, idOf, jsonOf, timeOf } from '#server/features/payments/public.ts'
import { errorOfIntent, findIntent } from '#server/features/paying/payments.ts'
import { isNewer, isReplayed, rowOf, saleOf } from '#server/features/paying/sale.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import { enqueue } from '#server/jobs/queue.ts'

// The holding fee's row and its intent at the provider: what each call asks, and what its answer means.

export type FeeRow = Selectable<HoldingFees>
type Subject = { holding_fee_id: string }
type ById = { id: string }
type Reading = { readNo: string; readSetting: ReadSetting }

const EXPAND = { expand: ['latest_charge'] }

export function holdingFeeCalls({ readSetting }: { readSetting: ReadSetting }) {
  const settle = async (tx: Tx, _call: unknown, intent: Stripe.PaymentIntent, readNo: string) =>
    void (await writeFee(tx, intent, { readNo, readSetting }))
  const find = (stripe: Stripe, { params }: { params: unknown }) => stripe.paymentIntents.retrieve((params as ById).id, EXPAND)
  return {
    authorise_holding_fee: callKind<Stripe.PaymentIntentCreateParams, Stripe.PaymentIntent>({
      send: authorise,
      settle,
      // the saved card is not there any more: the buyer gives another
      giveBack: (tx, { subject }) => askBuyer(tx, (subject as Subject).holding_fee_id),
      find: (stripe, { params, subject }) =>
        findIntent(stripe, params as { customer: string }, 'holding_fee_id', (subject as Subject).holding_fee_id),
    }),
    cancel_holding_fee: callKind<ById, Stripe.PaymentIntent>({
      send: (stripe, { id }, options) => stripe.paymentIntents.cancel(id, EXPAND, options),
      settle,
      find,
    }),
    capture_holding_fee: callKind<ById, Stripe.PaymentIntent>({
      send: (stripe, { id }, options) => stripe.paymentIntents.capture(id, EXPAND, options),
      settle,
      find,
    }),
  }
}

/** A card that is declined, or asks for 3-D Secure, is an answer too: the intent is there, and waits for the buyer. */
async function authorise(stripe: Stripe, params: Stripe.PaymentIntentCreateParams, options: Stripe.RequestOptions) {
  try {
    const intent = await stripe.paymentIntents.create({ ...params, ...EXPAND }, options)
    return isReplayed(intent) ? await stripe.paymentIntents.retrieve(intent.id, EXPAND) : intent
  } catch (error) {
    const waiting = error instanceof Stripe.errors.StripeCardError ? error.payment_intent : undefined
    if (waiting) return stripe.paymentIntents.retrieve(waiting.id, EXPAND)
    throw error
  }
}

async function askBuyer(tx: Tx, feeId: string): Promise<void> {
  const asked = await tx
    .updateTable('holding_fees')
    .set({
      status: 'asks_buyer',
      last_error: JSON.stringify({ code: null, decline_code: null, message: 'Your saved card cannot be used.' }),
    })
    .where('id', '=', feeId)
    .where('status', '=', 'wanted')
    .returning('ending')
    .executeTakeFirst()
  if (asked) await enqueue(tx, asked.ending ? 'end_holding_fee' : 'send_holding_fee_letter', { holding_fee_id: feeId })
}

export const isSettled = ({ status }: Pick<FeeRow, 'status'>) => ['released', 'captured', 'lapsed'].includes(status)

export const findFee = (db: DbOrTx, id: string): Promise<FeeRow | undefined> =>
  db.selectFrom('holding_fees').selectAll().where('id', '=', id).executeTakeFirst()

/** All authorisations of one award, oldest first, locked. */
export const lockFees = (tx: Tx, awardId: string): Promise<FeeRow[]> =>
  tx.selectFrom('holding_fees').selectAll().where('award_id', '=', awardId).orderBy('created_at').orderBy('id').forUpdate().execute()

/** The row as its intent is now. What is settled stays. Answers its award if the buyer sees a change. */
export async function writeFee(tx: Tx, intent: Stripe.PaymentIntent, { readNo, readSetting }: Reading): Promise<string | undefined> {
  const feeId = rowOf(intent.metadata, 'holding_fee_id')
  const found = feeId === undefined ? undefined : await findFee(tx, feeId)
  const row = found && (await lockFees(tx, found.award_id)).find(({ id }) => id === found.id)
  if (!row || !isNewer(row, readNo) || isSettled(row)) return undefined
  const status = statusOf(intent, row)
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
  const capture_before = charge?.payment_method_details?.card?.capture_before
  await tx
    .updateTable('holding_fees')
    .set({
      status,
      intent_id: intent.id,
      client_secret: intent.client_secret,
      last_error: status === 'asks_buyer' ? jsonOf(errorOfIntent(intent)) : null,
      ...(['authorised', 'captured'].includes(status) && { charge_id: idOf(intent.latest_charge) }),
      ...(status === 'authorised' && capture_before && { capture_before: timeOf(capture_before) }),
      ...(isSettled({ status }) && { settled_at: sql`app_now()` }),
      read_no: readNo,
    })
    .where('id', '=', row.id)
    .execute()
  if (status === 'captured') await shareFee(tx, row, idOf(intent.latest_charge) ?? '', readSetting)
  if (status === row.status) return undefined
  if (isSettled({ status })) return row.award_id
  if (row.ending) await enqueue(tx, 'end_holding_fee', { holding_fee_id: row.id })
  else if (status === 'asks_buyer') await enqueue(tx, 'send_holding_fee_letter', { holding_fee_id: row.id })
  else if (status === 'authorised') await replaceOld(tx, row)
  return row.award_id
}

function statusOf({ status }: Stripe.PaymentIntent, { ending }: FeeRow) {
  if (status === 'requires_capture') return 'authorised'
  if (status === 'succeeded') return 'captured'
  if (status !== 'canceled') return 'asks_buyer'
  return ending === 'release' ? 'released' : 'lapsed'
}

/** This early an authorisation is renewed, before its own end. */
export const RENEW_BEFORE = '12 hours'

/** The new authorisation stands: the one before it is let go, and this one is renewed in its turn. */
async function replaceOld(tx: Tx, { id, renews }: FeeRow): Promise<void> {
  await sql`
    insert into jobs (kind, payload, run_at)
    select 'renew_holding_fee', jsonb_build_object('holding_fee_id', id), capture_before - ${RENEW_BEFORE}::interval
    from holding_fees
    where id = ${id} and capture_before is not null`.execute(tx)
  if (!renews) return
  const old = await tx
    .updateTable('holding_fees')
    .set({ ending: 'release' })
    .where('id', '=', renews)
    .where('ending', 'is', null)
    .where('status', 'not in', ['released', 'captured', 'lapsed'])
    .returning('id')
    .executeTakeFirst()
  if (old) await enqueue(tx, 'end_holding_fee', { holding_fee_id: old.id })
}

/** RULES §5: a share of a captured fee is the seller's. */
async function shareFee(tx: Tx, { award_id, amount }: FeeRow, chargeId: string, readSetting: ReadSetting): Promise<void> {
  const share = percentOf(amount, await readSetting(tx, 'holding_fee_seller_share'))
  if (share === 0) return
  const { seller_id } = await saleOf(tx, award_id)
  const payout = await tx
    .insertInto('seller_payouts')
    .values({ award_id, seller_id, charge_id: chargeId, purpose: 'holding_fee', amount: share })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (payout) await enqueue(tx, 'send_payout', { payout_id: payout.id })
}
