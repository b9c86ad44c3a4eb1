import type { Stripe } from 'stripe'
import { entriesOf, isPurpose, type Purpose } from '#domain/ledger.ts'
import type { Db, DbOrTx, Tx } from '#server/db/db.ts'
import { idOf } from '#server/features/payments/cards.ts'
import type { Provider } from '#server/features/payments/calls.ts'
import { isPosted, lockSource, post, postOwn } from '#server/features/payments/ledger.ts'
import { look } from '#server/providers/payment.ts'

// Every line of the provider's balance becomes exactly one transaction of the ledger, under the line's own id.

export type MoneyDeps = { db: Db; provider: Provider }

export type Origin = { purpose: Purpose | null; userId: string | null; listingId: string | null }

const nobodys: Origin = { purpose: null, userId: null, listingId: null }

export const timeOf = (seconds: number) => new Date(seconds * 1_000)

/** Writes a line of the provider's balance down, in the transaction of what it explains. */
export async function postLine(tx: Tx, line: Stripe.BalanceTransaction, { purpose, userId, listingId }: Origin): Promise<void> {
  if (line.currency !== 'gbp') throw new Error(`${line.id} is in ${line.currency}: we hold pounds alone`)
  const type = line.type === 'adjustment' ? line.reporting_category : line.type
  const entries = entriesOf({ type, amount: line.amount, fee: line.fee, purpose })
  const memo = line.description ?? `${type} ${idOf(line.source) ?? ''}`.trim()
  await post(tx, { kind: type, source: line.id, memo, userId, listingId, occurredAt: timeOf(line.created), entries })
}

/** What a charge was for: its metadata says so, or it paid an invoice of the subscription. */
export async function originOf({ db, provider }: MoneyDeps, charge: Stripe.Charge): Promise<Origin> {
  const intentId = idOf(charge.payment_intent)
  // an intent gives its charges its metadata: it is asked only where they say nothing
  const intent =
    intentId && !isPurpose(charge.metadata['purpose']) ? await look(provider.stripe.paymentIntents.retrieve(intentId)) : undefined
  const metadata = { ...intent?.metadata, ...charge.metadata }
  const userId = metadata['user_id'] ?? (await userOfCustomer(db, idOf(charge.customer)))
  const listingId = metadata['listing_id'] ?? null
  if (isPurpose(metadata['purpose'])) return { purpose: metadata['purpose'], userId, listingId }
  const invoiceId = intentId && (await invoiceOf(provider, intentId))
  return { purpose: invoiceId ? 'subscription' : null, userId, listingId }
}

export async function invoiceOf(provider: Provider, intentId: string): Promise<string | null> {
  const payments = await look(
    provider.stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: intentId }, limit: 1 }),
  )
  return idOf(payments?.data[0]?.invoice)
}

export async function userOfCustomer(db: DbOrTx, customerId: string | null): Promise<string | null> {
  if (!customerId) return null
  const user = await db.selectFrom('users').select('id').where('provider_customer_id', '=', customerId).executeTakeFirst()
  return user?.id ?? null
}

/** A charge with its lines and those of its refunds, in one call. */
export const readCharge = (provider: Provider, chargeId: string): Promise<Stripe.Charge | undefined> =>
  look(
    provider.stripe.charges.retrieve(chargeId, {
      expand: ['balance_transaction', 'refunds.data.balance_transaction', 'refunds.data.failure_balance_transaction'],
    }),
  )

/** A charge with its refunds, each a line. */
export async function applyCharge(deps: MoneyDeps, charge: Stripe.Charge): Promise<void> {
  const { db, provider } = deps
  const refunds = charge.refunds?.has_more ? await listRefunds(provider, charge.id) : (charge.refunds?.data ?? [])
  // a refund that the card's bank sent back has a second line
  const ofRefunds = refunds.flatMap((refund) => [refund.balance_transaction, refund.failure_balance_transaction])
  const lines = [charge.balance_transaction, ...ofRefunds].filter(isLine)
  const origin = await originOf(deps, charge)
  await db.transaction().execute(async (tx) => {
    for (const line of lines) await postLine(tx, line, origin)
  })
}

const listRefunds = (provider: Provider, charge: string): Promise<Stripe.Refund[]> =>
  provider.stripe.refunds
    .list({ charge, limit: 100, expand: ['data.balance_transaction', 'data.failure_balance_transaction'] })
    .autoPagingToArray({ limit: 10_000 })

/** A chargeback: taken at once, given back if it is won, a loss if it is not. */
export async function applyDispute(deps: MoneyDeps, disputeId: string): Promise<void> {
  const { db, provider } = deps
  const dispute = await look(provider.stripe.disputes.retrieve(disputeId))
  if (!dispute) return
  const charge = await look(provider.stripe.charges.retrieve(idOf(dispute.charge) ?? ''))
  const origin = charge ? await originOf(deps, charge) : nobodys
  await db.transaction().execute(async (tx) => {
    for (const line of dispute.balance_transactions) await postLine(tx, line, origin)
    const taken = -dispute.balance_transactions.reduce((sum, { amount }) => sum + amount, 0)
    if (dispute.status !== 'lost' || taken === 0) return
    const memo = `Chargeback ${dispute.id} lost`
    await postOwn(tx, {
      kind: 'chargeback_lost',
      source: `${dispute.id}:lost`,
      memo,
      amount: taken,
      userId: origin.userId,
      listingId: origin.listingId,
      occurredAt: timeOf(dispute.created),
    })
  })
}

/** A payout of ours: on its way, arrived, or sent back, also after it had arrived. */
export async function applyPayout({ db, provider }: MoneyDeps, payoutId: string): Promise<void> {
  const payout = await look(provider.stripe.payouts.retrieve(payoutId, { expand: ['balance_transaction', 'failure_balance_transaction'] }))
  if (!payout) return
  await db.transaction().execute(async (tx) => {
    await lockSource(tx, payout.id)
    for (const line of [payout.balance_transaction, payout.failure_balance_transaction]) if (isLine(line)) await postLine(tx, line, nobodys)
    const arrived = `${payout.id}:paid`
    const about = { amount: payout.amount, userId: null, occurredAt: timeOf(payout.arrival_date) }
    if (payout.status === 'paid')
      await postOwn(tx, { ...about, kind: 'payout_arrived', source: arrived, memo: `Payout ${payout.id} arrived` })
    if (payout.status !== 'failed') return
    const kind = (await isPosted(tx, arrived)) ? 'payout_came_back' : 'payout_never_arrived'
    await postOwn(tx, {
      ...about,
      kind,
      source: `${payout.id}:failed`,
      memo: `Payout ${payout.id} failed: ${payout.failure_code ?? 'unknown'}`,
    })
  })
}

/** A transfer to a seller's account, and what was taken back of it. */
export async function applyTransfer({ db, provider }: MoneyDeps, transferId: string): Promise<void> {
  const transfer = await look(
    provider.stripe.transfers.retrieve(transferId, { expand: ['balance_transaction', 'reversals.data.balance_transaction'] }),
  )
  if (!transfer) return
  const origin = { purpose: null, userId: transfer.metadata['user_id'] ?? null, listingId: transfer.metadata['listing_id'] ?? null }
  await db.transaction().execute(async (tx) => {
    for (const line of [transfer.balance_transaction, ...transfer.reversals.data.map((reversal) => reversal.balance_transaction)])
      if (isLine(line)) await postLine(tx, line, origin)
  })
}

export const isLine = (line: string | Stripe.BalanceTransaction | null | undefined): line is Stripe.BalanceTransaction =>
  typeof line === 'object' && line !== null
