import { sql } from 'kysely'
import pg from 'pg'
import type { Role } from '#contract/values/permissions.ts'
import { formatPence } from '#domain/format.ts'
import type { DbOrTx } from '#server/db/db.ts'
import { endPayment } from '#server/features/paying/end-payment.ts'
import { followPayment } from '#server/features/paying/intents.ts'
import { allocateLate } from '#server/features/paying/late-payments.ts'
import { ensureIntent, isOpen, type PaymentRow } from '#server/features/paying/payments.ts'
import { saleOf, type PayingDeps } from '#server/features/paying/sale.ts'
import { actingWith, takeAction, type SaleDeps } from '#server/features/sales/public.ts'
import { notFound, refuse } from '#server/http/errors.ts'
import type { Once } from '#server/http/idempotency.ts'
import { isUuid } from '#server/http/uuid.ts'
import { providerIsAway } from '#server/providers/payment.ts'

export type PaymentMethod = 'card' | 'bank_transfer'

export type Payer = { id: string; role: Role | null }

export type PayRequest = { listingId: string; method: PaymentMethod | undefined; person: Payer; once?: Once<StoredPay> }

/** What is kept under an idempotency key: the payment is found again by it. */
export type StoredPay = { listing_id: string; method: PaymentMethod | null }

export type PayDeps = PayingDeps & SaleDeps

// a late payment that pays it, another method that is ended first, a second window that was faster, and then the payment itself
const MOST_ROUNDS = 4

/**
 * RULES §4: begins to pay what is due, or answers the payment that is open. Another method ends the first at the provider; once a part
 * has arrived, the bank transfer is the only one.
 */
export async function pay(deps: PayDeps, request: PayRequest): Promise<PaymentRow> {
  const { listingId, method, person, once } = request
  if (!isUuid(listingId)) throw notFound()
  const kept: StoredPay = { listing_id: listingId, method: method ?? null }
  let isKept = false
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const purchase = await purchaseOf(deps.db, listingId, person.id)
    const open = purchase?.is_payable ? await openPayment(deps.db, purchase.award_id) : undefined
    const isSame = open && (method === undefined || open.method === method) && open.amount - open.received === purchase?.due
    if (isSame) {
      const made = await ensureIntent(deps, open)
      if (!isOpen(made) && made.status !== 'succeeded') continue
      if (!isKept) await once?.remember(deps.db, kept)
      // a transfer that had already arrived pays it at once
      await followPayment(deps, made.id)
      return made
    }
    if (open) await changeMethod(deps, open)
    else if (!purchase?.is_payable || !(await allocateLate(deps, await saleOf(deps.db, purchase.award_id)))) {
      isKept = await begin(deps, request, { purchase, kept })
    }
  }
  throw providerIsAway()
}

type Purchase = { award_id: string; is_payable: boolean; due: number }

/** The caller's purchase of a listing, and what is due of it now. */
async function purchaseOf(db: DbOrTx, listingId: string, userId: string): Promise<Purchase | undefined> {
  const { rows } = await sql<Purchase>`
    select a.id as award_id,
           l.status in ('PendingPayment', 'BalanceDue', 'DeferredPayment') as is_payable,
           (a.total
             - (select coalesce(sum(received), 0) from sale_payments p where p.award_id = a.id)
             + (select coalesce(sum(amount), 0) from refunds r where r.award_id = a.id and r.status not in ('failed', 'cancelled', 'waived'))
           )::int as due
    from awards a
    join listings l on l.id = a.listing_id
    where a.listing_id = ${listingId} and a.bidder_id = ${userId} and a.status in ('pending_payment', 'paid')`.execute(db)
  return rows[0]
}

const openPayment = (db: DbOrTx, awardId: string): Promise<PaymentRow | undefined> =>
  db
    .selectFrom('sale_payments')
    .selectAll()
    .where('award_id', '=', awardId)
    .where('status', 'in', ['wanted', 'open', 'processing'])
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

async function changeMethod(deps: PayDeps, open: PaymentRow): Promise<void> {
  if (open.received > 0) throw partArrived()
  const ended = await endPayment(deps, open.id)
  if (ended?.status === 'succeeded') throw refuse('conflict', 'This is paid already.', { code: 'already_paid' })
  if (ended && isOpen(ended)) {
    if (ended.received > 0) throw partArrived()
    throw refuse('conflict', 'Your payment is being processed. We tell you when it has arrived.', { code: 'payment_processing' })
  }
}

const partArrived = () =>
  refuse('conflict', 'A part of your bank transfer has arrived. Send the rest to the same account.', { code: 'bank_transfer_only' })

/** The machine writes the step and the row of the payment, or refuses. Answers whether it did, and kept the answer. */
async function begin(
  deps: PayDeps,
  { listingId, method, person, once }: PayRequest,
  { purchase, kept }: { purchase: Purchase | undefined; kept: StoredPay },
): Promise<boolean> {
  if (purchase?.is_payable && purchase.due <= 0) {
    await deps.recheckSale(listingId)
    throw refuse('conflict', 'This is paid already.', { code: 'already_paid' })
  }
  const limit = await deps.readSetting(deps.db, 'card_payment_limit')
  if (purchase?.is_payable && method === 'card' && purchase.due > limit) {
    throw refuse('conflict', `Cards are taken up to ${formatPence(limit)}. Pay this by bank transfer.`, { code: 'card_limit' })
  }
  const byDefault: PaymentMethod = (purchase?.due ?? 0) <= limit ? 'card' : 'bank_transfer'
  try {
    await takeAction(actingWith(deps), {
      listingId,
      action: 'pay',
      sent: { method: method ?? byDefault },
      person,
      remember: async (client) => once?.rememberOn(client, kept),
    })
    return true
  } catch (error) {
    // a second window was faster: its payment is this one's too
    const isSecond = error instanceof pg.DatabaseError && error.constraint === 'one_open_payment'
    if (!isSecond) throw error
    return false
  }
}

/** The same answer once more: the newest payment of the purchase, by that method. */
export async function payAgain(deps: PayDeps, { listing_id, method }: StoredPay, person: Payer): Promise<PaymentRow> {
  const row = await deps.db
    .selectFrom('sale_payments')
    .innerJoin('awards', 'awards.id', 'sale_payments.award_id')
    .selectAll('sale_payments')
    .where('awards.listing_id', '=', listing_id)
    .where('awards.bidder_id', '=', person.id)
    .$if(method !== null, (query) => query.where('sale_payments.method', '=', method ?? ''))
    .orderBy('sale_payments.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? ensureIntent(deps, row) : pay(deps, { listingId: listing_id, method: method ?? undefined, person })
}
