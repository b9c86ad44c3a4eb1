import { sql, type Selectable } from 'kysely'
import type { Stripe } from 'stripe'
import type { Refunds } from '#database/schema.gen.ts'
import { LEAST_REFUND } from '#domain/money.ts'
import type { Tx } from '#server/db/db.ts'
import { callKind, nextRead, reserveCall } from '#server/features/payments/public.ts'
import { cashLeft, syncCash } from '#server/features/paying/cash.ts'
import { isDisputed, leftOfCharge } from '#server/features/paying/disputes.ts'
import { callByKey, isNewer, isReplayed, rowOf, saleOf, showMoney, tellAdmins, type PayingDeps } from '#server/features/paying/sale.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { look, providerIsAway } from '#server/providers/payment.ts'

// Money on its way back to where it came from: a charge, or the buyer's cash balance at the provider.

type RefundRow = Selectable<Refunds>
type Subject = { refund_id: string; try: number }

const MOST_TRIES = 5
const TRY_AGAIN_AFTER = '1 day'

export const refundCalls = {
  create_refund: callKind<Stripe.RefundCreateParams, Stripe.Refund>({
    async send(stripe, params, options) {
      const refund = await stripe.refunds.create(params, options)
      return isReplayed(refund) ? stripe.refunds.retrieve(refund.id) : refund
    },
    settle: (tx, _call, refund, readNo) => writeRefund(tx, refund, readNo),
    async find(stripe, { params, subject }) {
      const { charge } = params as Stripe.RefundCreateParams
      const { refund_id, try: nth } = subject as Subject
      for await (const refund of stripe.refunds.list({ ...(charge && { charge }), limit: 100 }))
        if (refund.metadata?.['refund_id'] === refund_id && refund.metadata['try'] === String(nth)) return refund
      return undefined
    },
  }),
}

/** Sends a refund that is wanted, or one that failed once more under a new key. */
export async function sendRefund(deps: PayingDeps, refundId: string): Promise<void> {
  const { db, provider } = deps
  const cash = await cashOf(deps, refundId)
  const call = await db.transaction().execute(async (tx) => {
    const row = await lockRefund(tx, refundId)
    if (!row || !['wanted', 'failed', 'cancelled'].includes(row.status)) return undefined
    if (row.amount < LEAST_REFUND) {
      await setStatus(tx, refundId, { status: 'waived', settled_at: sql`app_now()` })
      return undefined
    }
    const key = `refund:${refundId}:${row.tries}`
    const begun = await callByKey(tx, key)
    if (begun) return { id: begun.id, nth: row.tries }
    const amount = row.tries > 0 ? await stillOwed(tx, row, cash) : row.amount
    if (amount === 0) return undefined
    await setStatus(tx, refundId, { status: 'wanted', amount })
    const subject: Subject = { refund_id: refundId, try: row.tries }
    return {
      id: await reserveCall(tx, { kind: 'create_refund', key, userId: null, subject, params: await paramsOf(tx, { ...row, amount }) }),
      nth: row.tries,
    }
  })
  if (!call) return
  const made = await provider.make(call.id)
  if (made.outcome === 'unsure') throw providerIsAway()
  if (made.outcome === 'refused') {
    const { error } = made
    await db.transaction().execute(async (tx) => {
      const row = await lockRefund(tx, refundId)
      if (row?.status === 'wanted' && row.tries === call.nth) await fail(tx, row, { status: 'failed', reason: error.code ?? error.message })
    })
  }
  await follow(deps, refundId)
}

/** How much the buyer has in the cash balance that pays this refund. */
async function cashOf(deps: PayingDeps, refundId: string): Promise<number> {
  const found = await deps.db
    .selectFrom('refunds')
    .innerJoin('users', 'users.id', 'refunds.user_id')
    .select(['charge_id', 'provider_customer_id'])
    .where('refunds.id', '=', refundId)
    .executeTakeFirst()
  return found?.provider_customer_id && !found.charge_id ? cashLeft(deps, found.provider_customer_id) : 0
}

/**
 * How much of a failed refund to send again. Since it failed, the buyer may have got the money by a chargeback, or spent it from the cash
 * balance on another sale: then only the rest is sent, and with no rest the refund is waived. While a chargeback is open the provider makes
 * no refunds, so this one waits and no try is counted.
 */
async function stillOwed(tx: Tx, row: RefundRow, cash: number): Promise<number> {
  if (row.charge_id && (await isDisputed(tx, row.charge_id))) {
    await enqueue(tx, 'send_refund', { refund_id: row.id }, TRY_AGAIN_AFTER)
    return 0
  }
  const left = row.charge_id ? await leftOfCharge(tx, row.charge_id) : cash
  if (left >= LEAST_REFUND) return Math.min(left, row.amount)
  await setStatus(tx, row.id, { status: 'waived', settled_at: sql`app_now()` })
  return 0
}

async function paramsOf(tx: Tx, row: RefundRow): Promise<Stripe.RefundCreateParams> {
  const sale = row.award_id ? await saleOf(tx, row.award_id) : undefined
  const metadata = {
    refund_id: row.id,
    try: String(row.tries),
    user_id: row.user_id,
    ...(sale && { listing_id: sale.listing_id, award_id: sale.award_id }),
  }
  if (row.charge_id) return { charge: row.charge_id, amount: row.amount, metadata }
  const user = await tx.selectFrom('users').select('provider_customer_id').where('id', '=', row.user_id).executeTakeFirst()
  return { origin: 'customer_balance', customer: user?.provider_customer_id ?? '', amount: row.amount, currency: 'gbp', metadata }
}

const lockRefund = (tx: Tx, id: string): Promise<RefundRow | undefined> =>
  tx.selectFrom('refunds').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

const setStatus = (tx: Tx, id: string, columns: object) => tx.updateTable('refunds').set(columns).where('id', '=', id).execute()

const statuses: Readonly<Record<string, RefundRow['status']>> = {
  pending: 'pending',
  requires_action: 'waiting',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'cancelled',
}

/** The row as the provider's refund is now; an earlier try of it says nothing any more. */
async function writeRefund(tx: Tx, refund: Stripe.Refund, readNo: string): Promise<void> {
  const id = rowOf(refund.metadata, 'refund_id')
  const row = id === undefined ? undefined : await lockRefund(tx, id)
  if (!row || !isNewer(row, readNo)) return
  const isThis = row.provider_id === refund.id || Number(refund.metadata?.['try']) === row.tries
  const status = statuses[refund.status ?? ''] ?? 'pending'
  if (!isThis || (row.provider_id === refund.id && row.status === status)) return
  await setStatus(tx, row.id, { provider_id: refund.id, read_no: readNo })
  if (status === 'failed' || status === 'cancelled') await fail(tx, row, { status, reason: refund.failure_reason ?? status })
  else await setStatus(tx, row.id, { status, failure_reason: null, settled_at: status === 'succeeded' ? sql`app_now()` : null })
}

async function fail(tx: Tx, row: RefundRow, { status, reason }: { status: 'failed' | 'cancelled'; reason: string }): Promise<void> {
  const tries = row.tries + 1
  await setStatus(tx, row.id, { status, failure_reason: reason, tries, settled_at: null })
  await tellAdmins(tx, 'refund_failed', row.id)
  if (tries < MOST_TRIES) await enqueue(tx, 'send_refund', { refund_id: row.id }, TRY_AGAIN_AFTER)
}

/** A refund as the provider has it now. One that is not ours is left alone. */
export async function syncRefund(deps: PayingDeps, providerId: string): Promise<void> {
  const readNo = await nextRead(deps.db)
  const refund = await look(deps.provider.stripe.refunds.retrieve(providerId))
  const refundId = refund && rowOf(refund.metadata, 'refund_id')
  if (!refund || !refundId) return
  await deps.db.transaction().execute((tx) => writeRefund(tx, refund, readNo))
  await follow(deps, refundId)
}

/** The sale shows it; cash that left the buyer's balance, or came back to it, is booked. */
async function follow(deps: PayingDeps, refundId: string): Promise<void> {
  const row = await deps.db
    .selectFrom('refunds')
    .innerJoin('users', 'users.id', 'refunds.user_id')
    .leftJoin('awards', 'awards.id', 'refunds.award_id')
    .select(['refunds.charge_id', 'users.provider_customer_id', 'awards.listing_id'])
    .where('refunds.id', '=', refundId)
    .executeTakeFirst()
  if (row?.listing_id) {
    await deps.recheckSale(row.listing_id)
    await showMoney(deps.db, row.listing_id)
  }
  if (row && !row.charge_id && row.provider_customer_id) await syncCash(deps, row.provider_customer_id)
}
