import type { Stripe } from 'stripe'
import type { Tx } from '#server/db/db.ts'
import { callKind, reserveCall } from '#server/features/payments/public.ts'
import { bookPayout, lockPayout, setPayout, type PayoutRow } from '#server/features/paying/payouts.ts'
import { oweRest } from '#server/features/paying/receivables.ts'
import { callByKey, keepListing, saleOf, type PayingDeps } from '#server/features/paying/sale.ts'
import { runningJobId } from '#server/jobs/message-ids.ts'
import { look, providerIsAway } from '#server/providers/payment.ts'

// Takes back what a seller was paid: first the whole, then what the account covers; the rest is owed.

type Params = { transfer: string; amount: number }
type Subject = { payout_id: string; reversal: string; rest: number }
type Reversed = { id: string; amount_reversed: number }

export const takeBackCalls = {
  reverse_transfer: callKind<Params, Reversed>({
    async send(stripe, { transfer, amount }, options) {
      const { id } = await stripe.transfers.createReversal(transfer, { amount }, options)
      return { id, amount_reversed: (await stripe.transfers.retrieve(transfer)).amount_reversed }
    },
    async settle(tx, { subject }, { amount_reversed }) {
      const { payout_id, reversal, rest } = subject as Subject
      const { row, sale } = await lockForBooking(tx, payout_id)
      await setPayout(tx, payout_id, { reversed: Math.max(row.reversed, amount_reversed) })
      if (rest > 0) await oweRest(tx, row, { amount: rest, sale, source: `${reversal}:rest` })
    },
    async find(stripe, { params, created_at }) {
      const { transfer, amount } = params as Params
      const since = Math.floor(created_at.getTime() / 1_000) - 60
      const { data } = await stripe.transfers.listReversals(transfer, { limit: 100 })
      const found = data.find((reversal) => reversal.amount === amount && reversal.created >= since)
      return found && { id: found.id, amount_reversed: (await stripe.transfers.retrieve(transfer)).amount_reversed }
    },
  }),
}

async function lockForBooking(tx: Tx, payoutId: string) {
  const found = await tx.selectFrom('seller_payouts').select('award_id').where('id', '=', payoutId).executeTakeFirstOrThrow()
  const sale = await saleOf(tx, found.award_id)
  await keepListing(tx, sale.listing_id)
  const row = await lockPayout(tx, payoutId)
  if (!row) throw new Error(`there is no payout ${payoutId}`)
  return { row, sale }
}

/** The job's own id is part of the key: run again it takes nothing back a second time, and a second job of the same amount does. */
export async function reversePayout(deps: PayingDeps, { payout_id, amount }: { payout_id: string; amount: number }): Promise<void> {
  const { db, provider } = deps
  const reversal = `reversal:${payout_id}:${runningJobId()}`
  const callId = await db.transaction().execute((tx) => reserveWhole(tx, { payoutId: payout_id, amount, reversal }))
  if (callId) {
    const made = await provider.make(callId)
    if (made.outcome === 'unsure') throw providerIsAway()
    if (made.outcome === 'refused') await reversePart(deps, { payoutId: payout_id, reversal })
  }
  await bookPayout(db, payout_id)
}

type Reversal = { payoutId: string; reversal: string }

async function reserveWhole(tx: Tx, { payoutId, amount, reversal }: Reversal & { amount: number }): Promise<string | undefined> {
  const begun = await callByKey(tx, reversal)
  if (begun) return begun.id
  const { row, sale } = await lockForBooking(tx, payoutId)
  if (row.status === 'wanted' || row.status === 'waiting') {
    // one that is being sent right now is taken back when it has been
    await setPayout(tx, payoutId, { status: 'stopped' })
    return undefined
  }
  const left = leftOf(row)
  const wanted = Math.min(amount, left, row.amount - row.netted - row.reversed)
  // what was kept back for an earlier sale was never sent: the seller owes it again
  const kept = Math.min(amount, left) - wanted
  if (kept > 0) await oweRest(tx, row, { amount: kept, sale, source: `${reversal}:netted` })
  if (!row.transfer_id || wanted <= 0) return undefined
  return reserveReversal(tx, row, { key: reversal, amount: wanted, reversal, rest: 0 })
}

/** What was not taken back of it, whether it was sent or kept back. */
const leftOf = ({ amount, reversed, receivable, recovered }: PayoutRow) => amount - reversed - receivable - recovered

type Asking = { key: string; amount: number; reversal: string; rest: number }

const reserveReversal = (tx: Tx, { id, transfer_id }: PayoutRow, { key, amount, reversal, rest }: Asking) =>
  reserveCall(tx, {
    kind: 'reverse_transfer',
    key,
    userId: null,
    subject: { payout_id: id, reversal, rest } satisfies Subject,
    params: { transfer: transfer_id ?? '', amount } satisfies Params,
  })

/** The account does not cover all of it: what it covers is taken, the rest is owed. */
async function reversePart({ db, provider }: PayingDeps, { payoutId, reversal }: Reversal): Promise<void> {
  const whole = await db.selectFrom('provider_calls').select('params').where('idempotency_key', '=', reversal).executeTakeFirstOrThrow()
  const { amount, transfer } = whole.params as Params
  const covered = await coveredBy(provider.stripe, transfer)
  const part = Math.min(covered, amount)
  const callId = await db.transaction().execute(async (tx) => {
    const key = `${reversal}:part`
    const begun = await callByKey(tx, key)
    if (begun) return begun.id
    const { row, sale } = await lockForBooking(tx, payoutId)
    if (part > 0) return reserveReversal(tx, row, { key, amount: part, reversal, rest: amount - part })
    await oweRest(tx, row, { amount, sale, source: `${reversal}:rest` })
    return undefined
  })
  if (!callId) return
  const made = await provider.make(callId)
  if (made.outcome === 'unsure') throw providerIsAway()
  if (made.outcome === 'done') return
  await db.transaction().execute(async (tx) => {
    const { row, sale } = await lockForBooking(tx, payoutId)
    await oweRest(tx, row, { amount, sale, source: `${reversal}:rest` })
  })
}

/** What the seller's account at the provider has available. */
async function coveredBy(stripe: Stripe, transferId: string): Promise<number> {
  const transfer = await look(stripe.transfers.retrieve(transferId))
  const account = typeof transfer?.destination === 'string' ? transfer.destination : transfer?.destination?.id
  if (!account) return 0
  const balance = await look(stripe.balance.retrieve({}, { stripeAccount: account }))
  const available = balance?.available.find(({ currency }) => currency === 'gbp')?.amount ?? 0
  return Math.max(0, available)
}
