import { sql } from 'kysely'
import type { Stripe } from 'stripe'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import { rowsOf, type Db, type DbOrTx, type Tx } from '#server/db/db.ts'
import type { Provider } from '#server/features/payments/public.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import { isUuid } from '#server/http/uuid.ts'
import { enqueue, type MoneyNews } from '#server/jobs/queue.ts'
import { tellOfSteps } from '#server/live/outbox.ts'

/** What the money of sales is moved with. */
export type PayingDeps = {
  db: Db
  provider: Provider
  readSetting: ReadSetting
  /** Takes the step of a sale that its money makes possible. Answers whether there was one. */
  recheckSale: (listingId: string) => Promise<boolean>
}

export type Sale = {
  award_id: string
  award_status: string
  /** It was paid, or given on terms: what is paid for it was expected. */
  was_paid: boolean
  listing_status: string
  listing_id: string
  title: string
  buyer_id: string
  seller_id: string
}

export async function saleOf(db: DbOrTx, awardId: string): Promise<Sale> {
  const { rows } = await sql<Sale>`
    select a.id as award_id, a.status as award_status, a.paid_at is not null as was_paid, l.id as listing_id, l.status as listing_status, l.title, a.bidder_id as buyer_id, l.seller_id
    from awards a
    join listings l on l.id = a.listing_id
    where a.id = ${awardId}`.execute(db)
  if (!rows[0]) throw new Error(`there is no award ${awardId}`)
  return rows[0]
}

/** The award is still somebody's purchase: money for it is not late. */
export const isOpenAward = (status: string) => ['pending_payment', 'paid'].includes(status)

/** Nothing is paid for it any more, whatever became of it. */
export const isOver = ({ award_status, listing_status }: Sale) =>
  !isOpenAward(award_status) || ['Expired', 'ExchangeComplete', 'ReturnComplete', 'RemovedByAdmin'].includes(listing_status)

/**
 * Before the row of a payment or payout is locked in a transaction that also posts to the ledger: a step locks the listing first and such
 * rows after it, and a posting refers to the listing.
 */
export const keepListing = (tx: Tx, listingId: string) => sql`select from listings where id = ${listingId} for key share`.execute(tx)

export type StoredCall = { id: string; status: string }

export const callByKey = (db: DbOrTx, key: string): Promise<StoredCall | undefined> =>
  db.selectFrom('provider_calls').select(['id', 'status']).where('idempotency_key', '=', key).executeTakeFirst()

/** The row of ours that an object at the provider was made for; undefined where it names none. */
export function rowOf(
  metadata: Stripe.Metadata | null,
  name: 'payment_id' | 'holding_fee_id' | 'refund_id' | 'payout_id',
): string | undefined {
  const id = metadata?.[name]
  return id !== undefined && isUuid(id) ? id : undefined
}

/** What was read later replaces what was read earlier, never the other way round. */
export const isNewer = (row: { read_no: string }, readNo: string) => BigInt(row.read_no) < BigInt(readNo)

/** The answer to a key that was used before is of that time: what has happened since is read. */
export const isReplayed = (answer: Stripe.Response<unknown>) => answer.lastResponse.headers['idempotent-replayed'] === 'true'

/** What the parties see of a sale's money has changed without a step: their pages read it anew. */
export async function showMoney(db: Db, listingId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const listing = await tx.selectFrom('listings').select('status').where('id', '=', listingId).forNoKeyUpdate().executeTakeFirst()
    if (!listing) return
    const status = listing.status as ListingStatus
    await tellOfSteps(rowsOf(tx), [{ listing_id: listingId, from: status, to: status, effects: [] }])
  })
}

/** One letter to each admin, queued with what it is about. */
export async function tellAdmins(tx: DbOrTx, about: MoneyNews, id: string): Promise<void> {
  const admins = await tx.selectFrom('users').select('id').where('role', '=', 'admin').where('deleted_at', 'is', null).execute()
  for (const admin of admins) await enqueue(tx, 'send_money_letter', { user_id: admin.id, about, id })
}
